/* The benchmark's parts: cases that a child process runs on one platform, and the parent that compares platforms. */
#ifndef CLOTHO_BENCH_H
#define CLOTHO_BENCH_H

#include "../tests/host/host.h"
#include <math.h>
#include <stdint.h>

/* What a case sets up, in a child process that ends after it: nothing is freed. Buffers and values become the
 * arguments of the kernel that was loaded last, in turn. */
struct work {
    struct host h;
    const char *kernels; /* folder of the sources */
    cl_program program;
    const char *file; /* that `program` was built from */
    cl_uint argument; /* index of the next one */
    struct step {
        cl_kernel kernel;
        cl_uint dim;
        size_t global[3], local[3];
    } step[8]; /* one run: these launches in turn, then clFinish */
    int steps;
    void (*enqueue)(struct work *w); /* instead of the launches as they stand, for arguments that change */
    double bytes, flops;             /* of one run, where that is a measure of its speed */
    double ms;                       /* the result: median of some runs */
    double started;                  /* host_seconds at the start of the process */
};

enum {
    NEEDS_DOUBLE = 1,
    NEEDS_COLLECTIVES = 2, /* work_group_reduce_add */
    NEEDS_SUBGROUPS = 4,
    SECOND_PROCESS = 8, /* run twice with the same cache folder and seed; the second time counts */
};

/* One measurement. `run` sets up, checks a result against plain C and measures; it ends the process when the result
 * is wrong. `plain` does the same work in plain C with OpenMP (null: there is none). A case with `plain` alone is a
 * measure of the machine. */
struct bench_case {
    const char *name, *what;
    void (*run)(struct work *w);
    void (*plain)(struct work *w);
    int flags;
};

/* Each list ends with a NULL name. */
extern const struct bench_case machine_cases[], stream_cases[], grid_cases[], matrix_cases[], search_cases[],
    compute_cases[], math_cases[], hash_cases[], image_cases[], overhead_cases[];

/* Sizes that a case shares with its plain C. */
enum { STREAM = 16 << 20, SIDE = 4096, SIDE_3D = 256, LIFE_SIDE = 4096, CONVOLVE_SIDE = 2048 };

/* Plain C with OpenMP, see plain.c. */
void plain_saxpy(struct work *w), plain_triad(struct work *w), plain_saxpy_half(struct work *w),
    plain_reduce(struct work *w), plain_transpose(struct work *w), plain_transpose_tiled(struct work *w),
    plain_stencil(struct work *w), plain_stencil3d(struct work *w), plain_convolve(struct work *w),
    plain_life(struct work *w);

/* Loads a kernel of `file` and begins a step with it. */
cl_kernel work_kernel(struct work *w, const char *file, const char *name);
/* A new buffer as the next argument: a copy of `data`, or zeros. */
cl_mem work_buffer(struct work *w, size_t size, const void *data);
void work_pass(struct work *w, cl_mem buffer);
void work_value(struct work *w, size_t size, const void *value);
void work_int(struct work *w, cl_int value);
void work_float(struct work *w, cl_float value);
void work_local(struct work *w, size_t size);
/* The size of the step's launch. */
void work_1d(struct work *w, size_t global, size_t local);
void work_2d(struct work *w, size_t x, size_t y, size_t lx, size_t ly);
void work_3d(struct work *w, size_t x, size_t y, size_t z, size_t lx, size_t ly, size_t lz);
/* One run, as `work_time` times it. */
void work_once(struct work *w);
/* Runs for some time, three times at least, and sets `ms`. */
void work_time(struct work *w);
/* A copy of the first `size` bytes. */
void *work_read(struct work *w, cl_mem buffer, size_t size);
/* Calls `body(data)` once to warm up and then for about a quarter of a second, three times at least; the median in ms. */
double bench_repeat(void (*body)(void *data), void *data);

void *bench_alloc(size_t size);
/* `count` floats between `low` and `high`, or any numbers, from a fixed generator. */
float *bench_random(size_t count, float low, float high);
uint32_t *bench_numbers(size_t count);

/* Ends the process if `found` and `wanted` differ by more than `tolerance` (relative to the larger of 1 and the
 * wanted value's size). */
static inline void bench_check(const char *name, double found, double wanted, double tolerance)
{
    double size = fabs(wanted) > 1 ? fabs(wanted) : 1;
    if (!(fabs(found - wanted) <= tolerance * size))
        FAIL("%s: wrong result %.9g, plain C says %.9g", name, found, wanted);
}

#endif
