/* Long launches of a kernel that keeps values across barriers, in groups of many sizes, until those with small groups run by
 * code for their size and after that: every launch leaves what it must. The test reads in the log which did. */
#include "host.h"

enum { ITEMS = 1 << 18, STEPS = 24 };

/* Long enough for code to be made. */
#define SECONDS 3.0

static const char *source =
    "kernel void turns(global uint *data, local uint *shared, uint bias)\n"
    "{\n"
    "    size_t row = get_local_size(0), i = get_local_id(1) * row + get_local_id(0), n = row * get_local_size(1);\n"
    "    size_t group = get_group_id(1) * get_num_groups(0) + get_group_id(0);\n"
    "    uint value = get_global_id(0) * 7 + get_global_id(1) * 3 + bias, other = 1;\n"
    "    for (int step = 0; step < 24; step++) {\n"
    "        shared[i] = value;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        uint next = shared[i + 1 < n ? i + 1 : 0];\n"
    "        if (next & 4)\n"
    "            other = other * 3 + next;\n"
    "        value = value * 5 + next;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    data[group * n + i] = value ^ other;\n"
    "}\n";

static struct host h;

/* A range: rows of items, and the groups they come in. */
struct range {
    size_t offset[2], global[2], local[2];
};

static unsigned expected[ITEMS], found[ITEMS];

static void compute(const struct range *r, unsigned bias)
{
    size_t n = r->local[0] * r->local[1], columns = r->global[0] / r->local[0], rows = r->global[1] / r->local[1];
    unsigned value[1024], other[1024], next[1024];
    for (size_t group = 0; group < columns * rows; group++) {
        for (size_t i = 0; i < n; i++) {
            size_t x = r->offset[0] + group % columns * r->local[0] + i % r->local[0];
            size_t y = r->offset[1] + group / columns * r->local[1] + i / r->local[0];
            value[i] = (unsigned)(x * 7 + y * 3 + bias);
            other[i] = 1;
        }
        for (int step = 0; step < STEPS; step++) {
            for (size_t i = 0; i < n; i++)
                next[i] = value[i + 1 < n ? i + 1 : 0];
            for (size_t i = 0; i < n; i++) {
                if (next[i] & 4)
                    other[i] = other[i] * 3 + next[i];
                value[i] = value[i] * 5 + next[i];
            }
        }
        for (size_t i = 0; i < n; i++)
            expected[group * n + i] = value[i] ^ other[i];
    }
}

int main(void)
{
    static const struct range ranges[] = {
        {{0, 0}, {4096, 64}, {64, 1}},
        {{1000, 3}, {1024, 256}, {8, 8}},
        {{0, 0}, {4096, 64}, {32, 2}},
        {{5, 0}, {2048, 128}, {256, 4}},
        {{0, 0}, {4080, 64}, {5, 4}},
        {{((size_t)1 << 31) - 64, 0}, {4096, 64}, {64, 1}},
        {{0, 9}, {4096, 64}, {16, 1}},
    };
    h = host_open("clotho");
    cl_program program = host_build(&h, source, "");
    cl_kernel kernel = host_kernel(program, "turns");
    cl_mem data = host_buffer(&h, CL_MEM_READ_WRITE, sizeof found, NULL);
    CHECK(clSetKernelArg(kernel, 0, sizeof data, &data));
    double end = host_seconds() + SECONDS;
    for (unsigned turn = 0; host_seconds() < end; turn++)
        for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
            const struct range *r = &ranges[i];
            unsigned bias = turn * 13;
            size_t items = r->global[0] * r->global[1];
            CHECK(clSetKernelArg(kernel, 1, r->local[0] * r->local[1] * sizeof(unsigned), NULL));
            CHECK(clSetKernelArg(kernel, 2, sizeof bias, &bias));
            CHECK(clEnqueueNDRangeKernel(h.queue, kernel, 2, r->offset, r->global, r->local, 0, NULL, NULL));
            compute(r, bias);
            CHECK(clEnqueueReadBuffer(h.queue, data, CL_TRUE, 0, items * sizeof *found, found, 0, NULL, NULL));
            for (size_t k = 0; k < items; k++)
                if (found[k] != expected[k])
                    FAIL("turn %u, range %zu: item %zu has %u, not %u", turn, i, k, found[k], expected[k]);
        }
    CHECK(clReleaseMemObject(data));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseProgram(program));
    host_close(&h);
    return 0;
}
