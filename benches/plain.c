/* Plain C with OpenMP: what the machine gives a simple program. Built with -O3 -march=native -fopenmp; host.h's OpenCL
 * is not used here. */
#include "bench.h"
#include <omp.h>

#define PARALLEL _Pragma("omp parallel for schedule(static)")

/* Times `body` as `bench_repeat` does. */
struct arrays {
    float *a, *b, *c;
    int n;
};

/* Three arrays of `count` floats on large pages, where the system has them; each thread touches its part first. */
static struct arrays floats(size_t count, int n)
{
    struct arrays all = {.n = n};
    float **each[] = {&all.a, &all.b, &all.c};
    for (int k = 0; k < 3; k++) {
        float *values = aligned_alloc(2 << 20, (count * sizeof *values + (2 << 20) - 1) & ~(size_t)((2 << 20) - 1));
        if (!values)
            FAIL("out of memory");
        PARALLEL
        for (size_t i = 0; i < count; i++)
            values[i] = 1 + (float)(i & 255) / 256;
        *each[k] = values;
    }
    return all;
}

static void saxpy(void *data)
{
    struct arrays *all = data;
    float *restrict y = all->a, *restrict x = all->b;
    PARALLEL
    for (size_t i = 0; i < STREAM; i++)
        y[i] = 0.001f * x[i] + y[i];
}

void plain_saxpy(struct work *w)
{
    struct arrays all = floats(STREAM, 0);
    w->bytes = 12.0 * STREAM;
    w->ms = bench_repeat(saxpy, &all);
}

static void triad(void *data)
{
    struct arrays *all = data;
    float *restrict a = all->a, *restrict b = all->b, *restrict c = all->c;
    PARALLEL
    for (size_t i = 0; i < STREAM; i++)
        a[i] = b[i] + 0.5f * c[i];
}

void plain_triad(struct work *w)
{
    struct arrays all = floats(STREAM, 0);
    w->bytes = 12.0 * STREAM;
    w->ms = bench_repeat(triad, &all);
}

typedef float wide __attribute__((vector_size(64), aligned(64)));

#ifdef __AVX512F__
#include <immintrin.h>
#define STREAM_STORE(to, value) _mm512_stream_ps((float *)(to), (__m512)(value))
#else
#define STREAM_STORE(to, value) (*(to) = (value))
#endif

static void triad_streaming(void *data)
{
    struct arrays *all = data;
    wide *restrict a = (wide *)all->a, *restrict b = (wide *)all->b, *restrict c = (wide *)all->c;
    PARALLEL
    for (size_t i = 0; i < STREAM / 16; i++)
        STREAM_STORE(a + i, b[i] + 0.5f * c[i]);
}

static void machine_triad_streaming(struct work *w)
{
    struct arrays all = floats(STREAM, 0);
    w->bytes = 12.0 * STREAM;
    w->ms = bench_repeat(triad_streaming, &all);
}

/* Sums of products that depend on themselves only, enough of them to fill the pipelines. They begin with different
 * values: a compiler makes one chain of several that are alike. */
enum { CHAINS = 12, STEPS = 4 << 20 };

static void multiply_add(void *data)
{
    float *sink = data;
#pragma omp parallel
    {
        wide sums[CHAINS] = {0}, factor = sums[0] + 0.999f, term = sums[0] + 0.001f;
        for (int c = 0; c < CHAINS; c++)
            sums[c] += (float)c;
        for (int s = 0; s < STEPS; s++)
            for (int c = 0; c < CHAINS; c++)
                sums[c] = sums[c] * factor + term;
        for (int c = 1; c < CHAINS; c++)
            sums[0] += sums[c];
        sink[omp_get_thread_num() % 64] = sums[0][3];
    }
}

static void machine_fma(struct work *w)
{
    float sink[64];
    w->flops = 2.0 * 16 * CHAINS * STEPS * omp_get_max_threads();
    w->ms = bench_repeat(multiply_add, sink);
}

static void saxpy_half(void *data)
{
    struct arrays *all = data;
    _Float16 *restrict y = (_Float16 *)all->a, *restrict x = (_Float16 *)all->b;
    PARALLEL
    for (size_t i = 0; i < STREAM; i++)
        y[i] = (_Float16)(0.001f * (float)x[i] + (float)y[i]);
}

void plain_saxpy_half(struct work *w)
{
    struct arrays all = floats(STREAM / 2, 0);
    _Float16 *x = (_Float16 *)all.a, *y = (_Float16 *)all.b;
    for (size_t i = 0; i < STREAM; i++)
        x[i] = 1, y[i] = 0;
    w->bytes = 6.0 * STREAM;
    w->ms = bench_repeat(saxpy_half, &all);
}

static void reduce(void *data)
{
    struct arrays *all = data;
    const uint32_t *in = (uint32_t *)all->a;
    uint32_t total = 0;
#pragma omp parallel for schedule(static) reduction(+ : total)
    for (size_t i = 0; i < STREAM; i++)
        total += in[i];
    all->c[0] = (float)total;
}

void plain_reduce(struct work *w)
{
    struct arrays all = floats(STREAM, 0);
    w->bytes = 4.0 * STREAM;
    w->ms = bench_repeat(reduce, &all);
}

static void transpose(void *data)
{
    struct arrays *all = data;
    size_t n = (size_t)all->n;
    float *restrict out = all->a, *restrict in = all->b;
    PARALLEL
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++)
            out[x * n + y] = in[y * n + x];
}

static void transpose_tiled(void *data)
{
    struct arrays *all = data;
    size_t n = (size_t)all->n;
    float *restrict out = all->a, *restrict in = all->b;
    PARALLEL
    for (size_t y = 0; y < n; y += 16)
        for (size_t x = 0; x < n; x += 16)
            for (size_t i = 0; i < 16; i++)
                for (size_t j = 0; j < 16; j++)
                    out[(x + i) * n + y + j] = in[(y + j) * n + x + i];
}

static void stencil(void *data)
{
    struct arrays *all = data;
    size_t n = (size_t)all->n;
    float *restrict out = all->a, *restrict in = all->b;
    PARALLEL
    for (size_t y = 1; y < n - 1; y++)
        for (size_t x = 1; x < n - 1; x++) {
            size_t at = y * n + x;
            out[at] = 0.2f * (in[at] + in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
        }
}

/* Squares of SIDE. */
static void square(struct work *w, void (*body)(void *data))
{
    struct arrays all = floats((size_t)SIDE * SIDE, SIDE);
    w->bytes = 8.0 * SIDE * SIDE;
    w->ms = bench_repeat(body, &all);
}

void plain_transpose(struct work *w)
{
    square(w, transpose);
}

void plain_transpose_tiled(struct work *w)
{
    square(w, transpose_tiled);
}

void plain_stencil(struct work *w)
{
    square(w, stencil);
}

static void stencil3d(void *data)
{
    struct arrays *all = data;
    size_t n = (size_t)all->n, plane = n * n;
    float *restrict out = all->a, *restrict in = all->b;
    PARALLEL
    for (size_t z = 1; z < n - 1; z++)
        for (size_t y = 1; y < n - 1; y++)
            for (size_t x = 1; x < n - 1; x++) {
                size_t at = z * plane + y * n + x;
                out[at] = 0.4f * in[at] + 0.1f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n] + in[at - plane] +
                                                  in[at + plane]);
            }
}

void plain_stencil3d(struct work *w)
{
    struct arrays all = floats((size_t)SIDE_3D * SIDE_3D * SIDE_3D, SIDE_3D);
    w->bytes = 8.0 * SIDE_3D * SIDE_3D * SIDE_3D;
    w->ms = bench_repeat(stencil3d, &all);
}

static void convolve(void *data)
{
    struct arrays *all = data;
    size_t n = (size_t)all->n;
    float *restrict out = all->a, *restrict in = all->b, *restrict weights = all->c;
    PARALLEL
    for (size_t y = 2; y < n - 2; y++)
        for (size_t x = 2; x < n - 2; x++) {
            float total = 0;
            for (size_t j = 0; j < 5; j++)
                for (size_t i = 0; i < 5; i++)
                    total += weights[5 * j + i] * in[(y + j - 2) * n + x + i - 2];
            out[y * n + x] = total;
        }
}

void plain_convolve(struct work *w)
{
    struct arrays all = floats((size_t)CONVOLVE_SIDE * CONVOLVE_SIDE, CONVOLVE_SIDE);
    w->flops = 50.0 * CONVOLVE_SIDE * CONVOLVE_SIDE;
    w->ms = bench_repeat(convolve, &all);
}

static void life(void *data)
{
    struct arrays *all = data;
    size_t n = (size_t)all->n;
    uint8_t *restrict out = (uint8_t *)all->a, *restrict in = (uint8_t *)all->b;
    PARALLEL
    for (size_t y = 1; y < n - 1; y++)
        for (size_t x = 1; x < n - 1; x++) {
            const uint8_t *above = in + (y - 1) * n + x, *here = in + y * n + x, *below = in + (y + 1) * n + x;
            uint8_t count = (uint8_t)(above[-1] + above[0] + above[1] + here[-1] + here[1] + below[-1] + below[0] + below[1]);
            out[y * n + x] = count == 3 || (count == 2 && here[0]);
        }
}

void plain_life(struct work *w)
{
    struct arrays all = floats((size_t)LIFE_SIDE * LIFE_SIDE / 4, LIFE_SIDE);
    w->bytes = 2.0 * LIFE_SIDE * LIFE_SIDE;
    w->ms = bench_repeat(life, &all);
}

const struct bench_case machine_cases[] = {
    {"stream_triad", "16 Mi floats, plain stores", NULL, plain_triad, 0},
    {"stream_stores", "16 Mi floats, triad with streaming stores", NULL, machine_triad_streaming, 0},
    {"fma_peak", "multiply and add in registers, floats", NULL, machine_fma, 0},
    {NULL, NULL, NULL, NULL, 0},
};
