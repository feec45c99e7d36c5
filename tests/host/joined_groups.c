/* Long launches of a kernel whose groups fill local memory with the same, until they run joined and after that: every
 * launch leaves what it must. The test reads in the log which of them were joined.
 *     joined_groups once            one launch after the other, of one kernel
 *     joined_groups threads         several threads and queues, local arguments of several sizes, one kernel or their own
 *     joined_groups release         programs that are released while such code is made
 *     joined_groups save FILE       as `once`; writes the program's binary when all is done
 *     joined_groups load FILE       as `once`, with the program's binary */
#include "binary.h"
#include "product.h"
#include <pthread.h>

enum { TILE = 16, THREADS = 4 };

/* Long enough for code to be made. */
#define SECONDS 3.0

static struct host h;
static unsigned a[N * N], b[N * N], expected[N * N];

/* The tile of `a` is an argument, whose rows are `stride` apart. `bias` differs by launch. */
static const char *source =
    "#define T 16\n"
    "kernel void product(global const uint *a, global const uint *b, global uint *c, int n, uint bias,\n"
    "                    local uint *ta, int stride)\n"
    "{\n"
    "    local uint tb[T][T];\n"
    "    int x = get_local_id(0), y = get_local_id(1), row = get_group_id(1) * T + y, column = get_global_id(0);\n"
    "    uint sum = bias;\n"
    "    for (int k = 0; k < n; k += T) {\n"
    "        ta[y * stride + x] = a[row * n + k + x];\n"
    "        tb[y][x] = b[(k + y) * n + column];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        for (int z = 0; z < T; z++)\n"
    "            sum += ta[y * stride + z] * tb[z][x];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    c[get_global_id(1) * n + column] = sum;\n"
    "}\n";

struct shared {
    cl_program program;
    cl_mem a, b;
};

static void prepare(struct shared *s)
{
    s->a = host_buffer(&h, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof a, a);
    s->b = host_buffer(&h, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof b, b);
}

static void forget(struct shared *s)
{
    CHECK(clReleaseMemObject(s->a));
    CHECK(clReleaseMemObject(s->b));
}

/* Sets all arguments and launches; `rows` of 16 rows of groups. */
static void launch(cl_command_queue queue, cl_kernel kernel, struct shared *s, cl_mem c, unsigned bias, int stride,
                   size_t rows)
{
    int n = N;
    size_t global[] = {N, rows}, local[] = {TILE, TILE};
    CHECK(clSetKernelArg(kernel, 0, sizeof s->a, &s->a));
    CHECK(clSetKernelArg(kernel, 1, sizeof s->b, &s->b));
    CHECK(clSetKernelArg(kernel, 2, sizeof c, &c));
    CHECK(clSetKernelArg(kernel, 3, sizeof n, &n));
    CHECK(clSetKernelArg(kernel, 4, sizeof bias, &bias));
    CHECK(clSetKernelArg(kernel, 5, (size_t)stride * TILE * sizeof(unsigned), NULL));
    CHECK(clSetKernelArg(kernel, 6, sizeof stride, &stride));
    CHECK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
}

static void look(cl_command_queue queue, cl_mem c, unsigned bias, size_t rows)
{
    unsigned *out = malloc(sizeof expected);
    if (!out)
        FAIL("out of memory");
    CHECK(clEnqueueReadBuffer(queue, c, CL_TRUE, 0, sizeof expected, out, 0, NULL, NULL));
    for (size_t i = 0; i < rows * N; i++)
        if (out[i] != expected[i] + bias)
            FAIL("element %zu is %u, not %u", i, out[i], expected[i] + bias);
    free(out);
}

/* Launches for so long, twice at least. */
static void once(cl_program program, double seconds)
{
    struct shared s = {.program = program};
    prepare(&s);
    cl_mem c = host_buffer(&h, CL_MEM_READ_WRITE, sizeof expected, NULL);
    cl_kernel kernel = host_kernel(program, "product");
    double end = host_seconds() + seconds;
    for (unsigned i = 0; i < 2 || host_seconds() < end; i++) {
        launch(h.queue, kernel, &s, c, i, TILE, N);
        look(h.queue, c, i, N);
    }
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseMemObject(c));
    forget(&s);
}

struct thread {
    pthread_t id;
    int number;
    struct shared *shared;
};

static void *work(void *arg)
{
    struct thread *t = arg;
    cl_int code;
    cl_command_queue queue = clCreateCommandQueueWithProperties(h.context, h.device, NULL, &code);
    CHECK(code);
    cl_kernel kernel = host_kernel(t->shared->program, "product");
    cl_mem c = host_buffer(&h, CL_MEM_READ_WRITE, sizeof expected, NULL);
    double end = host_seconds() + SECONDS;
    for (unsigned i = 0; host_seconds() < end; i++) {
        int stride = TILE + (t->number + (int)(i / 8)) % 3 * 5;
        size_t rows = i % 5 == 4 ? N - TILE * (i % 4) : N;
        launch(queue, kernel, t->shared, c, i * 77u + (unsigned)t->number, stride, rows);
        look(queue, c, i * 77u + (unsigned)t->number, rows);
    }
    CHECK(clReleaseMemObject(c));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseCommandQueue(queue));
    return NULL;
}

static void threads(void)
{
    struct shared s = {.program = host_build(&h, source, "")};
    struct thread all[THREADS];
    prepare(&s);
    for (int i = 0; i < THREADS; i++) {
        all[i] = (struct thread){.number = i, .shared = &s};
        if (pthread_create(&all[i].id, NULL, work, &all[i]))
            FAIL("no thread");
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(all[i].id, NULL);
    CHECK(clReleaseProgram(s.program));
    forget(&s);
}

static void release(void)
{
    for (int i = 0; i < 8; i++) {
        char options[32];
        snprintf(options, sizeof options, "-D R=%d", i);
        cl_program program = host_build(&h, source, options);
        /* The first launch tells what it costs, the next one has code made. */
        once(program, 0);
        CHECK(clReleaseProgram(program));
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "once", *file = argc > 2 ? argv[2] : NULL;
    h = host_open("clotho");
    multiply(a, b, expected);
    if (!strcmp(mode, "threads"))
        threads();
    else if (!strcmp(mode, "release"))
        release();
    else {
        cl_program program = !strcmp(mode, "load") ? load_binary(&h, file) : host_build(&h, source, "");
        once(program, SECONDS);
        if (!strcmp(mode, "save"))
            save_binary(file, program);
        CHECK(clReleaseProgram(program));
    }
    host_close(&h);
    return 0;
}
