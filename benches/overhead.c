/* What an implementation costs before any kernel does work: launches and builds. Builds are cold: each source differs
 * from every one before it, and the parent gives the child empty cache folders. */
#include "bench.h"
#include <unistd.h>

static const char empty_source[] = "kernel void empty(void) {}\n";

struct empty {
    struct host *h;
    cl_kernel kernel;
    cl_mem four;
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

static void launches(struct work *w, int count)
{
    cl_program program = host_build(&w->h, empty_source, "");
    struct empty e = {.h = &w->h, .kernel = host_kernel(program, "empty"), .launches = count};
    w->ms = bench_repeat(run_empty, &e);
}

static void latency(struct work *w)
{
    launches(w, 1);
}

static void throughput(struct work *w)
{
    launches(w, 10000);
}

static const cl_uint written = 0x12345678;

static void read_four(void *data)
{
    struct empty *e = data;
    cl_uint found;
    CHECK(clEnqueueReadBuffer(e->h->queue, e->four, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL));
    bench_check("read", found, written, 0);
}

static void write_four(void *data)
{
    struct empty *e = data;
    CHECK(clEnqueueWriteBuffer(e->h->queue, e->four, CL_TRUE, 0, sizeof written, &written, 0, NULL, NULL));
}

static void transfer(struct work *w, void (*body)(void *data))
{
    cl_uint start = written;
    struct empty e = {.h = &w->h, .four = host_buffer(&w->h, CL_MEM_COPY_HOST_PTR, sizeof start, &start)};
    w->ms = bench_repeat(body, &e);
    read_four(&e);
}

static void read_case(struct work *w)
{
    transfer(w, read_four);
}

static void write_case(struct work *w)
{
    transfer(w, write_four);
}

enum { COPIED = 64 << 20 };

struct copy {
    struct work *w;
    cl_mem from, to;
    char *host;
};

static void copy_buffer(void *data)
{
    struct copy *c = data;
    CHECK(clEnqueueCopyBuffer(c->w->h.queue, c->from, c->to, 0, 0, COPIED, 0, NULL, NULL));
    CHECK(clFinish(c->w->h.queue));
}

static void fill_buffer(void *data)
{
    struct copy *c = data;
    const cl_uint pattern = 0x01020304;
    CHECK(clEnqueueFillBuffer(c->w->h.queue, c->to, &pattern, sizeof pattern, 0, COPIED, 0, NULL, NULL));
    CHECK(clFinish(c->w->h.queue));
}

static void read_buffer(void *data)
{
    struct copy *c = data;
    CHECK(clEnqueueReadBuffer(c->w->h.queue, c->from, CL_TRUE, 0, COPIED, c->host, 0, NULL, NULL));
}

/* Large copies from `from` to the host or to `to`, or a fill of it. */
static void copies(struct work *w, void (*body)(void *data), double bytes)
{
    cl_uint *numbers = bench_numbers(COPIED / 4);
    struct copy c = {w, host_buffer(&w->h, 0, COPIED, NULL), host_buffer(&w->h, 0, COPIED, NULL), bench_alloc(COPIED)};
    CHECK(clEnqueueWriteBuffer(w->h.queue, c.from, CL_TRUE, 0, COPIED, numbers, 0, NULL, NULL));
    w->bytes = bytes;
    w->ms = bench_repeat(body, &c);
    if (body != read_buffer)
        CHECK(clEnqueueReadBuffer(w->h.queue, c.to, CL_TRUE, 0, COPIED, c.host, 0, NULL, NULL));
    if (body == fill_buffer)
        for (size_t i = 0; i < COPIED / 4; i++)
            numbers[i] = 0x01020304;
    if (memcmp(c.host, numbers, COPIED))
        FAIL("copy: wrong result");
}

static void copy_case(struct work *w)
{
    copies(w, copy_buffer, 2.0 * COPIED);
}

static void fill_case(struct work *w)
{
    copies(w, fill_buffer, COPIED);
}

static void read_large_case(struct work *w)
{
    copies(w, read_buffer, 2.0 * COPIED);
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
    return ms;
}

static char *small_source(unsigned seed)
{
    enum { ROOM = 512 };
    char *source = bench_alloc(ROOM);
    snprintf(source, ROOM,
             "kernel void part0(global float *x) {\n"
             "    size_t i = get_global_id(0);\n"
             "    float scale = %u.0f;\n"
             "    x[i] = i == 0 ? x[i] + 1 : scale * x[i] + 2;\n"
             "}\n",
             seed % 1000000u);
    return source;
}

enum { KERNELS = 50 };

/* 50 kernels of 30 lines: loops, branches, calls, math, local memory, barriers. */
static char *large_source(unsigned seed)
{
    enum { ROOM = 200000 };
    char *source = bench_alloc(ROOM);
    size_t at = 0;
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
    return source;
}

static void build_small(struct work *w)
{
    double times[5];
    for (int r = 0; r < 5; r++)
        times[r] = build(&w->h, small_source(fresh()), 1, 64);
    w->ms = host_median(times, 5);
}

static void build_large(struct work *w)
{
    w->ms = build(&w->h, large_source(fresh()), KERNELS, 64);
}

static void again_small(struct work *w)
{
    w->ms = build(&w->h, small_source(1), 1, 64);
}

static void first_small(struct work *w)
{
    w->ms = build(&w->h, small_source(fresh()), 1, 64);
}

static void again_large(struct work *w)
{
    w->ms = build(&w->h, large_source(1), KERNELS, 64);
}

/* With loading the platform and making a context and a queue. */
static void process_small(struct work *w)
{
    again_small(w);
    w->ms = 1e3 * (host_seconds() - w->started);
}

const struct bench_case overhead_cases[] = {
    {"launch", "one empty kernel, enqueue and finish", latency, NULL, 0},
    {"launches", "10,000 empty kernels, then finish", throughput, NULL, 0},
    {"read", "4 bytes, blocking", read_case, NULL, 0},
    {"write", "4 bytes, blocking", write_case, NULL, 0},
    {"read_large", "64 MiB to the host, blocking", read_large_case, NULL, 0},
    {"copy_buffer", "64 MiB from buffer to buffer", copy_case, NULL, 0},
    {"fill_buffer", "64 MiB of a pattern of 4 bytes", fill_case, NULL, 0},
    {"build_small", "5 lines, to the end of the first run, cold", build_small, NULL, 0},
    {"first_small", "the same, the first build of a process", first_small, NULL, 0},
    {"build_large", "1500 lines, 50 kernels, to the end of their first run, cold", build_large, NULL, 0},
    {"again_small", "build_small's source again, in a fresh process", again_small, NULL, SECOND_PROCESS},
    {"again_large", "build_large's source again, in a fresh process", again_large, NULL, SECOND_PROCESS},
    {"process_small", "again_small from the start of main on", process_small, NULL, SECOND_PROCESS},
    {NULL, NULL, NULL, NULL, 0},
};
