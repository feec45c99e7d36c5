/* Many launches of mixed sizes, with objects made and released all the time: results stay right and memory stays
   where it is. The first argument is the number of launches. */
#include "check.h"
#include <unistd.h>

static const char *source =
    "kernel void sum(global const uint *in, global uint *out, local uint *tmp, uint n)\n"
    "{\n"
    "    uint l = get_local_id(0), size = get_local_size(0), i = get_global_id(0);\n"
    "    tmp[l] = i < n ? in[i] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint step = 1; step < size; step *= 2) {\n"
    "        uint other = l + step < size && l % (2 * step) == 0 ? tmp[l + step] : 0;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        tmp[l] += other;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (l == 0)\n"
    "        out[get_group_id(0)] = tmp[0];\n"
    "}\n";

/* Resident memory in KiB. */
static long resident(void)
{
    long pages = 0, ignored;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &ignored, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char **argv)
{
    enum { MOST = 1 << 14 };
    long count = argc > 1 ? atol(argv[1]) : 10000, before = 0;
    static cl_uint numbers[MOST], sums[MOST];
    static const size_t locals[] = {1, 2, 3, 7, 16, 33, 64, 256, 1024};
    unsigned seed = 1;
    set_up();
    cl_command_queue loose =
        MAKES(clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err));
    for (int i = 0; i < MOST; i++)
        numbers[i] = (cl_uint)i * 2654435761u >> 8;
    cl_program program = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    cl_mem in = MAKES(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &err));
    for (long round = 0; round < count && failures < 10; round++) {
        seed = seed * 1103515245 + 12345;
        size_t local = locals[(seed >> 16) % 9], groups = 1 + (seed >> 8) % (round % 50 ? 8 : MOST / local - 1);
        size_t global = local * groups;
        cl_uint n = (cl_uint)(global - seed % local);
        cl_command_queue q = round & 1 ? queue : loose;
        cl_kernel kernel = MAKES(clCreateKernel(program, "sum", &err));
        cl_mem out = MAKES(clCreateBuffer(context, 0, groups * sizeof(cl_uint), NULL, &err));
        cl_event ran;
        OK(clSetKernelArg(kernel, 0, sizeof in, &in));
        OK(clSetKernelArg(kernel, 1, sizeof out, &out));
        OK(clSetKernelArg(kernel, 2, local * sizeof(cl_uint), NULL));
        OK(clSetKernelArg(kernel, 3, sizeof n, &n));
        OK(clEnqueueNDRangeKernel(q, kernel, 1, NULL, &global, &local, 0, NULL, &ran));
        OK(clReleaseKernel(kernel));
        OK(clEnqueueReadBuffer(q, out, CL_TRUE, 0, groups * sizeof(cl_uint), sums, 1, &ran, NULL));
        OK(clReleaseEvent(ran));
        OK(clReleaseMemObject(out));
        for (size_t g = 0; g < groups; g++) {
            cl_uint want = 0;
            for (size_t i = g * local; i < (g + 1) * local && i < n; i++)
                want += numbers[i];
            TRUE_(sums[g] == want);
        }
        if (round == count / 10)
            before = resident();
    }
    long after = resident();
    printf("resident: %ld KiB, then %ld KiB\n", before, after);
    TRUE_(after - before < 10 * 1024);
    OK(clReleaseMemObject(in));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(loose));
    tear_down();
    return done();
}
