/* The cases of kernels/compute.cl. */
#include "bench.h"
#include <math.h>

struct launch {
    struct host *h;
    cl_kernel kernel;
    cl_uint dim;
    size_t global[2], local[2];
};

static void run_launch(void *data)
{
    struct launch *l = data;
    CHECK(clEnqueueNDRangeKernel(l->h->queue, l->kernel, l->dim, NULL, l->global, l->local, 0, NULL, NULL));
    CHECK(clFinish(l->h->queue));
}

static cl_kernel load(struct host *h, const char *kernels, const char *name)
{
    char *source = host_read(kernels, "compute.cl");
    cl_program program = host_build(h, source, "");
    free(source);
    cl_kernel kernel = host_kernel(program, name);
    CHECK(clReleaseProgram(program));
    return kernel;
}

static double nbody(struct host *h, const char *kernels)
{
    enum { N = 8192, LOCAL = 256 };
    const cl_int n = N;
    float *bodies = bench_random(4 * N, 0, 1), *found = malloc(4 * N * sizeof *found);
    cl_mem in = host_buffer(h, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, 4 * N * sizeof *bodies, bodies);
    cl_mem out = host_buffer(h, CL_MEM_READ_WRITE, 4 * N * sizeof *found, NULL);
    struct launch launch = {h, load(h, kernels, "nbody"), 1, {N, 1}, {LOCAL, 1}};
    CHECK(clSetKernelArg(launch.kernel, 0, sizeof in, &in));
    CHECK(clSetKernelArg(launch.kernel, 1, sizeof out, &out));
    CHECK(clSetKernelArg(launch.kernel, 2, LOCAL * 4 * sizeof(float), NULL));
    CHECK(clSetKernelArg(launch.kernel, 3, sizeof n, &n));
    double ms = bench_repeat(run_launch, &launch);
    CHECK(clEnqueueReadBuffer(h->queue, out, CL_TRUE, 0, 4 * N * sizeof *found, found, 0, NULL, NULL));
    for (size_t i = 0; i < N; i += 61) {
        double force[3] = {0};
        for (size_t j = 0; j < N; j++) {
            double d[3], square = 0.01;
            for (int k = 0; k < 3; k++) {
                d[k] = (double)bodies[4 * j + k] - bodies[4 * i + k];
                square += d[k] * d[k];
            }
            double scale = bodies[4 * j + 3] / (square * sqrt(square));
            for (int k = 0; k < 3; k++)
                force[k] += d[k] * scale;
        }
        for (int k = 0; k < 3; k++)
            bench_check("nbody", found[4 * i + k], force[k], 2e-3);
    }
    CHECK(clReleaseMemObject(in));
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseKernel(launch.kernel));
    free(bodies), free(found);
    return ms;
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

static double mandelbrot(struct host *h, const char *kernels)
{
    enum { N = 1024, LIMIT = 256 };
    const cl_int n = N, limit = LIMIT;
    cl_int *found = malloc((size_t)N * N * sizeof *found);
    cl_mem out = host_buffer(h, CL_MEM_READ_WRITE, (size_t)N * N * sizeof *found, NULL);
    struct launch launch = {h, load(h, kernels, "mandelbrot"), 2, {N, N}, {16, 16}};
    CHECK(clSetKernelArg(launch.kernel, 0, sizeof out, &out));
    CHECK(clSetKernelArg(launch.kernel, 1, sizeof n, &n));
    CHECK(clSetKernelArg(launch.kernel, 2, sizeof limit, &limit));
    double ms = bench_repeat(run_launch, &launch);
    CHECK(clEnqueueReadBuffer(h->queue, out, CL_TRUE, 0, (size_t)N * N * sizeof *found, found, 0, NULL, NULL));
    /* Contraction may change the count where the orbit is chaotic; elsewhere it is the same. */
    size_t different = 0;
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            different += found[y * N + x] != iterations(-2.0f + 3.0f * x / N, -1.5f + 3.0f * y / N, LIMIT);
    bench_check("mandelbrot", (double)different / (N * N), 0, 0.02);
    CHECK(clReleaseMemObject(out));
    CHECK(clReleaseKernel(launch.kernel));
    free(found);
    return ms;
}

static double normal_below(double d)
{
    return 0.5 * erfc(-d / sqrt(2));
}

static double black_scholes(struct host *h, const char *kernels)
{
    enum { N = 4 << 20 };
    float *in[3] = {bench_random(N, 5, 30), bench_random(N, 1, 100), bench_random(N, 0.25f, 10)}, *found[2];
    cl_mem buffers[5];
    struct launch launch = {h, load(h, kernels, "black_scholes"), 1, {N, 1}, {256, 1}};
    for (cl_uint b = 0; b < 5; b++) {
        buffers[b] = b < 3 ? host_buffer(h, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, N * sizeof(float), in[b])
                           : host_buffer(h, CL_MEM_READ_WRITE, N * sizeof(float), NULL);
        CHECK(clSetKernelArg(launch.kernel, b, sizeof *buffers, &buffers[b]));
    }
    double ms = bench_repeat(run_launch, &launch);
    for (int b = 0; b < 2; b++) {
        found[b] = malloc(N * sizeof(float));
        CHECK(clEnqueueReadBuffer(h->queue, buffers[3 + b], CL_TRUE, 0, N * sizeof(float), found[b], 0, NULL, NULL));
    }
    for (size_t i = 0; i < N; i += 7) {
        double s = in[0][i], x = in[1][i], t = in[2][i];
        double d1 = (log(s / x) + (0.02 + 0.5 * 0.3 * 0.3) * t) / (0.3 * sqrt(t)), d2 = d1 - 0.3 * sqrt(t);
        double discounted = x * exp(-0.02 * t);
        bench_check("black_scholes call", found[0][i], s * normal_below(d1) - discounted * normal_below(d2), 1e-3);
        bench_check("black_scholes put", found[1][i], discounted * normal_below(-d2) - s * normal_below(-d1), 1e-3);
    }
    for (int b = 0; b < 5; b++)
        CHECK(clReleaseMemObject(buffers[b]));
    CHECK(clReleaseKernel(launch.kernel));
    free(in[0]), free(in[1]), free(in[2]), free(found[0]), free(found[1]);
    return ms;
}

const struct bench_case compute_cases[] = {
    {"nbody", "8192 bodies, tiles with barriers", nbody},
    {"mandelbrot", "1024 x 1024, 256 iterations", mandelbrot},
    {"black-scholes", "4 Mi options", black_scholes},
    {NULL, NULL, NULL},
};
