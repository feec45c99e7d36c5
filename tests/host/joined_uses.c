/* Kernels whose groups can be joined, launched in all the ways that there are: long enough for joined code to be made and used,
 * or left while it is made. Every launch leaves what it must. The test reads in the log which of them were joined.
 *     joined_uses command_buffer     recorded twice in a command buffer, which runs again and again
 *     joined_uses mutable            recorded, with other sizes and arguments for each run
 *     joined_uses device             enqueued by a kernel
 *     joined_uses image              with images of several formats, and samplers
 *     joined_uses image-save FILE    the same; writes the program's binary when all is done
 *     joined_uses image-load FILE    the same, with the program's binary
 *     joined_uses fork FILE          children of forks while the code is made go on with it; they leave out some rows. At last with the
 *                                    program's binary, which it writes first
 *     joined_uses release            kernel, program and context are released while the code is made
 *     joined_uses release-load FILE  the same, with the binary of the program, which it writes first */
#include "binary.h"
#include "product.h"
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

/* Long enough for code to be made. */
#define SECONDS 3.0

#define OPTIONS "-cl-std=CL3.0"

static struct host h;
static unsigned a[N * N], b[N * N], product[N * N], out[N * N];

/* Tiles of the size of the group; the rows of both are `stride` apart. `bias` differs by launch. */
static const char *source =
    "#define PRODUCT(A, SET)                                                                        \\\n"
    "    int t = get_local_size(0), x = get_local_id(0), y = get_local_id(1);                       \\\n"
    "    int row = get_global_id(1), column = get_global_id(0);                                     \\\n"
    "    uint sum = bias + 3 * get_num_groups(0) + 5 * get_group_id(0) + 7 * get_group_id(1)        \\\n"
    "        + 11 * get_local_linear_id() + 13 * get_global_offset(1) + 17 * get_enqueued_local_size(1) \\\n"
    "        + 19 * get_global_linear_id();                                                         \\\n"
    "    for (int k = 0; k < n; k += t) {                                                           \\\n"
    "        ta[y * stride + x] = A(k + x, row);                                                    \\\n"
    "        tb[y * stride + x] = b[(k + y) * n + column];                                          \\\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);                                                          \\\n"
    "        for (int z = 0; z < t; z++)                                                            \\\n"
    "            sum += ta[y * stride + z] * tb[z * stride + x];                                    \\\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);                                                          \\\n"
    "    }                                                                                          \\\n"
    "    SET(row, column, sum);\n"
    "#define A_AT(X, Y) a[(Y) * n + (X)]\n"
    "#define SET_C(ROW, COLUMN, SUM) c[(ROW) * n + (COLUMN)] = SUM\n"
    "#define TEXEL(X, Y) read_imageui(a, s, (int2)(X, Y)).x\n"
    "#define SET_TEXEL(ROW, COLUMN, SUM) write_imageui(c, (int2)(COLUMN, ROW), (uint4)(SUM))\n"
    "kernel void tiles(global const uint *a, global const uint *b, global uint *c, int n, uint bias, local uint *ta,\n"
    "                  local uint *tb, int stride)\n"
    "{\n"
    "    PRODUCT(A_AT, SET_C)\n"
    "}\n"
    "kernel void of_image(read_only image2d_t a, global const uint *b, write_only image2d_t c, int n, uint bias,\n"
    "                     local uint *ta, local uint *tb, int stride, sampler_t s)\n"
    "{\n"
    "    PRODUCT(TEXEL, SET_TEXEL)\n"
    "}\n"
    "kernel void parent(global const uint *a, global const uint *b, global uint *c, int n, uint bias, uint bytes, int t,\n"
    "                   int stride, ulong row, ulong rows, global int *status)\n"
    "{\n"
    "    size_t offset[] = {0, row}, global_size[] = {n, rows}, local_size[] = {t, t};\n"
    "    *status = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
    "        ndrange_2D(offset, global_size, local_size),\n"
    "        ^(local void *first, local void *second) {\n"
    "            local uint *ta = first, *tb = second;\n"
    "            PRODUCT(A_AT, SET_C)\n"
    "        }, bytes, bytes);\n"
    "}\n";

/* A launch: its rows from `row` on, groups of `tile` by `tile`. */
struct launch {
    size_t row, rows, tile;
    int stride;
    unsigned bias;
};

/* The `i`-th of many. */
static struct launch varied(unsigned i)
{
    static const size_t tiles[] = {16, 16, 8, 32}, rows[] = {N, N - 64, N, N - 128};
    struct launch l = {.rows = rows[i / 8 % 4], .tile = tiles[i / 32 % 4], .bias = 77 * i};
    l.row = i % 8 < 4 ? 0 : N - l.rows;
    l.stride = (int)l.tile + (i / 128 % 2 ? 5 : 0);
    return l;
}

static size_t tile_bytes(struct launch l)
{
    return (size_t)l.stride * l.tile * sizeof(unsigned);
}

struct work {
    cl_program program;
    cl_kernel kernel;
    cl_mem a, b, c;
};

static struct work begin(cl_program program, const char *name)
{
    struct work w = {.program = program, .kernel = host_kernel(program, name)};
    w.a = host_buffer(&h, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof a, a);
    w.b = host_buffer(&h, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof b, b);
    w.c = host_buffer(&h, CL_MEM_READ_WRITE, sizeof out, NULL);
    return w;
}

static void end(struct work *w)
{
    CHECK(clReleaseKernel(w->kernel));
    CHECK(clReleaseProgram(w->program));
    CHECK(clReleaseMemObject(w->a));
    CHECK(clReleaseMemObject(w->b));
    CHECK(clReleaseMemObject(w->c));
}

static void set_arguments(struct work *w, cl_mem first, cl_mem c, struct launch l)
{
    int n = N;
    CHECK(clSetKernelArg(w->kernel, 0, sizeof first, &first));
    CHECK(clSetKernelArg(w->kernel, 1, sizeof w->b, &w->b));
    CHECK(clSetKernelArg(w->kernel, 2, sizeof c, &c));
    CHECK(clSetKernelArg(w->kernel, 3, sizeof n, &n));
    CHECK(clSetKernelArg(w->kernel, 4, sizeof l.bias, &l.bias));
    CHECK(clSetKernelArg(w->kernel, 5, tile_bytes(l), NULL));
    CHECK(clSetKernelArg(w->kernel, 6, tile_bytes(l), NULL));
    CHECK(clSetKernelArg(w->kernel, 7, sizeof l.stride, &l.stride));
}

static void enqueue(struct work *w, struct launch l)
{
    size_t offset[] = {0, l.row}, global[] = {N, l.rows}, local[] = {l.tile, l.tile};
    CHECK(clEnqueueNDRangeKernel(h.queue, w->kernel, 2, offset, global, local, 0, NULL, NULL));
}

/* `out` is what the launch leaves. */
static void look(struct launch l)
{
    unsigned t = (unsigned)l.tile;
    for (unsigned y = (unsigned)l.row; y < l.row + l.rows; y++)
        for (unsigned x = 0; x < N; x++) {
            unsigned down = y - (unsigned)l.row, place = 3 * (N / t) + 5 * (x / t) + 7 * (down / t);
            place += 11 * (down % t * t + x % t) + 13 * (unsigned)l.row + 17 * t + 19 * (down * N + x);
            unsigned want = product[y * N + x] + l.bias + place;
            if (out[y * N + x] != want)
                FAIL("row %u, column %u is %u, not %u", y, x, out[y * N + x], want);
        }
}

static void look_at(cl_mem c, struct launch l)
{
    CHECK(clEnqueueReadBuffer(h.queue, c, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    look(l);
}

/* Launches for so long, twice at least; `least` has rows for all of them. */
static void launches(struct work *w, double seconds, struct launch least)
{
    double until = host_seconds() + seconds;
    for (unsigned i = 0; i < 2 || host_seconds() < until; i++) {
        least.bias = i;
        set_arguments(w, w->a, w->c, least);
        enqueue(w, least);
        look_at(w->c, least);
    }
}

static const struct launch usual = {.rows = N, .tile = 16, .stride = 16};

/* cl_khr_command_buffer 0.9.8 and mutable dispatch 0.9.5: headers of distributions may have earlier ones. */
struct arg { cl_uint index; size_t size; const void *value; };
struct config {
    void *command;
    cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
    const struct arg *args, *svm_args, *exec_infos;
    const size_t *offset, *global, *local;
};
enum { FLAGS = 0x1293, MUTABLE = 2 };
static void *(CL_API_CALL *create)(cl_uint, const cl_command_queue *, const cl_properties *, cl_int *);
static cl_int(CL_API_CALL *finalize)(void *);
static cl_int(CL_API_CALL *release_buffer)(void *);
static cl_int(CL_API_CALL *run)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *, cl_event *);
static cl_int(CL_API_CALL *record)(void *, cl_command_queue, const cl_properties *, cl_kernel, cl_uint, const size_t *,
    const size_t *, const size_t *, cl_uint, const cl_uint *, cl_uint *, void **);
static cl_int(CL_API_CALL *update)(void *, cl_uint, const cl_uint *, const void **);

static void *new_buffer(cl_properties flags)
{
    create = clGetExtensionFunctionAddressForPlatform(h.platform, "clCreateCommandBufferKHR");
    finalize = clGetExtensionFunctionAddressForPlatform(h.platform, "clFinalizeCommandBufferKHR");
    release_buffer = clGetExtensionFunctionAddressForPlatform(h.platform, "clReleaseCommandBufferKHR");
    run = clGetExtensionFunctionAddressForPlatform(h.platform, "clEnqueueCommandBufferKHR");
    record = clGetExtensionFunctionAddressForPlatform(h.platform, "clCommandNDRangeKernelKHR");
    update = clGetExtensionFunctionAddressForPlatform(h.platform, "clUpdateMutableCommandsKHR");
    if (!create || !finalize || !release_buffer || !run || !record || !update)
        FAIL("no command buffers");
    cl_properties list[] = {FLAGS, flags, 0};
    cl_int code;
    void *buffer = create(1, &h.queue, list, &code);
    CHECK(code);
    return buffer;
}

static void command_buffer(void)
{
    struct work w = begin(host_build(&h, source, OPTIONS), "tiles");
    struct launch second = {.row = 64, .rows = N - 64, .tile = 32, .stride = 37, .bias = 1000}, all[] = {usual, second};
    cl_mem c[] = {w.c, host_buffer(&h, CL_MEM_READ_WRITE, sizeof out, NULL)};
    void *buffer = new_buffer(0);
    for (int i = 0; i < 2; i++) {
        struct launch l = all[i];
        size_t offset[] = {0, l.row}, global[] = {N, l.rows}, local[] = {l.tile, l.tile};
        set_arguments(&w, w.a, c[i], l);
        CHECK(record(buffer, NULL, NULL, w.kernel, 2, offset, global, local, 0, NULL, NULL, NULL));
    }
    CHECK(finalize(buffer));
    double until = host_seconds() + SECONDS;
    while (host_seconds() < until) {
        unsigned zero = 0;
        for (int i = 0; i < 2; i++)
            CHECK(clEnqueueFillBuffer(h.queue, c[i], &zero, sizeof zero, 0, sizeof out, 0, NULL, NULL));
        CHECK(run(0, NULL, buffer, 0, NULL, NULL));
        for (int i = 0; i < 2; i++)
            look_at(c[i], all[i]);
    }
    CHECK(release_buffer(buffer));
    CHECK(clReleaseMemObject(c[1]));
    end(&w);
}

static void mutable_dispatch(void)
{
    struct work w = begin(host_build(&h, source, OPTIONS), "tiles");
    void *buffer = new_buffer(MUTABLE), *command = NULL;
    size_t offset[] = {0, 0}, global[] = {N, N}, local[] = {16, 16};
    set_arguments(&w, w.a, w.c, usual);
    CHECK(record(buffer, NULL, NULL, w.kernel, 2, offset, global, local, 0, NULL, NULL, &command));
    CHECK(finalize(buffer));
    double until = host_seconds() + 2 * SECONDS;
    for (unsigned i = 0; host_seconds() < until; i++) {
        struct launch l = varied(i);
        struct arg args[] = {
            {4, sizeof l.bias, &l.bias}, {5, tile_bytes(l), NULL}, {6, tile_bytes(l), NULL}, {7, sizeof l.stride, &l.stride}};
        offset[1] = l.row, global[1] = l.rows, local[0] = local[1] = l.tile;
        struct config config = {command, 4, .work_dim = 2, .args = args, .offset = offset, .global = global, .local = local};
        cl_uint type = 0;
        const void *configs[] = {&config};
        CHECK(update(buffer, 1, &type, configs));
        CHECK(run(0, NULL, buffer, 0, NULL, NULL));
        look_at(w.c, l);
    }
    CHECK(release_buffer(buffer));
    end(&w);
}

static void device(void)
{
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_int code;
    cl_command_queue on_device = clCreateCommandQueueWithProperties(h.context, h.device, list, &code);
    CHECK(code);
    struct work w = begin(host_build(&h, source, OPTIONS), "parent");
    cl_mem status = host_buffer(&h, CL_MEM_READ_WRITE, sizeof(int), NULL);
    double until = host_seconds() + SECONDS;
    for (unsigned i = 0; host_seconds() < until; i++) {
        struct launch l = varied(i);
        int n = N, tile = (int)l.tile, answer = 1;
        unsigned bytes = (unsigned)tile_bytes(l);
        cl_ulong row = l.row, rows = l.rows;
        size_t one = 1;
        CHECK(clSetKernelArg(w.kernel, 0, sizeof w.a, &w.a));
        CHECK(clSetKernelArg(w.kernel, 1, sizeof w.b, &w.b));
        CHECK(clSetKernelArg(w.kernel, 2, sizeof w.c, &w.c));
        CHECK(clSetKernelArg(w.kernel, 3, sizeof n, &n));
        CHECK(clSetKernelArg(w.kernel, 4, sizeof l.bias, &l.bias));
        CHECK(clSetKernelArg(w.kernel, 5, sizeof bytes, &bytes));
        CHECK(clSetKernelArg(w.kernel, 6, sizeof tile, &tile));
        CHECK(clSetKernelArg(w.kernel, 7, sizeof l.stride, &l.stride));
        CHECK(clSetKernelArg(w.kernel, 8, sizeof row, &row));
        CHECK(clSetKernelArg(w.kernel, 9, sizeof rows, &rows));
        CHECK(clSetKernelArg(w.kernel, 10, sizeof status, &status));
        CHECK(clEnqueueNDRangeKernel(h.queue, w.kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(h.queue, status, CL_TRUE, 0, sizeof answer, &answer, 0, NULL, NULL));
        if (answer)
            FAIL("enqueue_kernel answered %d", answer);
        look_at(w.c, l);
    }
    CHECK(clReleaseMemObject(status));
    CHECK(clReleaseCommandQueue(on_device));
    end(&w);
}

static cl_mem image(cl_mem_flags flags, cl_channel_type type, void *data)
{
    cl_image_format format = {CL_R, type};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = N, .image_height = N};
    cl_int code;
    cl_mem made = clCreateImage(h.context, flags, &format, &desc, data, &code);
    CHECK(code);
    return made;
}

static void images(cl_program program)
{
    static unsigned short narrow[N * N];
    for (int i = 0; i < N * N; i++)
        narrow[i] = (unsigned short)a[i];
    struct work w = begin(program, "of_image");
    cl_mem from[] = {image(CL_MEM_COPY_HOST_PTR, CL_UNSIGNED_INT32, a), image(CL_MEM_COPY_HOST_PTR, CL_UNSIGNED_INT16, narrow)};
    cl_mem to = image(0, CL_UNSIGNED_INT32, NULL);
    cl_sampler samplers[2];
    for (int i = 0; i < 2; i++) {
        cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST,
            CL_SAMPLER_ADDRESSING_MODE, i ? CL_ADDRESS_CLAMP : CL_ADDRESS_CLAMP_TO_EDGE, 0};
        cl_int code;
        samplers[i] = clCreateSamplerWithProperties(h.context, list, &code);
        CHECK(code);
    }
    double until = host_seconds() + 2 * SECONDS;
    for (unsigned i = 0; host_seconds() < until; i++) {
        struct launch l = usual;
        l.bias = i;
        set_arguments(&w, from[i % 2], to, l);
        CHECK(clSetKernelArg(w.kernel, 8, sizeof *samplers, &samplers[i / 2 % 2]));
        enqueue(&w, l);
        size_t origin[3] = {0}, region[] = {N, N, 1};
        CHECK(clEnqueueReadImage(h.queue, to, CL_TRUE, origin, region, 0, 0, out, 0, NULL, NULL));
        look(l);
    }
    for (int i = 0; i < 2; i++) {
        CHECK(clReleaseMemObject(from[i]));
        CHECK(clReleaseSampler(samplers[i]));
    }
    CHECK(clReleaseMemObject(to));
    CHECK(clRetainProgram(program));
    end(&w);
}

/* A child that is made so many milliseconds after the launch that has code made. */
static void fork_after(cl_program program, useconds_t ms)
{
    struct work w = begin(program, "tiles");
    struct launch childs = usual;
    childs.rows -= 64;
    launches(&w, 0, usual);
    usleep(ms * 1000);
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        FAIL("fork: %s", strerror(errno));
    if (!child) {
        alarm(60);
        launches(&w, SECONDS, childs);
        exit(0);
    }
    launches(&w, SECONDS, usual);
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        FAIL("the child ended with %x", status);
    end(&w);
}

static void release(const char *file)
{
    for (unsigned i = 0; i < 12; i++) {
        char options[64];
        snprintf(options, sizeof options, OPTIONS " -D R=%u", i);
        h = host_open("clotho");
        struct work w = begin(file ? load_binary(&h, file) : host_build(&h, source, options), "tiles");
        launches(&w, 0, usual);
        usleep(i % 4 * 20000);
        /* One is still on its way. */
        enqueue(&w, usual);
        CHECK(clFlush(h.queue));
        end(&w);
        host_close(&h);
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "", *file = argc > 2 ? argv[2] : NULL;
    multiply(a, b, product);
    h = host_open("clotho");
    if (!strcmp(mode, "command_buffer"))
        command_buffer();
    else if (!strcmp(mode, "mutable"))
        mutable_dispatch();
    else if (!strcmp(mode, "device"))
        device();
    else if (!strncmp(mode, "image", 5)) {
        cl_program program = !strcmp(mode, "image-load") ? load_binary(&h, file) : host_build(&h, source, OPTIONS);
        images(program);
        if (!strcmp(mode, "image-save"))
            save_binary(file, program);
        CHECK(clReleaseProgram(program));
    } else if (!strcmp(mode, "fork")) {
        fork_after(host_build(&h, source, OPTIONS), 0);
        cl_program program = host_build(&h, source, OPTIONS " -D R");
        save_binary(file, program);
        fork_after(program, 40);
        fork_after(load_binary(&h, file), 80);
    } else if (!strncmp(mode, "release", 7)) {
        if (file) {
            cl_program program = host_build(&h, source, OPTIONS);
            save_binary(file, program);
            CHECK(clReleaseProgram(program));
        }
        host_close(&h);
        release(file);
        return 0;
    } else
        FAIL("see the head of joined_uses.c for the modes");
    host_close(&h);
    return 0;
}
