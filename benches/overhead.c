/* What an implementation costs before any kernel does work: launches and builds. Builds are cold: each source differs
 * from every one before it, and the parent gives the child empty cache folders. */
#include "bench.h"
#include <unistd.h>

static const char empty_source[] = "kernel void empty(void) {}\n";

struct empty {
    struct host *h;
    cl_kernel kernel;
    int launches;
};

static void run_empty(void *data)
{
    struct empty *e = data;
    size_t one = 1;
    for (int i = 0; i < e->launches; i++)
        CHECK(clEnqueueNDRangeKernel(e->h->queue, e->kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    CHECK(clFinish(e->h->queue));
}

static double launches(struct host *h, int count)
{
    /* A queue without profiling, as programs have it. */
    struct host plain = *h;
    cl_int code;
    plain.queue = clCreateCommandQueueWithProperties(h->context, h->device, NULL, &code);
    CHECK(code);
    cl_program program = host_build(h, empty_source, "");
    struct empty e = {&plain, host_kernel(program, "empty"), count};
    double ms = bench_repeat(run_empty, &e);
    CHECK(clReleaseKernel(e.kernel));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseCommandQueue(plain.queue));
    return ms;
}

static double latency(struct host *h, const char *kernels)
{
    (void)kernels;
    return launches(h, 1);
}

static double throughput(struct host *h, const char *kernels)
{
    (void)kernels;
    return launches(h, 10000);
}

/* A number that no build before this one has seen. */
static unsigned fresh(void)
{
    static unsigned count;
    return (unsigned)(host_seconds() * 1e6) * 64u + (unsigned)getpid() + count++;
}

/* Builds, creates every kernel and runs each once on `items` work-items, because some implementations put the work of
 * building off until then. Every kernel takes one buffer of floats and ends by adding 1 to its first element. */
static double build(struct host *h, const char *source, int count, size_t items)
{
    float zero = 0, found;
    cl_mem data = host_buffer(h, CL_MEM_READ_WRITE, items * sizeof zero, NULL);
    CHECK(clEnqueueFillBuffer(h->queue, data, &zero, sizeof zero, 0, items * sizeof zero, 0, NULL, NULL));
    CHECK(clFinish(h->queue));
    double start = host_seconds();
    cl_program program = host_build(h, source, "");
    for (int k = 0; k < count; k++) {
        char name[32];
        snprintf(name, sizeof name, "part%d", k);
        cl_kernel kernel = host_kernel(program, name);
        CHECK(clSetKernelArg(kernel, 0, sizeof data, &data));
        CHECK(clEnqueueNDRangeKernel(h->queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
        CHECK(clReleaseKernel(kernel));
    }
    CHECK(clFinish(h->queue));
    double ms = 1e3 * (host_seconds() - start);
    CHECK(clEnqueueReadBuffer(h->queue, data, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL));
    bench_check("build", found, count, 0);
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseMemObject(data));
    return ms;
}

static double build_small(struct host *h, const char *kernels)
{
    (void)kernels;
    double times[5];
    for (int r = 0; r < 5; r++) {
        char source[512];
        snprintf(source, sizeof source,
                 "kernel void part0(global float *x) {\n"
                 "    size_t i = get_global_id(0);\n"
                 "    float scale = %u.0f;\n"
                 "    x[i] = i == 0 ? x[i] + 1 : scale * x[i] + 2;\n"
                 "}\n",
                 fresh() % 1000000u);
        times[r] = build(h, source, 1, 64);
    }
    return host_median(times, 5);
}

/* 50 kernels of 30 lines: loops, branches, calls, math, local memory, barriers. */
static double build_large(struct host *h, const char *kernels)
{
    enum { KERNELS = 50, ROOM = 200000 };
    (void)kernels;
    double times[3];
    char *source = malloc(ROOM);
    if (!source)
        FAIL("out of memory");
    for (int r = 0; r < 3; r++) {
        size_t at = 0;
        unsigned seed = fresh();
        for (int k = 0; k < KERNELS; k++)
            at += (size_t)snprintf(
                source + at, ROOM - at,
                "float helper%d(float a, float b) {\n"
                "    float total = 0;\n"
                "    for (int i = 0; i < %d; i++) {\n"
                "        if (a > b)\n"
                "            total += sqrt(fabs(a)) + i;\n"
                "        else\n"
                "            total -= b * a;\n"
                "        a = a * 0.5f + %d.25f;\n"
                "    }\n"
                "    return total;\n"
                "}\n"
                "kernel void part%d(global float *x) {\n"
                "    local float tmp[64];\n"
                "    int l = get_local_id(0), n = get_local_size(0);\n"
                "    float4 v = (float4)(x[l], x[l] + 1, %u.0f, l);\n"
                "    tmp[l] = helper%d(v.x, v.y);\n"
                "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    for (int s = 1; s < n; s *= 2) {\n"
                "        float y = l >= s ? tmp[l - s] : 0.0f;\n"
                "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                "        tmp[l] += y * %d.5f;\n"
                "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                "    }\n"
                "    v = mix(v, v.wzyx, 0.25f) + exp(-fabs(v));\n"
                "    if (l == 0)\n"
                "        x[0] += 1;\n"
                "    else\n"
                "        x[l] = tmp[(l + 1) %% n] + v.x + v.y + dot(v, v);\n"
                "}\n"
                "\n",
                k, 3 + k % 7, k, k, seed % 1000000u, k, k);
        times[r] = build(h, source, KERNELS, 64);
    }
    free(source);
    return host_median(times, 3);
}

const struct bench_case overhead_cases[] = {
    {"launch", "one empty kernel, enqueue and finish", latency},
    {"10000 launches", "empty kernels, then finish", throughput},
    {"build small", "5 lines, to the end of the first run, cold", build_small},
    {"build large", "1500 lines, 50 kernels, to the end of their first run, cold", build_large},
    {NULL, NULL, NULL},
};
