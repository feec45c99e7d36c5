/* 100,000 launches of mixed kernels and sizes, with buffers, events and now and then a whole program made and
 * released on the way: every result is right, and resident memory ends where it was after the warm-up. */
#include "host.h"
#include <unistd.h>

enum { LAUNCHES = 100000, WARM_UP = 10000, MOST_ITEMS = 16384, LIMIT_KIB = 10 * 1024 };

static const char source[] =
    "kernel void empty(void) {}\n"
    "kernel void rotate(global const uint *in, global uint *out, local uint *tmp) {\n"
    "    uint l = get_local_id(0), n = get_local_size(0), base = get_group_id(0) * n;\n"
    "    tmp[l] = in[base + l];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[base + l] = tmp[(l + 1) % n] + 1;\n"
    "}\n"
    "kernel void total(global uint *sum) {\n"
    "    local uint part;\n"
    "    if (get_local_id(0) == 0)\n"
    "        part = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    atomic_inc(&part);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0) == 0)\n"
    "        atomic_add(sum, part);\n"
    "}\n";

static unsigned state = 1;

static unsigned below(unsigned limit)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % limit;
}

static long resident_kib(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*s %ld", &pages) != 1)
        FAIL("/proc/self/statm can't be read");
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

struct kernels {
    cl_kernel empty, rotate, total;
};

static struct kernels make(struct host *h)
{
    cl_program program = host_build(h, source, "");
    struct kernels k = {host_kernel(program, "empty"), host_kernel(program, "rotate"), host_kernel(program, "total")};
    CHECK(clReleaseProgram(program));
    return k;
}

static void unmake(struct kernels *k)
{
    CHECK(clReleaseKernel(k->empty));
    CHECK(clReleaseKernel(k->rotate));
    CHECK(clReleaseKernel(k->total));
}

int main(void)
{
    static const size_t locals[] = {1, 2, 3, 7, 16, 33, 64, 128, 256};
    static cl_uint numbers[MOST_ITEMS], found[MOST_ITEMS];
    struct host h = host_open("");
    struct kernels k = make(&h);
    for (cl_uint i = 0; i < MOST_ITEMS; i++)
        numbers[i] = i * 2654435761u;
    cl_mem in = host_buffer(&h, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers);
    cl_uint zero = 0, counted = 0;
    cl_mem sum = host_buffer(&h, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zero, &zero);
    CHECK(clSetKernelArg(k.total, 0, sizeof sum, &sum));
    long start_kib = 0;

    for (int n = 0; n < LAUNCHES; n++) {
        if (n == WARM_UP) {
            CHECK(clFinish(h.queue));
            start_kib = resident_kib();
        }
        if (n % 5000 == 4999) {
            unmake(&k);
            k = make(&h);
            CHECK(clSetKernelArg(k.total, 0, sizeof sum, &sum));
        }
        size_t local = locals[below(sizeof locals / sizeof *locals)];
        size_t groups = 1 + below(n % 100 ? 8 : MOST_ITEMS / 256), global = local * groups;
        switch (below(4)) {
        case 0:
            CHECK(clEnqueueNDRangeKernel(h.queue, k.empty, 1, NULL, &global, n % 3 ? &local : NULL, 0, NULL, NULL));
            break;
        case 1:
        case 2: {
            cl_event event;
            CHECK(clEnqueueNDRangeKernel(h.queue, k.total, 1, NULL, &global, &local, 0, NULL, &event));
            counted += (cl_uint)global;
            if (n % 7 == 0)
                CHECK(clWaitForEvents(1, &event));
            CHECK(clReleaseEvent(event));
            break;
        }
        default: {
            cl_mem out = host_buffer(&h, CL_MEM_READ_WRITE, global * sizeof(cl_uint), NULL);
            cl_event event;
            CHECK(clSetKernelArg(k.rotate, 0, sizeof in, &in));
            CHECK(clSetKernelArg(k.rotate, 1, sizeof out, &out));
            CHECK(clSetKernelArg(k.rotate, 2, local * sizeof(cl_uint), NULL));
            CHECK(clEnqueueNDRangeKernel(h.queue, k.rotate, 1, NULL, &global, &local, 0, NULL, &event));
            CHECK(clEnqueueReadBuffer(h.queue, out, CL_TRUE, 0, global * sizeof(cl_uint), found, 1, &event, NULL));
            CHECK(clReleaseEvent(event));
            CHECK(clReleaseMemObject(out));
            for (size_t i = 0; i < global; i++)
                if (found[i] != numbers[i / local * local + (i % local + 1) % local] + 1)
                    FAIL("launch %d: element %zu of %zu in groups of %zu is %u", n, i, global, local, found[i]);
        }
        }
        if (n % 1000 == 999) {
            cl_uint so_far;
            CHECK(clEnqueueReadBuffer(h.queue, sum, CL_TRUE, 0, sizeof so_far, &so_far, 0, NULL, NULL));
            if (so_far != counted)
                FAIL("launch %d: counted %u work-items of %u", n, so_far, counted);
        }
    }
    CHECK(clFinish(h.queue));
    long grown_kib = resident_kib() - start_kib;
    printf("%d launches, resident memory grew by %ld KiB to %ld KiB\n", LAUNCHES, grown_kib, resident_kib());
    unmake(&k);
    CHECK(clReleaseMemObject(in));
    CHECK(clReleaseMemObject(sum));
    host_close(&h);
    if (grown_kib > LIMIT_KIB)
        FAIL("resident memory grew by more than %d KiB", LIMIT_KIB);
    return 0;
}
