/* A small run that the tests of the log, the timeline and perf's map look at: a build that fails, one that works, kernels that
 * print nothing, a copy, a wrong call, and two queues. */
#include "host.h"

static const char *SOURCE = "kernel void first_kernel(global int *out) { out[get_global_id(0)] = (int)get_global_id(0); }\n"
                            "kernel void second_kernel(global int *out) {\n"
                            "    local int t[16];\n"
                            "    t[get_local_id(0)] = out[get_global_id(0)];\n"
                            "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "    out[get_global_id(0)] = t[15 - get_local_id(0)];\n"
                            "}\n";

int main(void)
{
    struct host h = host_open("");
    cl_int code;
    const char *bad = "kernel void k(global int *p) { *p = nothing; }";
    cl_program program = clCreateProgramWithSource(h.context, 1, &bad, NULL, &code);
    CHECK(code);
    if (clBuildProgram(program, 0, NULL, "", NULL, NULL) != CL_BUILD_PROGRAM_FAILURE)
        FAIL("a wrong source was built");
    CHECK(clReleaseProgram(program));
    cl_command_queue loose = clCreateCommandQueueWithProperties(
        h.context, h.device, (cl_queue_properties[]){CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0}, &code);
    CHECK(code);
    program = host_build(&h, SOURCE, "");
    cl_mem buffer = host_buffer(&h, CL_MEM_READ_WRITE, 1 << 20, NULL);
    size_t global = 1 << 18, local = 16;
    cl_kernel first = host_kernel(program, "first_kernel"), second = host_kernel(program, "second_kernel");
    CHECK(clSetKernelArg(first, 0, sizeof buffer, &buffer));
    CHECK(clSetKernelArg(second, 0, sizeof buffer, &buffer));
    for (int n = 0; n < 20; n++) {
        CHECK(clEnqueueNDRangeKernel(h.queue, first, 1, NULL, &global, NULL, 0, NULL, NULL));
        CHECK(clEnqueueNDRangeKernel(h.queue, second, 1, NULL, &global, &local, 0, NULL, NULL));
    }
    CHECK(clFinish(h.queue));
    for (int n = 0; n < 4; n++)
        CHECK(clEnqueueNDRangeKernel(loose, first, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK(clFinish(loose));
    static int out[1 << 18];
    CHECK(clEnqueueReadBuffer(h.queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    if (clEnqueueReadBuffer(h.queue, buffer, CL_TRUE, 1 << 20, 1, out, 0, NULL, NULL) != CL_INVALID_VALUE)
        FAIL("a read behind the buffer's end");
    CHECK(clReleaseKernel(first));
    CHECK(clReleaseKernel(second));
    CHECK(clReleaseMemObject(buffer));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(loose));
    host_close(&h);
    return 0;
}
