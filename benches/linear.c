/* The cases of kernels/linear.cl. */
#include "bench.h"

/* A launch that is repeated: up to eight kernels one after the other, then clFinish. */
struct launches {
    struct host *h;
    int count;
    struct {
        cl_kernel kernel;
        cl_uint dim;
        size_t global[2], local[2];
    } step[8];
};

static void run_launches(void *data)
{
    struct launches *all = data;
    for (int i = 0; i < all->count; i++)
        CHECK(clEnqueueNDRangeKernel(all->h->queue, all->step[i].kernel, all->step[i].dim, NULL, all->step[i].global,
                                     all->step[i].local, 0, NULL, NULL));
    CHECK(clFinish(all->h->queue));
}

static void add(struct launches *all, cl_kernel kernel, cl_uint dim, size_t gx, size_t gy, size_t lx, size_t ly)
{
    int i = all->count++;
    all->step[i].kernel = kernel;
    all->step[i].dim = dim;
    all->step[i].global[0] = gx;
    all->step[i].global[1] = gy;
    all->step[i].local[0] = lx;
    all->step[i].local[1] = ly;
}

static cl_kernel load(struct host *h, const char *kernels, const char *name)
{
    char *source = host_read(kernels, "linear.cl");
    cl_program program = host_build(h, source, "");
    free(source);
    cl_kernel kernel = host_kernel(program, name);
    CHECK(clReleaseProgram(program));
    return kernel;
}

static void arg(cl_kernel kernel, cl_uint index, cl_mem buffer)
{
    CHECK(clSetKernelArg(kernel, index, sizeof buffer, &buffer));
}

static cl_mem input(struct host *h, size_t size, void *data)
{
    return host_buffer(h, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, data);
}

static void read_back(struct host *h, cl_mem buffer, size_t size, void *to)
{
    CHECK(clEnqueueReadBuffer(h->queue, buffer, CL_TRUE, 0, size, to, 0, NULL, NULL));
    CHECK(clReleaseMemObject(buffer));
}

static double saxpy(struct host *h, const char *kernels)
{
    enum { N = 16 << 20 };
    float *x = bench_random(N, -1, 1), *y = bench_random(N, -1, 1), *found = malloc(N * sizeof *found), a = 0.5f;
    cl_kernel kernel = load(h, kernels, "saxpy");
    cl_mem bx = input(h, N * sizeof *x, x), by = input(h, N * sizeof *y, y);
    arg(kernel, 0, bx);
    arg(kernel, 1, by);
    CHECK(clSetKernelArg(kernel, 2, sizeof a, &a));
    struct launches all = {.h = h};
    add(&all, kernel, 1, N, 1, 256, 1);
    run_launches(&all);
    CHECK(clEnqueueReadBuffer(h->queue, by, CL_TRUE, 0, N * sizeof *y, found, 0, NULL, NULL));
    for (size_t i = 0; i < N; i++)
        bench_check("saxpy", found[i], a * x[i] + y[i], 1e-6);
    /* Repeated runs pile up in y; 0 keeps the numbers small. */
    a = 0;
    CHECK(clSetKernelArg(kernel, 2, sizeof a, &a));
    double ms = bench_repeat(run_launches, &all);
    read_back(h, by, N * sizeof *y, found);
    CHECK(clReleaseMemObject(bx));
    CHECK(clReleaseKernel(kernel));
    free(x), free(y), free(found);
    return ms;
}

static double sgemm(struct host *h, const char *kernels)
{
    enum { N = 1024 };
    const cl_int n = N;
    size_t size = (size_t)N * N * sizeof(float);
    float *a = bench_random((size_t)N * N, -1, 1), *b = bench_random((size_t)N * N, -1, 1), *c = malloc(size);
    cl_kernel kernel = load(h, kernels, "sgemm");
    cl_mem ba = input(h, size, a), bb = input(h, size, b), bc = host_buffer(h, CL_MEM_READ_WRITE, size, NULL);
    arg(kernel, 0, ba);
    arg(kernel, 1, bb);
    arg(kernel, 2, bc);
    CHECK(clSetKernelArg(kernel, 3, sizeof n, &n));
    struct launches all = {.h = h};
    add(&all, kernel, 2, N, N, 16, 16);
    double ms = bench_repeat(run_launches, &all);
    read_back(h, bc, size, c);
    /* Every 37th row: all of them would take plain C seconds. */
    for (size_t y = 0; y < N; y += 37)
        for (size_t x = 0; x < N; x++) {
            double wanted = 0;
            for (size_t k = 0; k < N; k++)
                wanted += (double)a[y * N + k] * b[k * N + x];
            bench_check("sgemm", c[y * N + x], wanted, 1e-3);
        }
    CHECK(clReleaseMemObject(ba));
    CHECK(clReleaseMemObject(bb));
    CHECK(clReleaseKernel(kernel));
    free(a), free(b), free(c);
    return ms;
}

static cl_uint *numbers(size_t count)
{
    cl_uint *values = malloc(count * sizeof *values);
    if (!values)
        FAIL("out of memory");
    for (size_t i = 0; i < count; i++)
        values[i] = (cl_uint)i * 2654435761u >> 8;
    return values;
}

static double reduction(struct host *h, const char *kernels)
{
    enum { N = 16 << 20, PER_ITEM = 16, LOCAL = 256, GROUPS = N / (PER_ITEM * LOCAL) };
    const cl_uint per_item = PER_ITEM;
    cl_uint *in = numbers(N), parts[GROUPS], found = 0, wanted = 0;
    cl_kernel kernel = load(h, kernels, "reduce");
    cl_mem bi = input(h, N * sizeof *in, in), bo = host_buffer(h, CL_MEM_READ_WRITE, sizeof parts, NULL);
    arg(kernel, 0, bi);
    arg(kernel, 1, bo);
    CHECK(clSetKernelArg(kernel, 2, LOCAL * sizeof(cl_uint), NULL));
    CHECK(clSetKernelArg(kernel, 3, sizeof per_item, &per_item));
    struct launches all = {.h = h};
    add(&all, kernel, 1, N / PER_ITEM, 1, LOCAL, 1);
    double ms = bench_repeat(run_launches, &all);
    read_back(h, bo, sizeof parts, parts);
    for (size_t i = 0; i < GROUPS; i++)
        found += parts[i];
    for (size_t i = 0; i < N; i++)
        wanted += in[i];
    bench_check("reduction", found, wanted, 0);
    CHECK(clReleaseMemObject(bi));
    CHECK(clReleaseKernel(kernel));
    free(in);
    return ms;
}

/* 4 Mi numbers: blocks of 512, their totals, and the totals' totals; then the sums are added on the way down. */
static double scan(struct host *h, const char *kernels)
{
    enum { N = 4 << 20, LEVELS = 3, BLOCK = 512 };
    size_t sizes[LEVELS + 1] = {N};
    cl_uint *in = numbers(N), *found = malloc(N * sizeof *found), wanted = 0;
    cl_mem from[LEVELS + 1], to[LEVELS];
    struct launches all = {.h = h};
    cl_kernel used[8];
    from[0] = input(h, N * sizeof *in, in);
    for (int level = 0; level < LEVELS; level++) {
        size_t blocks = (sizes[level] + BLOCK - 1) / BLOCK, next = (blocks + BLOCK - 1) / BLOCK * BLOCK;
        cl_uint zero = 0;
        sizes[level + 1] = blocks;
        to[level] = host_buffer(h, CL_MEM_READ_WRITE, blocks * BLOCK * sizeof *in, NULL);
        from[level + 1] = host_buffer(h, CL_MEM_READ_WRITE, next * sizeof *in, NULL);
        CHECK(clEnqueueFillBuffer(h->queue, from[level + 1], &zero, sizeof zero, 0, next * sizeof zero, 0, NULL, NULL));
        cl_kernel kernel = load(h, kernels, "scan_blocks");
        arg(kernel, 0, from[level]);
        arg(kernel, 1, to[level]);
        arg(kernel, 2, from[level + 1]);
        used[all.count] = kernel;
        add(&all, kernel, 1, blocks * BLOCK / 2, 1, BLOCK / 2, 1);
    }
    for (int level = LEVELS - 2; level >= 0; level--) {
        cl_kernel kernel = load(h, kernels, "scan_add");
        arg(kernel, 0, to[level]);
        arg(kernel, 1, to[level + 1]);
        used[all.count] = kernel;
        add(&all, kernel, 1, sizes[level + 1] * BLOCK / 2, 1, BLOCK / 2, 1);
    }
    double ms = bench_repeat(run_launches, &all);
    read_back(h, to[0], N * sizeof *found, found);
    for (size_t i = 0; i < N; i++) {
        if (found[i] != wanted)
            FAIL("scan: wrong result %u at %zu, plain C says %u", found[i], i, wanted);
        wanted += in[i];
    }
    for (int level = 0; level <= LEVELS; level++)
        CHECK(clReleaseMemObject(from[level]));
    for (int level = 1; level < LEVELS; level++)
        CHECK(clReleaseMemObject(to[level]));
    for (int k = 0; k < all.count; k++)
        CHECK(clReleaseKernel(used[k]));
    free(in), free(found);
    return ms;
}

static double square(struct host *h, const char *kernels, const char *name, size_t n,
                     double (*wanted)(const float *in, size_t n, size_t x, size_t y))
{
    const cl_int size = (cl_int)n;
    size_t bytes = n * n * sizeof(float);
    float *in = bench_random(n * n, -1, 1), *found = malloc(bytes);
    cl_kernel kernel = load(h, kernels, name);
    cl_mem bi = input(h, bytes, in), bo = host_buffer(h, CL_MEM_READ_WRITE, bytes, NULL);
    arg(kernel, 0, bi);
    arg(kernel, 1, bo);
    CHECK(clSetKernelArg(kernel, 2, sizeof size, &size));
    struct launches all = {.h = h};
    add(&all, kernel, 2, n, n, 16, 16);
    double ms = bench_repeat(run_launches, &all);
    read_back(h, bo, bytes, found);
    for (size_t y = 0; y < n; y++)
        for (size_t x = 0; x < n; x++)
            bench_check(name, found[y * n + x], wanted(in, n, x, y), 1e-6);
    CHECK(clReleaseMemObject(bi));
    CHECK(clReleaseKernel(kernel));
    free(in), free(found);
    return ms;
}

static double transposed(const float *in, size_t n, size_t x, size_t y)
{
    return in[x * n + y];
}

static double transpose(struct host *h, const char *kernels)
{
    return square(h, kernels, "transpose", 4096, transposed);
}

static double jacobi(const float *in, size_t n, size_t x, size_t y)
{
    size_t at = y * n + x;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
        return in[at];
    return 0.2 * ((double)in[at] + in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
}

static double stencil(struct host *h, const char *kernels)
{
    return square(h, kernels, "stencil", 4096, jacobi);
}

static double histogram(struct host *h, const char *kernels)
{
    enum { N = 16 << 20 };
    const cl_uint n = N;
    cl_uint wanted[256] = {0}, found[256], zero = 0;
    unsigned char *in = malloc(N);
    if (!in)
        FAIL("out of memory");
    for (cl_uint i = 0; i < N; i++)
        wanted[in[i] = (unsigned char)(i * 2654435761u >> 13)]++;
    cl_kernel kernel = load(h, kernels, "histogram");
    cl_mem bi = input(h, N, in), bo = host_buffer(h, CL_MEM_READ_WRITE, sizeof found, NULL);
    arg(kernel, 0, bi);
    arg(kernel, 1, bo);
    CHECK(clSetKernelArg(kernel, 2, sizeof n, &n));
    struct launches all = {.h = h};
    add(&all, kernel, 1, 128 * 256, 1, 256, 1);
    double ms = bench_repeat(run_launches, &all);
    CHECK(clEnqueueFillBuffer(h->queue, bo, &zero, sizeof zero, 0, sizeof found, 0, NULL, NULL));
    run_launches(&all);
    read_back(h, bo, sizeof found, found);
    for (int b = 0; b < 256; b++)
        bench_check("histogram", found[b], wanted[b], 0);
    CHECK(clReleaseMemObject(bi));
    CHECK(clReleaseKernel(kernel));
    free(in);
    return ms;
}

const struct bench_case linear_cases[] = {
    {"saxpy", "16 Mi floats", saxpy},
    {"sgemm", "1024 x 1024, 16x16 tiles with barriers", sgemm},
    {"reduction", "16 Mi uints, tree with barriers", reduction},
    {"scan", "4 Mi uints, blocks of 512 with barriers", scan},
    {"transpose", "4096 x 4096 floats, 16x16 tiles with barriers", transpose},
    {"stencil", "4096 x 4096 floats, five points", stencil},
    {"histogram", "16 MiB, 256 bins, local atomics and barriers", histogram},
    {NULL, NULL, NULL},
};
