/* Kernels that store or read columns, in launches of all shapes: groups are joined until they are as high as a tile, or not,
 * and everything must come out as the model has it. Offsets, sizes that are no multiples, one to three dimensions, parts of
 * buffers that begin anywhere, command buffers. The test reads in the log that groups were joined in y. */
#include "host.h"
#include <CL/cl_ext.h>

static const char *source =
    "kernel void writes(global const T *in, global T *out, int w, int h) {\n"
    "    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    out[(z * w + x) * h + y] = in[(z * h + y) * w + x];\n"
    "}\n"
    "kernel void reads(global const T *in, global T *out, int w, int h) {\n"
    "    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    out[(z * h + y) * w + x] = in[(z * w + x) * h + y];\n"
    "}\n"
    "kernel void bounded(global const T *in, global T *out, uint w, uint h) {\n"
    "    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
    "    if (x < w - 3 && y < h - 5)\n"
    "        out[(z * w + x) * h + y] = in[(z * h + y) * w + x];\n"
    "}\n"
    "kernel void by_groups(global const T *in, global T *out, int w, int h) {\n"
    "    int x = get_group_id(0) * get_enqueued_local_size(0) + get_local_id(0) + get_global_offset(0);\n"
    "    int y = get_group_id(1) * get_enqueued_local_size(1) + get_local_id(1) + get_global_offset(1);\n"
    "    int z = get_global_id(2);\n"
    "    out[(z * w + x) * h + y] = in[(z * h + y) * w + x];\n"
    "}\n";

static const char *names[] = {"writes", "reads", "bounded", "by_groups"};

static unsigned long long state = 1;

static size_t upto(size_t n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return 1 + (state >> 33) % n;
}

struct launch {
    cl_uint dimensions;
    size_t offset[3], global[3], local[3];
    int null_local;
};

static struct launch any_launch(void)
{
    static const size_t locals[][3] = {{16, 16, 1}, {32, 8, 1}, {64, 1, 1}, {8, 8, 1}, {1, 32, 1}, {5, 3, 2}, {32, 32, 1}, {256, 1, 1}};
    struct launch l = {.dimensions = upto(3), .global = {1, 1, 1}};
    const size_t *local = locals[upto(8) - 1];
    for (cl_uint d = 0; d < l.dimensions; d++) {
        l.local[d] = local[d];
        if (d == 2) {
            l.global[d] = upto(3);
            continue;
        }
        l.global[d] = upto(200) + 5;
        if (upto(2) == 1)
            l.global[d] = (l.global[d] + 15) / 16 * 16;
        if (upto(2) == 1)
            l.offset[d] = upto(20);
    }
    l.null_local = upto(4) == 1;
    return l;
}

static void expect(unsigned kernel, const unsigned char *in, unsigned char *out, size_t bytes, const struct launch *l, size_t w, size_t h)
{
    for (size_t z = 0; z < l->global[2]; z++)
        for (size_t y = l->offset[1]; y < l->offset[1] + l->global[1]; y++)
            for (size_t x = l->offset[0]; x < l->offset[0] + l->global[0]; x++) {
                size_t column = ((z * w + x) * h + y) * bytes, row = ((z * h + y) * w + x) * bytes;
                if (kernel == 2 && (x >= w - 3 || y >= h - 5))
                    continue;
                if (kernel == 1)
                    memcpy(out + row, in + column, bytes);
                else
                    memcpy(out + column, in + row, bytes);
            }
}

static void run(struct host *h, cl_kernel kernel, const struct launch *l, int recorded)
{
    const size_t *local = l->null_local ? NULL : l->local;
    if (!recorded) {
        CHECK(clEnqueueNDRangeKernel(h->queue, kernel, l->dimensions, l->offset, l->global, local, 0, NULL, NULL));
        return;
    }
#define GET(name) name##_fn name = (name##_fn)clGetExtensionFunctionAddressForPlatform(h->platform, #name)
    GET(clCreateCommandBufferKHR);
    GET(clCommandNDRangeKernelKHR);
    GET(clFinalizeCommandBufferKHR);
    GET(clEnqueueCommandBufferKHR);
    GET(clReleaseCommandBufferKHR);
    cl_int err;
    cl_command_buffer_khr list = clCreateCommandBufferKHR(1, &h->queue, NULL, &err);
    CHECK(err);
    CHECK(clCommandNDRangeKernelKHR(list, NULL, NULL, kernel, l->dimensions, l->offset, l->global, local, 0, NULL, NULL, NULL));
    CHECK(clFinalizeCommandBufferKHR(list));
    CHECK(clEnqueueCommandBufferKHR(0, NULL, list, 0, NULL, NULL));
    CHECK(clFinish(h->queue));
    CHECK(clReleaseCommandBufferKHR(list));
}

int main(void)
{
    static const char *types[] = {"uchar", "ushort", "float", "ulong", "float4"};
    static const size_t sizes[] = {1, 2, 4, 8, 16};
    enum { MOST = 240 * 240 * 3 * 16 };
    static unsigned char in[MOST], out[MOST], wanted[MOST];
    struct host h = host_open("clotho");
    for (size_t i = 0; i < MOST; i++)
        in[i] = upto(256);
    for (int t = 0; t < 5; t++) {
        char options[64];
        snprintf(options, sizeof options, "-cl-std=CL3.0 -DT=%s", types[t]);
        cl_int err;
        cl_program program = clCreateProgramWithSource(h.context, 1, &source, NULL, &err);
        CHECK(err);
        CHECK(clBuildProgram(program, 1, &h.device, options, NULL, NULL));
        for (unsigned n = 0; n < 160; n++) {
            unsigned k = n % 4;
            struct launch l = any_launch();
            cl_int w = l.offset[0] + l.global[0] + upto(3) - 1, high = l.offset[1] + l.global[1] + upto(3) - 1;
            size_t bytes = (size_t)w * high * l.global[2] * sizes[t];
            cl_kernel kernel = clCreateKernel(program, names[k], &err);
            CHECK(err);
            memset(out, 0xcd, bytes);
            memset(wanted, 0xcd, bytes);
            /* A sub-buffer's origin is a multiple of the device's alignment. */
            size_t origin = 128 * (upto(3) - 1);
            cl_mem whole[2], part[2];
            for (int i = 0; i < 2; i++) {
                whole[i] = clCreateBuffer(h.context, 0, bytes + origin, NULL, &err);
                CHECK(err);
                cl_buffer_region region = {origin, bytes};
                part[i] = clCreateSubBuffer(whole[i], 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
                CHECK(err);
                CHECK(clEnqueueWriteBuffer(h.queue, part[i], CL_TRUE, 0, bytes, i ? out : in, 0, NULL, NULL));
                CHECK(clSetKernelArg(kernel, i, sizeof part[i], &part[i]));
            }
            CHECK(clSetKernelArg(kernel, 2, sizeof w, &w));
            CHECK(clSetKernelArg(kernel, 3, sizeof high, &high));
            expect(k, in, wanted, sizes[t], &l, w, high);
            run(&h, kernel, &l, upto(4) == 1);
            CHECK(clEnqueueReadBuffer(h.queue, part[1], CL_TRUE, 0, bytes, out, 0, NULL, NULL));
            if (memcmp(out, wanted, bytes))
                FAIL("%s of %s: global %zu,%zu,%zu local %zu,%zu,%zu (%d) offset %zu,%zu", names[k], types[t], l.global[0],
                     l.global[1], l.global[2], l.local[0], l.local[1], l.local[2], l.null_local, l.offset[0], l.offset[1]);
            for (int i = 0; i < 2; i++) {
                CHECK(clReleaseMemObject(part[i]));
                CHECK(clReleaseMemObject(whole[i]));
            }
            CHECK(clReleaseKernel(kernel));
        }
        CHECK(clReleaseProgram(program));
    }
    return 0;
}
