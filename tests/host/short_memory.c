/* The system gives no memory: the n-th allocation of the process fails, alone or with all that follow, for every n that a call
 * gets to. Each call answers success or an error for want of memory, in both cases leaves nothing behind, and works again
 * when there is memory; releasing always works. The program has its own malloc and its kin, which the library finds first.
 *
 * The threads that make machine code always get memory: LLVM is no part of this (README, "When memory runs out"). So do threads
 * that have just begun: the C library ends the process when it has no memory for their thread-local variables. When threads
 * begin depends on how busy the machine is. */
#define _GNU_SOURCE
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include "host.h"
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

/* Allocations that still work; what comes when there are none left. */
static atomic_long good = LONG_MAX;
static atomic_int one_only;
static atomic_long failed, live;

/* Allocations of a thread until its thread-local variables are there. */
enum { FIRST = 16 };
static __thread int begun;

static int fails(void)
{
    char thread[16];
    if (begun < FIRST) {
        begun++;
        return 0;
    }
    if (atomic_load(&good) == LONG_MAX || prctl(PR_GET_NAME, thread) || !strcmp(thread, "clotho-build"))
        return 0;
    long left = atomic_fetch_sub(&good, 1);
    int fail = one_only ? left == 0 : left <= 0;
    if (fail)
        failed++;
    return fail;
}

static void *counted(void *block)
{
    if (block)
        live += (long)malloc_usable_size(block);
    else
        errno = ENOMEM;
    return block;
}

void *malloc(size_t size)
{
    return counted(fails() ? NULL : __libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return counted(fails() ? NULL : __libc_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
    long before = block ? (long)malloc_usable_size(block) : 0;
    if (fails()) {
        errno = ENOMEM;
        return NULL;
    }
    void *moved = counted(__libc_realloc(block, size));
    if (moved || !size)
        live -= before;
    return moved;
}

void free(void *block)
{
    if (block)
        live -= (long)malloc_usable_size(block);
    __libc_free(block);
}

void *memalign(size_t alignment, size_t size)
{
    return counted(fails() ? NULL : __libc_memalign(alignment, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    if (fails()) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}

void *mmap64(void *address, size_t size, int protection, int flags, int file, off64_t offset)
{
    return mmap(address, size, protection, flags, file, offset);
}

/* The calls */

enum { N = 1024, LARGE = 16 << 20 };

static struct host h;
static cl_kernel scale, turn;
static cl_program program;
static cl_mem shared, other, image;
static cl_uint data[N], back[N];
static atomic_int callbacks;

static const char SOURCE[] =
    "kernel void scale(global uint *p, uint by) { p[get_global_id(0)] *= by; }\n"
    "kernel void turn(global uint *p, local uint *t)\n"
    "{\n"
    "    size_t l = get_local_id(0), n = get_local_size(0);\n"
    "    t[l] = p[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    p[get_global_id(0)] = t[n - 1 - l];\n"
    "}\n";

static int is_shortage(cl_int code)
{
    return code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY;
}

/* The status that a command has ended with; its event is released. */
static cl_int status_of(cl_event event)
{
    cl_int code = clWaitForEvents(1, &event), status = 1;
    if (code && code != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST && !is_shortage(code))
        FAIL("clWaitForEvents answered %d", code);
    CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    CHECK(clReleaseEvent(event));
    return status;
}

/* An object that was made, or was not. */
#define MADE(release, call)                                                           \
    do {                                                                              \
        cl_int code = 77;                                                             \
        void *object = (call);                                                        \
        if ((object != NULL) != (code == CL_SUCCESS))                                 \
            FAIL("%s answered %d and %p", #call, code, object);                       \
        if (object)                                                                   \
            CHECK(release(object));                                                   \
        return code;                                                                  \
    } while (0)

/* A command that takes `&event`. */
#define COMMAND(call)                                        \
    do {                                                     \
        cl_event event = NULL;                               \
        cl_int code = (call);                                \
        if ((event != NULL) != (code == CL_SUCCESS))         \
            FAIL("%s answered %d and %p", #call, code, (void *)event); \
        return event ? status_of(event) : code;              \
    } while (0)

static void CL_CALLBACK count_event(cl_event event, cl_int status, void *user)
{
    (void)event, (void)status, (void)user;
    callbacks++;
}

static void CL_CALLBACK count_memory(cl_mem memory, void *user)
{
    (void)memory, (void)user;
    callbacks++;
}

static void CL_CALLBACK native(void *arguments)
{
    (void)arguments;
}

static cl_int context(void) { MADE(clReleaseContext, clCreateContext(NULL, 1, &h.device, NULL, NULL, &code)); }
static cl_int queue(void) { MADE(clReleaseCommandQueue, clCreateCommandQueue(h.context, h.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code)); }
static cl_int small_buffer(void) { MADE(clReleaseMemObject, clCreateBuffer(h.context, 0, 4096, NULL, &code)); }
static cl_int copied_buffer(void) { MADE(clReleaseMemObject, clCreateBuffer(h.context, CL_MEM_COPY_HOST_PTR, sizeof data, data, &code)); }
static cl_int large_buffer(void) { MADE(clReleaseMemObject, clCreateBuffer(h.context, 0, LARGE, NULL, &code)); }
static cl_int user_event(void) { MADE(clReleaseEvent, clCreateUserEvent(h.context, &code)); }
static cl_int sampler(void) { MADE(clReleaseSampler, clCreateSampler(h.context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code)); }
static cl_int kernel(void) { MADE(clReleaseKernel, clCreateKernel(program, "scale", &code)); }
static cl_int clone(void) { MADE(clReleaseKernel, clCloneKernel(scale, &code)); }

static cl_int sub_buffer(void)
{
    cl_buffer_region region = {128, 1024};
    MADE(clReleaseMemObject, clCreateSubBuffer(shared, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
}

static cl_int new_image(void)
{
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    MADE(clReleaseMemObject, clCreateImage(h.context, 0, &format, &desc, NULL, &code));
}

static cl_int long_source(void)
{
    static char text[1 << 18];
    memset(text, ' ', sizeof text - 1);
    const char *list[] = {text, SOURCE};
    MADE(clReleaseProgram, clCreateProgramWithSource(h.context, 2, list, NULL, &code));
}

/* No memory is there from the start: the front end has none. */
static cl_int build(void)
{
    cl_int code, built;
    const char *source = SOURCE;
    cl_program p = clCreateProgramWithSource(h.context, 1, &source, NULL, &code);
    if (!p)
        return code;
    built = clBuildProgram(p, 0, NULL, NULL, NULL, NULL);
    CHECK(clReleaseProgram(p));
    return built;
}

static cl_int shared_memory(void)
{
    void *p = clSVMAlloc(h.context, 0, 4096, 0);
    if (p)
        clSVMFree(h.context, p);
    return p ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

static cl_int large_shared_memory(void)
{
    void *p = clSVMAlloc(h.context, 0, LARGE, 0);
    if (p)
        clSVMFree(h.context, p);
    return p ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
}

static cl_int write_buffer(void) { COMMAND(clEnqueueWriteBuffer(h.queue, shared, CL_FALSE, 0, sizeof data, data, 0, NULL, &event)); }
static cl_int fill(void) { COMMAND(clEnqueueFillBuffer(h.queue, other, data, 128, 0, sizeof data, 0, NULL, &event)); }
static cl_int copy(void) { COMMAND(clEnqueueCopyBuffer(h.queue, shared, other, 0, 0, sizeof data, 0, NULL, &event)); }
static cl_int marker(void) { COMMAND(clEnqueueMarkerWithWaitList(h.queue, 0, NULL, &event)); }
static cl_int barrier(void) { COMMAND(clEnqueueBarrierWithWaitList(h.queue, 0, NULL, &event)); }
static cl_int migrate(void) { COMMAND(clEnqueueMigrateMemObjects(h.queue, 1, &shared, 0, 0, NULL, &event)); }

static cl_int read_buffer(void)
{
    cl_int code = clEnqueueWriteBuffer(h.queue, shared, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL);
    memset(back, 0, sizeof back);
    code = code ? code : clEnqueueReadBuffer(h.queue, shared, CL_TRUE, 0, sizeof back, back, 0, NULL, NULL);
    if (!code && memcmp(back, data, sizeof data))
        FAIL("a read that succeeded gave something else");
    return code;
}

static cl_int rectangle(void)
{
    size_t zero[3] = {0}, region[] = {16, 16, 1};
    COMMAND(clEnqueueReadBufferRect(h.queue, shared, CL_FALSE, zero, zero, region, 64, 0, 16, 0, back, 0, NULL, &event));
}

static cl_int image_fill(void)
{
    size_t zero[3] = {0}, region[] = {16, 16, 1};
    COMMAND(clEnqueueFillImage(h.queue, image, data, zero, region, 0, NULL, &event));
}

static cl_int map(void)
{
    cl_int code = 77;
    void *p = clEnqueueMapBuffer(h.queue, shared, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL, &code);
    if ((p != NULL) != (code == CL_SUCCESS))
        FAIL("clEnqueueMapBuffer answered %d and %p", code, p);
    if (!p)
        return code;
    /* It must be unmapped some time. */
    code = clEnqueueUnmapMemObject(h.queue, shared, p, 0, NULL, NULL);
    if (is_shortage(code)) {
        good = LONG_MAX;
        CHECK(clEnqueueUnmapMemObject(h.queue, shared, p, 0, NULL, NULL));
    }
    return code;
}

static cl_int native_kernel(void)
{
    static char arguments[1 << 16];
    COMMAND(clEnqueueNativeKernel(h.queue, native, arguments, sizeof arguments, 0, NULL, NULL, 0, NULL, &event));
}

static cl_int launch(void)
{
    size_t global = N;
    cl_uint one = 1;
    CHECK(clSetKernelArg(scale, 0, sizeof shared, &shared));
    CHECK(clSetKernelArg(scale, 1, sizeof one, &one));
    COMMAND(clEnqueueNDRangeKernel(h.queue, scale, 1, NULL, &global, NULL, 0, NULL, &event));
}

/* Local memory that no thread has room for yet. */
static cl_int local_launch(void)
{
    static size_t local_bytes = 16 << 10;
    size_t global = N, local = 64;
    local_bytes = local_bytes < 60 << 10 ? local_bytes + 64 : 16 << 10;
    CHECK(clSetKernelArg(turn, 0, sizeof other, &other));
    CHECK(clSetKernelArg(turn, 1, local_bytes, NULL));
    COMMAND(clEnqueueNDRangeKernel(h.queue, turn, 1, NULL, &global, &local, 0, NULL, &event));
}

static cl_int chain(void)
{
    cl_event events[8] = {0};
    cl_int code = CL_SUCCESS;
    for (int n = 0; n < 8 && !code; n++)
        code = clEnqueueMarkerWithWaitList(h.queue, (cl_uint)n, n ? events : NULL, &events[n]);
    for (int n = 0; n < 8; n++)
        if (events[n])
            CHECK(status_of(events[n]));
    return code;
}

static cl_int with_callbacks(void)
{
    cl_int code = 77;
    cl_event event = clCreateUserEvent(h.context, &code);
    if (!event)
        return code;
    int before = callbacks, want = 0;
    for (int n = 0; n < 8; n++) {
        code = clSetEventCallback(event, CL_COMPLETE, count_event, NULL);
        want += !code;
    }
    CHECK(clSetUserEventStatus(event, CL_COMPLETE));
    CHECK(clReleaseEvent(event));
    for (int n = 0; callbacks != before + want && n < 50000; n++)
        usleep(100);
    if (callbacks != before + want)
        FAIL("%d of %d callbacks came", callbacks - before, want);
    return code;
}

static cl_int with_destructors(void)
{
    cl_int code = 77;
    cl_mem memory = clCreateBuffer(h.context, 0, 64, NULL, &code);
    if (!memory)
        return code;
    int before = callbacks, want = 0;
    for (int n = 0; n < 8; n++) {
        code = clSetMemObjectDestructorCallback(memory, count_memory, NULL);
        want += !code;
    }
    CHECK(clReleaseMemObject(memory));
    if (callbacks != before + want)
        FAIL("%d of %d callbacks came", callbacks - before, want);
    return code;
}

static cl_int queries(void)
{
    char text[4096];
    CHECK(clGetDeviceInfo(h.device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    CHECK(clGetKernelInfo(scale, CL_KERNEL_FUNCTION_NAME, sizeof text, text, NULL));
    CHECK(clGetProgramBuildInfo(program, h.device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL));
    CHECK(clFlush(h.queue));
    CHECK(clFinish(h.queue));
    return CL_SUCCESS;
}

struct call {
    const char *name;
    cl_int (*run)(void);
    int from_start_only; /* LLVM may come later */
};

#define CALL(name) {#name, name, 0}
static const struct call CALLS[] = {
    CALL(context), CALL(queue), CALL(small_buffer), CALL(copied_buffer), CALL(large_buffer), CALL(user_event), CALL(sampler), CALL(kernel),
    CALL(clone), CALL(sub_buffer), CALL(new_image), CALL(long_source), {"build", build, 1}, CALL(shared_memory), CALL(large_shared_memory),
    CALL(write_buffer), CALL(fill), CALL(copy), CALL(marker), CALL(barrier), CALL(migrate), CALL(read_buffer), CALL(rectangle), CALL(image_fill),
    CALL(map), CALL(native_kernel), CALL(launch), CALL(local_launch), CALL(chain), CALL(with_callbacks), CALL(with_destructors), CALL(queries),
};

static int refusals, successes;

static void one_call(const struct call *call)
{
    for (int mode = call->from_start_only ? 0 : 1; mode >= 0; mode--) {
        long n = 0, count;
        do {
            long before = failed;
            one_only = mode;
            good = n++;
            cl_int code = call->run();
            good = LONG_MAX;
            count = failed - before;
            if (code && !is_shortage(code))
                FAIL("%s answered %d when allocation %ld failed", call->name, code, n - 1);
            if (count)
                *(code ? &refusals : &successes) += 1;
            CHECK(clFinish(h.queue));
        } while (count && n < 500 && !call->from_start_only);
        CHECK(call->run());
    }
}

static void CL_CALLBACK context_ends(cl_context ended, void *user)
{
    (void)ended, (void)user;
    callbacks = -1;
}

int main(void)
{
    h = host_open("");
    CHECK(clSetContextDestructorCallback(h.context, context_ends, NULL));
    program = host_build(&h, SOURCE, "");
    scale = host_kernel(program, "scale");
    turn = host_kernel(program, "turn");
    shared = host_buffer(&h, 0, sizeof data, NULL);
    other = host_buffer(&h, 0, sizeof data, NULL);
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    cl_int code;
    image = clCreateImage(h.context, 0, &format, &desc, NULL, &code);
    CHECK(code);
    for (cl_uint i = 0; i < N; i++)
        data[i] = i * 2654435761u;
    /* All machine code and all threads are there after this. */
    for (size_t n = 0; n < sizeof CALLS / sizeof *CALLS; n++)
        for (int times = 0; times < 3; times++)
            CHECK(CALLS[n].run());
    usleep(500000);
    long after_first = 0, grown = 0;
    for (int round = 0; round < 3; round++) {
        for (size_t n = 0; n < sizeof CALLS / sizeof *CALLS; n++)
            one_call(&CALLS[n]);
        if (round == 0)
            after_first = live;
        grown = live - after_first;
    }
    printf("%ld allocations failed: %d calls refused, %d worked all the same; %ld bytes more after 3 rounds than after one\n", (long)failed,
           refusals, successes, grown);
    if (grown > 128 << 10)
        FAIL("something is left behind");
    if (!refusals || !successes)
        FAIL("the library does not use this program's malloc");
    CHECK(clReleaseKernel(scale));
    CHECK(clReleaseKernel(turn));
    CHECK(clReleaseProgram(program));
    CHECK(clReleaseMemObject(shared));
    CHECK(clReleaseMemObject(other));
    CHECK(clReleaseMemObject(image));
    host_close(&h);
    for (int n = 0; callbacks != -1 && n < 50000; n++)
        usleep(100);
    if (callbacks != -1)
        FAIL("the context is still there");
    return 0;
}
