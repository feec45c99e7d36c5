/* Runs kernels of program binaries that clothoc made: offline FILE KERNEL ANSWER, of a kernel that writes its answer. */
#include "check.h"

int main(int count, char **words)
{
    set_up();
    TRUE_(count == 4);
    FILE *file = fopen(words[1], "rb");
    TRUE_(file != NULL);
    static unsigned char room[1 << 22];
    size_t size = fread(room, 1, sizeof room, file);
    fclose(file);
    const unsigned char *bytes = room;
    cl_int status = 99;
    cl_program program = MAKES(clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &err));
    OK(status);
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = MAKES(clCreateKernel(program, words[2], &err));
    cl_mem buffer = MAKES(clCreateBuffer(context, 0, 256 * sizeof(cl_int), NULL, &err));
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    size_t global = 256, local = 64;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    cl_int answers[256];
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof answers, answers, 0, NULL, NULL));
    for (int i = 0; i < 256; i++)
        TRUE_(answers[i] == i + atoi(words[3]));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    tear_down();
    return done();
}
