/* The cases of kernels/matrix.cl. */
#include "bench.h"
#include <complex.h>

static const char file[] = "matrix.cl";

/* Product of two squares of n; each work-item makes `block` x `block` numbers. */
static void product(struct work *w, const char *kernel, size_t n, size_t block)
{
    size_t count = n * n, size = count * sizeof(float);
    float *a = bench_random(count, -1, 1), *b = bench_random(count, -1, 1);
    work_kernel(w, file, kernel);
    work_buffer(w, size, a);
    work_buffer(w, size, b);
    cl_mem out = work_buffer(w, size, NULL);
    work_int(w, (cl_int)n);
    work_2d(w, n / block, n / block, 16, 16);
    work_once(w);
    float *c = work_read(w, out, size);
    /* Every 37th row: all of them would take plain C seconds. */
    for (size_t y = 0; y < n; y += 37)
        for (size_t x = 0; x < n; x++) {
            double wanted = 0;
            for (size_t k = 0; k < n; k++)
                wanted += (double)a[y * n + k] * b[k * n + x];
            bench_check(kernel, c[y * n + x], wanted, 1e-3);
        }
    w->flops = 2.0 * (double)n * (double)count;
    work_time(w);
}

static void sgemm_naive(struct work *w)
{
    product(w, "sgemm_naive", 512, 1);
}

static void sgemm(struct work *w)
{
    product(w, "sgemm", 1024, 1);
}

static void sgemm_float4(struct work *w)
{
    product(w, "sgemm_float4", 1024, 4);
}

static void dgemm_naive(struct work *w)
{
    enum { N = 512 };
    size_t count = (size_t)N * N, size = count * sizeof(double);
    double *a = bench_alloc(size), *b = bench_alloc(size);
    float *numbers = bench_random(2 * count, -1, 1);
    for (size_t i = 0; i < count; i++)
        a[i] = numbers[i], b[i] = numbers[count + i];
    work_kernel(w, file, "dgemm_naive");
    work_buffer(w, size, a);
    work_buffer(w, size, b);
    cl_mem out = work_buffer(w, size, NULL);
    work_int(w, N);
    work_2d(w, N, N, 16, 16);
    work_once(w);
    double *c = work_read(w, out, size);
    for (size_t y = 0; y < N; y += 19)
        for (size_t x = 0; x < N; x++) {
            double wanted = 0;
            for (size_t k = 0; k < N; k++)
                wanted += a[y * N + k] * b[k * N + x];
            bench_check("dgemm_naive", c[y * N + x], wanted, 1e-12);
        }
    w->flops = 2.0 * N * (double)count;
    work_time(w);
}

static void spmv(struct work *w)
{
    enum { ROWS = 128 << 10, MEAN = 32 };
    cl_int *starts = bench_alloc((ROWS + 1) * sizeof *starts), total = 0;
    uint32_t *lengths = bench_numbers(ROWS);
    for (size_t row = 0; row < ROWS; row++) {
        starts[row] = total;
        total += MEAN / 4 + (cl_int)(lengths[row] >> 4) % (3 * MEAN / 2);
    }
    starts[ROWS] = total;
    size_t entries = (size_t)total;
    cl_int *columns = (cl_int *)bench_numbers(entries);
    float *values = bench_random(entries, -1, 1), *x = bench_random(ROWS, -1, 1);
    for (size_t k = 0; k < entries; k++)
        columns[k] = (columns[k] >> 5) % ROWS;
    work_kernel(w, file, "spmv");
    work_buffer(w, (ROWS + 1) * sizeof *starts, starts);
    work_buffer(w, entries * sizeof *columns, columns);
    work_buffer(w, entries * sizeof *values, values);
    work_buffer(w, ROWS * sizeof *x, x);
    cl_mem out = work_buffer(w, ROWS * sizeof *x, NULL);
    work_1d(w, ROWS, 64);
    work_once(w);
    float *found = work_read(w, out, ROWS * sizeof *found);
    for (size_t row = 0; row < ROWS; row++) {
        double wanted = 0;
        for (cl_int k = starts[row]; k < starts[row + 1]; k++)
            wanted += (double)values[k] * x[columns[k]];
        bench_check("spmv", found[row], wanted, 1e-4);
    }
    w->bytes = 8.0 * total + 12.0 * ROWS;
    work_time(w);
}

/* Transforms `n` numbers that stand `stride` apart in `in`. */
static void transform(const float complex *in, double complex *out, size_t n, size_t stride)
{
    if (n == 1) {
        *out = *in;
        return;
    }
    transform(in, out, n / 2, 2 * stride);
    transform(in + stride, out + n / 2, n / 2, 2 * stride);
    for (size_t k = 0; k < n / 2; k++) {
        double complex even = out[k], odd = out[k + n / 2] * cexp(-6.283185307179586 * I * (double)k / (double)n);
        out[k] = even + odd;
        out[k + n / 2] = even - odd;
    }
}

static void fft(struct work *w)
{
    enum { N = 1024, TRANSFORMS = 4096 };
    size_t size = (size_t)N * TRANSFORMS * sizeof(float complex);
    float complex *in = (float complex *)bench_random(2 * (size_t)N * TRANSFORMS, -1, 1);
    work_kernel(w, file, "fft");
    work_buffer(w, size, in);
    cl_mem out = work_buffer(w, size, NULL);
    work_1d(w, TRANSFORMS * N / 4, N / 4);
    work_once(w);
    float complex *found = work_read(w, out, size);
    for (size_t t = 0; t < TRANSFORMS; t += 41) {
        double complex wanted[N];
        transform(in + t * N, wanted, N, 1);
        for (size_t k = 0; k < N; k++) {
            bench_check("fft", crealf(found[t * N + k]), creal(wanted[k]), 1e-3);
            bench_check("fft", cimagf(found[t * N + k]), cimag(wanted[k]), 1e-3);
        }
    }
    w->flops = 5.0 * N * 10 * TRANSFORMS;
    work_time(w);
}

const struct bench_case matrix_cases[] = {
    {"sgemm", "1024 x 1024, 16x16 tiles with barriers", sgemm, NULL, 0},
    {"sgemm_naive", "512 x 512", sgemm_naive, NULL, 0},
    {"sgemm_float4", "1024 x 1024, blocks of 4 x 4 in registers", sgemm_float4, NULL, 0},
    {"dgemm_naive", "512 x 512", dgemm_naive, NULL, NEEDS_DOUBLE},
    {"spmv", "128 Ki rows of 8 to 55 entries, compressed rows", spmv, NULL, 0},
    {"fft", "4096 transforms of 1024, radix 4 in local memory", fft, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};
