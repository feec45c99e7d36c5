/* Commands on buffers: read, write, copy, fill, the rectangular forms, map and unmap; effects and errors. */
#include "check.h"

enum { SIZE = 4096 };
static unsigned char host[SIZE], back[SIZE], want[SIZE];
static cl_mem buffer, other, foreign;

static void reset(void)
{
    for (int i = 0; i < SIZE; i++)
        host[i] = (unsigned char)(i * 7 + i / 256);
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, SIZE, host, 0, NULL, NULL));
}

static void compare(cl_mem memory, const char *what)
{
    OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, SIZE, back, 0, NULL, NULL));
    checks++;
    for (int i = 0; i < SIZE; i++)
        if (back[i] != want[i]) {
            failures++;
            printf("%s: byte %d is %d, not %d\n", what, i, back[i], want[i]);
            return;
        }
}

static void linear(void)
{
    reset();
    memcpy(want, host, SIZE);
    compare(buffer, "write");
    OK(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, SIZE, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, buffer, other, 10, 2000, 77, 0, NULL, NULL));
    memcpy(want + 2000, host + 10, 77);
    compare(other, "copy");
    reset();
    OK(clEnqueueCopyBuffer(queue, buffer, buffer, 0, 2048, 2048, 0, NULL, NULL));
    memcpy(want, host, SIZE);
    memcpy(want + 2048, host, 2048);
    compare(buffer, "copy in one buffer");

    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, SIZE, 0, back, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, buffer, CL_TRUE, SIZE, 1, back, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 1, SIZE_MAX, back, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, SIZE, NULL, 0, NULL, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueReadBuffer(queue, foreign, CL_TRUE, 0, 4, back, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, SIZE + 1, host, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, SIZE, NULL, 0, NULL, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueWriteBuffer(queue, foreign, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    IS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, buffer, buffer, 0, 100, 101, 0, NULL, NULL));
    IS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, buffer, buffer, 100, 0, 101, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueCopyBuffer(queue, buffer, other, 1, 0, SIZE, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueCopyBuffer(queue, buffer, other, 0, 1, SIZE, 0, NULL, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueCopyBuffer(queue, buffer, foreign, 0, 0, 4, 0, NULL, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueCopyBuffer(queue, foreign, buffer, 0, 0, 4, 0, NULL, NULL));

    cl_buffer_region low = {0, 512}, high = {256, 512};
    cl_mem a = MAKES(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, &err));
    cl_mem b = MAKES(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, &err));
    IS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, a, b, 200, 0, 100, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, a, b, 0, 0, 256, 0, NULL, NULL));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
}

static void fills(void)
{
    unsigned char pattern[256];
    for (int i = 0; i < 256; i++)
        pattern[i] = (unsigned char)(i + 1);
    for (size_t size = 1; size <= 128; size *= 2) {
        reset();
        memcpy(want, host, SIZE);
        for (size_t i = 0; i < 1024; i++)
            want[256 + i] = pattern[i % size];
        OK(clEnqueueFillBuffer(queue, buffer, pattern, size, 256, 1024, 0, NULL, NULL));
        compare(buffer, "fill");
    }
    OK(clEnqueueFillBuffer(queue, buffer, pattern, 4, 0, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, NULL, 4, 0, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, pattern, 0, 0, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, pattern, 3, 0, 3, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, pattern, 256, 0, 256, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, pattern, 4, 2, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, pattern, 4, 0, 6, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, pattern, 4, SIZE, 4, 0, NULL, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueFillBuffer(queue, foreign, pattern, 4, 0, 4, 0, NULL, NULL));
}

#define READ_RECT(bo, ho, r, br, bs, hr, hs, p) \
    clEnqueueReadBufferRect(queue, buffer, CL_TRUE, bo, ho, r, br, bs, hr, hs, p, 0, NULL, NULL)
#define WRITE_RECT(bo, ho, r, br, bs, hr, hs, p) \
    clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, bo, ho, r, br, bs, hr, hs, p, 0, NULL, NULL)
#define COPY_RECT(s, d, so, dof, r, sr, ss, dr, ds) \
    clEnqueueCopyBufferRect(queue, s, d, so, dof, r, sr, ss, dr, ds, 0, NULL, NULL)

static void rectangles(void)
{
    size_t at[3] = {3, 2, 1}, to[3] = {5, 1, 2}, zero[3] = {0}, region[3] = {6, 4, 3}, flat[3] = {6, 0, 3};
    size_t far_away[3] = {0, 0, 60}, huge[3] = {SIZE_MAX, 2, 2};
    static unsigned char room[SIZE];
    reset();
    OK(READ_RECT(at, to, region, 16, 128, 32, 256, room));
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 6; x++)
                TRUE_(room[(z + 2) * 256 + (y + 1) * 32 + x + 5] == host[(z + 1) * 128 + (y + 2) * 16 + x + 3]);
    memcpy(want, host, SIZE);
    OK(WRITE_RECT(at, zero, region, 16, 128, 0, 0, host + 100));
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 6; x++)
                want[(z + 1) * 128 + (y + 2) * 16 + x + 3] = host[100 + z * 24 + y * 6 + x];
    compare(buffer, "write a rectangle");
    reset();
    memset(want, 0, SIZE);
    OK(clEnqueueFillBuffer(queue, other, "", 1, 0, SIZE, 0, NULL, NULL));
    OK(COPY_RECT(buffer, other, at, to, region, 16, 128, 32, 256));
    for (int z = 0; z < 3; z++)
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 6; x++)
                want[(z + 2) * 256 + (y + 1) * 32 + x + 5] = host[(z + 1) * 128 + (y + 2) * 16 + x + 3];
    compare(other, "copy a rectangle");

    IS(CL_INVALID_VALUE, READ_RECT(NULL, zero, region, 0, 0, 0, 0, room));
    IS(CL_INVALID_VALUE, READ_RECT(zero, NULL, region, 0, 0, 0, 0, room));
    IS(CL_INVALID_VALUE, READ_RECT(zero, zero, NULL, 0, 0, 0, 0, room));
    IS(CL_INVALID_VALUE, READ_RECT(zero, zero, flat, 0, 0, 0, 0, room));
    IS(CL_INVALID_VALUE, READ_RECT(zero, zero, region, 0, 0, 0, 0, NULL));
    IS(CL_INVALID_VALUE, READ_RECT(far_away, zero, region, 16, 128, 0, 0, room));
    IS(CL_INVALID_VALUE, READ_RECT(huge, zero, region, 16, 128, 0, 0, room));
    IS(CL_INVALID_VALUE, READ_RECT(zero, zero, region, 5, 0, 0, 0, room));
    IS(CL_INVALID_VALUE, READ_RECT(zero, zero, region, 8, 31, 0, 0, room));
    IS(CL_INVALID_VALUE, READ_RECT(zero, zero, region, 8, 36, 0, 0, room));
    IS(CL_INVALID_VALUE, READ_RECT(zero, zero, region, 0, 0, 5, 0, room));
    IS(CL_INVALID_VALUE, READ_RECT(zero, zero, region, 0, 0, 8, 36, room));
    IS(CL_INVALID_VALUE, WRITE_RECT(zero, zero, region, 0, 0, 8, 31, room));
    IS(CL_INVALID_VALUE, WRITE_RECT(far_away, zero, region, 16, 128, 0, 0, room));
    IS(CL_INVALID_VALUE, WRITE_RECT(zero, zero, region, 0, 0, 0, 0, NULL));
    IS(CL_INVALID_CONTEXT, COPY_RECT(buffer, foreign, zero, zero, region, 0, 0, 0, 0));
    IS(CL_INVALID_CONTEXT, COPY_RECT(foreign, buffer, zero, zero, region, 0, 0, 0, 0));
    IS(CL_INVALID_VALUE, COPY_RECT(buffer, buffer, zero, far_away, region, 16, 64, 32, 128));
    IS(CL_INVALID_VALUE, COPY_RECT(buffer, other, far_away, zero, region, 16, 128, 0, 0));
    IS(CL_INVALID_VALUE, COPY_RECT(buffer, other, zero, far_away, region, 0, 0, 16, 128));
    IS(CL_INVALID_VALUE, COPY_RECT(buffer, other, zero, zero, flat, 0, 0, 0, 0));
    IS(CL_INVALID_VALUE, COPY_RECT(buffer, other, NULL, zero, region, 0, 0, 0, 0));
    size_t aside[3] = {8, 0, 0}, near[3] = {4, 0, 0};
    OK(COPY_RECT(buffer, buffer, zero, aside, region, 16, 128, 16, 128));
    IS(CL_MEM_COPY_OVERLAP, COPY_RECT(buffer, buffer, zero, near, region, 16, 128, 16, 128));
}

static void access_of_the_host(void)
{
    static const struct {
        cl_mem_flags flags;
        int read, write;
    } cases[] = {{CL_MEM_HOST_WRITE_ONLY, 0, 1}, {CL_MEM_HOST_READ_ONLY, 1, 0}, {CL_MEM_HOST_NO_ACCESS, 0, 0}};
    size_t zero[3] = {0}, one[3] = {1, 1, 1};
    for (size_t i = 0; i < 3; i++) {
        cl_mem m = MAKES(clCreateBuffer(context, cases[i].flags, 64, NULL, &err));
        cl_int read = cases[i].read ? CL_SUCCESS : CL_INVALID_OPERATION;
        cl_int write = cases[i].write ? CL_SUCCESS : CL_INVALID_OPERATION;
        IS(read, clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, back, 0, NULL, NULL));
        IS(read, clEnqueueReadBufferRect(queue, m, CL_TRUE, zero, zero, one, 0, 0, 0, 0, back, 0, NULL, NULL));
        IS(write, clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, 4, back, 0, NULL, NULL));
        IS(write, clEnqueueWriteBufferRect(queue, m, CL_TRUE, zero, zero, one, 0, 0, 0, 0, back, 0, NULL, NULL));
        cl_map_flags kinds[] = {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_WRITE_INVALIDATE_REGION, CL_MAP_READ | CL_MAP_WRITE};
        cl_int codes[] = {read, write, write, read ? read : write};
        for (int k = 0; k < 4; k++) {
            void *p = clEnqueueMapBuffer(queue, m, CL_TRUE, kinds[k], 0, 4, 0, NULL, NULL, &err);
            IS(codes[k], err);
            if (p)
                OK(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
        }
        OK(clReleaseMemObject(m));
    }
}

static cl_uint map_count(void)
{
    cl_uint count = 99;
    OK(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    return count;
}

static void maps(void)
{
    reset();
    memcpy(want, host, SIZE);
    unsigned char *p = MAKES(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 100, 50, 0, NULL, NULL, &err));
    TRUE_(map_count() == 1 && !memcmp(p, host + 100, 50));
    memset(p, 3, 50);
    memset(want + 100, 3, 50);
    unsigned char *q = MAKES(clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, SIZE, 0, NULL, NULL, &err));
    TRUE_(map_count() == 2 && q[100] == 3);
    REFUSES(CL_INVALID_OPERATION, clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 149, 4, 0, NULL, NULL, &err));
    TRUE_(map_count() == 2);
    IS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, p + 1, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, NULL, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, buffer, q, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, buffer, p, 0, NULL, NULL));
    OK(clFinish(queue));
    TRUE_(map_count() == 0);
    IS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, p, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, other, p, 0, NULL, NULL));
    compare(buffer, "map");
    REFUSES(CL_INVALID_VALUE, clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 0, 0, NULL, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 1, SIZE, 0, NULL, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clEnqueueMapBuffer(queue, buffer, CL_TRUE, 1 << 9, 0, 4, 0, NULL, NULL, &err));
    REFUSES(CL_INVALID_VALUE,
            clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4, 0, NULL, NULL,
                               &err));
    REFUSES(CL_INVALID_CONTEXT, clEnqueueMapBuffer(queue, foreign, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &err));
}

static void migration(void)
{
    cl_mem both[] = {buffer, other}, mixed[] = {buffer, foreign};
    OK(clEnqueueMigrateMemObjects(queue, 2, both, 0, 0, NULL, NULL));
    OK(clEnqueueMigrateMemObjects(queue, 2, both, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 0, both, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 2, NULL, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 2, both, 1 << 5, 0, NULL, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueMigrateMemObjects(queue, 2, mixed, 0, 0, NULL, NULL));
}

int main(void)
{
    set_up();
    cl_context elsewhere = MAKES(clCreateContext(NULL, 1, &device, NULL, NULL, &err));
    buffer = MAKES(clCreateBuffer(context, 0, SIZE, NULL, &err));
    other = MAKES(clCreateBuffer(context, 0, SIZE, NULL, &err));
    foreign = MAKES(clCreateBuffer(elsewhere, 0, SIZE, NULL, &err));
    linear();
    fills();
    rectangles();
    access_of_the_host();
    maps();
    migration();
    OK(clReleaseMemObject(foreign));
    OK(clReleaseMemObject(other));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseContext(elsewhere));
    tear_down();
    return done();
}
