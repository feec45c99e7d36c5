/* A kernel for debuggers: `debugged.gdb` stops in it and looks around. It is built with -g -cl-opt-disable, and gives the
 * same with a debugger as without. */
#include "host.h"

static const char *SOURCE =
    "typedef struct { int x; float4 v; } pair;\n"
    "int twice(int n) {\n"
    "    int result = n * 2;\n"
    "    return result;\n"
    "}\n"
    "float shift(float value) {\n"
    "    float by = get_local_id(0);\n"
    "    return value + by;\n"
    "}\n"
    "kernel void steps(global float *out, const int scale) {\n"
    "    local float sums[4];\n"
    "    size_t at = get_global_id(0);\n"
    "    pair p;\n"
    "    p.x = twice((int)at + scale);\n"
    "    p.v = (float4)(1.0f, 2.0f, 3.0f, at);\n"
    "    for (int i = 0; i < 2; i++) {\n"
    "        float sum = p.v.w + i;\n"
    "        sums[get_local_id(0)] = sum;\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    int i = 7;\n"
    "    float last = shift(sums[3 - get_local_id(0)]);\n"
    "    out[at] = last + p.x + i;\n"
    "}\n";

enum { ITEMS = 8, GROUP = 4, SCALE = 100, OFFSET = 2 };

int main(void)
{
    struct host h = host_open("");
    cl_program program = host_build(&h, SOURCE, "-g -cl-opt-disable");
    cl_kernel kernel = host_kernel(program, "steps");
    float out[OFFSET + ITEMS];
    cl_int scale = SCALE;
    cl_mem buffer = host_buffer(&h, CL_MEM_READ_WRITE, sizeof out, NULL);
    CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    CHECK(clSetKernelArg(kernel, 1, sizeof scale, &scale));
    size_t offset = OFFSET, global = ITEMS, local = GROUP;
    CHECK(clEnqueueNDRangeKernel(h.queue, kernel, 1, &offset, &global, &local, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(h.queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int n = 0; n < ITEMS; n++) {
        int lid = n % GROUP, at = n + OFFSET, other = at - lid + 3 - lid;
        float expected = (float)(other + 1 + lid + 2 * (at + SCALE) + 7);
        if (out[at] != expected)
            FAIL("item %d gave %f instead of %f", n, out[at], expected);
    }
    CHECK(clReleaseMemObject(buffer));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    host_close(&h);
    printf("the kernel's results are right\n");
    return 0;
}
