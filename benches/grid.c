/* The cases of kernels/grid.cl; most are checked with the same text read as C. */
#include "bench.h"
#define AS_C "kernels/grid.cl"
#include "as_c.h"

static const char file[] = "grid.cl";

static void compare(const char *name, const float *found, const float *wanted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bench_check(name, found[i], wanted[i], 1e-5);
}

/* Squares of floats: `name` makes the second of the first. */
static void square(struct work *w, const char *name, size_t lx, size_t ly, void (*reference)(const float *, float *, int))
{
    size_t count = (size_t)SIDE * SIDE, size = count * sizeof(float);
    float *in = bench_random(count, -1, 1), *wanted = bench_alloc(size);
    work_kernel(w, file, name);
    work_buffer(w, size, in);
    cl_mem out = work_buffer(w, size, NULL);
    work_int(w, SIDE);
    work_2d(w, SIDE, SIDE, lx, ly);
    work_once(w);
    FOR_ITEMS(SIDE, SIDE, 1, reference(in, wanted, SIDE));
    compare(name, work_read(w, out, size), wanted, count);
    w->bytes = 2.0 * (double)size;
    work_time(w);
}

static void run_transpose_naive(struct work *w)
{
    square(w, "transpose_naive", 16, 16, transpose_naive);
}

static void run_transpose(struct work *w)
{
    square(w, "transpose", 16, 16, transpose_naive);
}

static void run_stencil(struct work *w)
{
    square(w, "stencil", 16, 16, stencil);
}

static void run_stencil3d(struct work *w)
{
    size_t count = (size_t)SIDE_3D * SIDE_3D * SIDE_3D, size = count * sizeof(float);
    float *in = bench_random(count, -1, 1), *wanted = bench_alloc(size);
    work_kernel(w, file, "stencil3d");
    work_buffer(w, size, in);
    cl_mem out = work_buffer(w, size, NULL);
    work_int(w, SIDE_3D);
    work_3d(w, SIDE_3D, SIDE_3D, SIDE_3D, 64, 4, 1);
    work_once(w);
    FOR_ITEMS(SIDE_3D, SIDE_3D, SIDE_3D, stencil3d(in, wanted, SIDE_3D));
    compare("stencil3d", work_read(w, out, size), wanted, count);
    w->bytes = 2.0 * (double)size;
    work_time(w);
}

static void run_convolve(struct work *w)
{
    size_t count = (size_t)CONVOLVE_SIDE * CONVOLVE_SIDE, size = count * sizeof(float);
    float *in = bench_random(count, -1, 1), *weights = bench_random(25, -1, 1), *wanted = bench_alloc(size);
    work_kernel(w, file, "convolve");
    work_buffer(w, size, in);
    cl_mem out = work_buffer(w, size, NULL);
    work_buffer(w, 25 * sizeof *weights, weights);
    work_int(w, CONVOLVE_SIDE);
    work_2d(w, CONVOLVE_SIDE, CONVOLVE_SIDE, 16, 16);
    work_once(w);
    FOR_ITEMS(CONVOLVE_SIDE, CONVOLVE_SIDE, 1, convolve(in, wanted, weights, CONVOLVE_SIDE));
    compare("convolve", work_read(w, out, size), wanted, count);
    w->flops = 50.0 * (double)count;
    work_time(w);
}

static void run_life(struct work *w)
{
    size_t count = (size_t)LIFE_SIDE * LIFE_SIDE;
    uint32_t *numbers = bench_numbers(count);
    uchar *in = bench_alloc(count), *wanted = bench_alloc(count);
    for (size_t i = 0; i < count; i++)
        in[i] = numbers[i] >> 10 & 1;
    work_kernel(w, file, "life");
    work_buffer(w, count, in);
    cl_mem out = work_buffer(w, count, NULL);
    work_int(w, LIFE_SIDE);
    work_2d(w, LIFE_SIDE, LIFE_SIDE, 64, 4);
    work_once(w);
    FOR_ITEMS(LIFE_SIDE, LIFE_SIDE, 1, life(in, wanted, LIFE_SIDE));
    if (memcmp(work_read(w, out, count), wanted, count))
        FAIL("life: wrong result");
    w->bytes = 2.0 * (double)count;
    work_time(w);
}

enum { NODES = 512 };

static void all_nodes(struct work *w)
{
    for (cl_int k = 0; k < NODES; k++) {
        CHECK(clSetKernelArg(w->step->kernel, 2, sizeof k, &k));
        CHECK(clEnqueueNDRangeKernel(w->h.queue, w->step->kernel, 2, NULL, w->step->global, w->step->local, 0, NULL, NULL));
    }
}

static void run_floyd(struct work *w)
{
    size_t count = (size_t)NODES * NODES, size = count * sizeof(int);
    int *distance = (int *)bench_numbers(count);
    for (size_t i = 0; i < count; i++)
        distance[i] = i / NODES == i % NODES ? 0 : distance[i] % 1000 + 1;
    work_kernel(w, file, "floyd");
    cl_mem out = work_buffer(w, size, distance);
    work_int(w, NODES);
    work_int(w, 0);
    work_2d(w, NODES, NODES, 16, 16);
    w->enqueue = all_nodes;
    work_once(w);
    for (int k = 0; k < NODES; k++)
        FOR_ITEMS(NODES, NODES, 1, floyd(distance, NODES, k));
    if (memcmp(work_read(w, out, size), distance, size))
        FAIL("floyd: wrong result");
    work_time(w);
}

const struct bench_case grid_cases[] = {
    {"transpose", "4096 x 4096 floats, 16x16 tiles with barriers", run_transpose, plain_transpose_tiled, 0},
    {"transpose_naive", "4096 x 4096 floats", run_transpose_naive, plain_transpose, 0},
    {"stencil", "4096 x 4096 floats, five points", run_stencil, plain_stencil, 0},
    {"stencil3d", "256^3 floats, seven points", run_stencil3d, plain_stencil3d, 0},
    {"convolve", "2048 x 2048 floats, 5 x 5 weights", run_convolve, plain_convolve, 0},
    {"life", "4096 x 4096 uchars, a step on a torus", run_life, plain_life, 0},
    {"floyd", "shortest paths of 512 nodes, 512 launches", run_floyd, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};
