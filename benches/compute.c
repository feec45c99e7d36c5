/* The cases of kernels/compute.cl. */
#include "bench.h"

static const char file[] = "compute.cl";

static void bodies(struct work *w, const char *kernel, int tiled)
{
    enum { N = 8192, LOCAL = 256 };
    float *in = bench_random(4 * N, 0, 1);
    work_kernel(w, file, kernel);
    work_buffer(w, 4 * N * sizeof *in, in);
    cl_mem out = work_buffer(w, 4 * N * sizeof *in, NULL);
    if (tiled)
        work_local(w, LOCAL * 4 * sizeof *in);
    work_int(w, N);
    work_1d(w, N, LOCAL);
    work_once(w);
    float *found = work_read(w, out, 4 * N * sizeof *in);
    for (size_t i = 0; i < N; i += 61) {
        double force[3] = {0};
        for (size_t j = 0; j < N; j++) {
            double d[3], square = 0.01;
            for (int k = 0; k < 3; k++) {
                d[k] = (double)in[4 * j + k] - in[4 * i + k];
                square += d[k] * d[k];
            }
            double scale = in[4 * j + 3] / (square * sqrt(square));
            for (int k = 0; k < 3; k++)
                force[k] += d[k] * scale;
        }
        for (int k = 0; k < 3; k++)
            bench_check(kernel, found[4 * i + k], force[k], 2e-3);
    }
    w->flops = 20.0 * N * N;
    work_time(w);
}

static void nbody(struct work *w)
{
    bodies(w, "nbody", 0);
}

static void nbody_tiled(struct work *w)
{
    bodies(w, "nbody_tiled", 1);
}

static int iterations(float cx, float cy, int limit)
{
    float x = 0, y = 0;
    int count = 0;
    while (count < limit && x * x + y * y < 4.0f) {
        float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        count++;
    }
    return count;
}

static void mandelbrot(struct work *w)
{
    enum { N = 1024, LIMIT = 256 };
    work_kernel(w, file, "mandelbrot");
    cl_mem out = work_buffer(w, (size_t)N * N * sizeof(cl_int), NULL);
    work_int(w, N);
    work_int(w, LIMIT);
    work_2d(w, N, N, 16, 16);
    work_once(w);
    cl_int *found = work_read(w, out, (size_t)N * N * sizeof *found);
    /* Contraction may change the count where the orbit is chaotic; elsewhere it is the same. */
    size_t different = 0;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            different += found[y * N + x] != iterations(-2.0f + 3.0f * x / N, -1.5f + 3.0f * y / N, LIMIT);
    bench_check("mandelbrot", (double)different / (N * N), 0, 0.02);
    work_time(w);
}

static double normal_below(double d)
{
    return 0.5 * erfc(-d / sqrt(2));
}

static void black_scholes(struct work *w)
{
    enum { N = 4 << 20 };
    float *in[3] = {bench_random(N, 5, 30), bench_random(N, 1, 100), bench_random(N, 0.25f, 10)}, *found[2];
    cl_mem buffers[5];
    work_kernel(w, file, "black_scholes");
    for (int b = 0; b < 5; b++)
        buffers[b] = work_buffer(w, N * sizeof(float), b < 3 ? in[b] : NULL);
    work_1d(w, N, 256);
    work_once(w);
    for (int b = 0; b < 2; b++)
        found[b] = work_read(w, buffers[3 + b], N * sizeof(float));
    for (size_t i = 0; i < N; i += 17) {
        double s = in[0][i], x = in[1][i], t = in[2][i];
        double d1 = (log(s / x) + (0.02 + 0.5 * 0.3 * 0.3) * t) / (0.3 * sqrt(t)), d2 = d1 - 0.3 * sqrt(t);
        double discounted = x * exp(-0.02 * t);
        bench_check("black_scholes call", found[0][i], s * normal_below(d1) - discounted * normal_below(d2), 1e-3);
        bench_check("black_scholes put", found[1][i], discounted * normal_below(-d2) - s * normal_below(-d1), 1e-3);
    }
    w->bytes = 20.0 * N;
    work_time(w);
}

const struct bench_case compute_cases[] = {
    {"nbody", "8192 bodies, float4", nbody, NULL, 0},
    {"nbody_tiled", "8192 bodies, float4, tiles with barriers", nbody_tiled, NULL, 0},
    {"mandelbrot", "1024 x 1024, 256 iterations", mandelbrot, NULL, 0},
    {"black_scholes", "4 Mi options", black_scholes, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};
