/* The world that the threads of api_soak share, and the model of it: what each object is, what each piece of memory holds
 * when all commands so far have run, what status each event will end with, and which callbacks are still to come.
 *
 * Invariants:
 * - No lock is waited for: a thread that does not get one gives the step up. A thread sets its own user events before it
 *   blocks. So whatever a thread waits for ends without it.
 * - What a step does is drawn from the seed, the thread's number and the step's; only which objects are free is chance.
 * - Commands on one region run one after the other, by events or by an in-order queue, so that its bytes are known.
 * - A command that waits for an event with an error changes nothing, and no region waits for it. */
#ifndef API_SOAK_WORLD_H
#define API_SOAK_WORLD_H

#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    THREADS = 8,
    CONTEXTS = 2,
    QUEUES = 6,
    BUFFERS = 6,
    REGIONS = 8,
    REGION = 4096,
    IMAGES = 4,
    SIDE = 32, /* of an image of RGBA bytes, which is one region */
    SHARED = 4,
    KERNELS = 4,
    SAMPLERS = 2,
    BOARD = 16,
    PENDING = 24,
    USERS = 3,
    WAITS = 6,
    LIVES = 1 << 24,
    CALLS = 1 << 18
};

/* An object that any thread may use, and that any may replace. */
struct slot {
    pthread_rwlock_t use; /* shared while a call uses the object, exclusive while it is replaced */
    pthread_mutex_t refs_lock;
    cl_uint refs;
    void *object;
    int context;
    unsigned generation;
};

struct queue {
    struct slot slot;
    int in_order, profiled;
    atomic_int unnamed; /* it has had commands without events since it was made */
};

/* Bytes that commands work on one after the other. */
struct region {
    pthread_mutex_t lock;
    unsigned char bytes[REGION];
    cl_event last; /* what the next command must wait for; a reference */
    int unnamed;   /* instead of `last`: the last command of `queue` */
    struct queue *queue;
    unsigned generation;
};

struct memory {
    struct slot slot;
    cl_mem_flags flags;
    struct region regions[REGIONS]; /* an image has one */
};

struct kernel {
    struct slot slot;
    pthread_mutex_t args; /* from the first clSetKernelArg to the enqueue */
    int which;
};

/* An event for others to wait for. */
struct posted {
    pthread_mutex_t lock;
    cl_event event;
    cl_int fate;
    int context;
};

/* A command whose end has not been looked at. */
struct pending {
    cl_event event;
    cl_int fate;
    cl_command_type type;
    int profiled, context;
    unsigned char *host; /* memory of the command, and what it must hold at the end */
    unsigned char *expected;
    size_t size;
};

struct user {
    cl_event event;
    cl_int fate;
    int context;
};

struct thread {
    pthread_t handle;
    int number;
    uint64_t random;
    atomic_ulong step;
    atomic_ulong calls;
    _Atomic(const char *) doing; /* the call that it is in */
    struct pending pending[PENDING];
    int first, count;
    struct user users[USERS];
    int user_count;
};

static const char SOURCE[] =
    "kernel void scale(global uint *p, uint first, uint by, uint add)\n"
    "{\n"
    "    size_t i = first + get_global_id(0);\n"
    "    p[i] = p[i] * by + add;\n"
    "}\n"
    "kernel void turn(global uint *p, uint first, local uint *t)\n"
    "{\n"
    "    size_t l = get_local_id(0), n = get_local_size(0), i = first + get_global_id(0);\n"
    "    t[l] = p[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    p[i] = t[n - 1 - l];\n"
    "}\n"
    "kernel void mirror(read_only image2d_t in, write_only image2d_t out, sampler_t s)\n"
    "{\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imageui(out, (int2)(get_global_size(0) - 1 - at.x, at.y), read_imageui(in, s, at));\n"
    "}\n";
static const char *const KERNEL_NAMES[] = {"scale", "turn", "mirror"};

static uint64_t seed = 1;
static atomic_int stop;
static cl_platform_id platform;
static cl_device_id device;
static struct slot contexts[CONTEXTS], programs[CONTEXTS], samplers[SAMPLERS];
static struct queue queues[QUEUES];
static struct memory buffers[BUFFERS], images[IMAGES], shared[SHARED];
static struct kernel kernels[KERNELS];
static struct posted board[BOARD];
static struct thread threads[THREADS];

/* Draws */

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint32_t draw(struct thread *t)
{
    t->random += 0x9e3779b97f4a7c15u;
    return (uint32_t)(mixed(t->random) >> 32);
}

static uint32_t below(struct thread *t, uint32_t limit)
{
    return draw(t) % limit;
}

static int one_in(struct thread *t, uint32_t n)
{
    return below(t, n) == 0;
}

static void draw_bytes(struct thread *t, unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)draw(t);
}

/* Differences between the model and what was seen end the run. */

static void dump(void)
{
    for (int n = 0; n < THREADS; n++)
        fprintf(stderr, "thread %d, step %lu, call %lu: %s\n", n, threads[n].step, threads[n].calls,
                threads[n].doing ? threads[n].doing : "between calls");
    fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
}

static _Noreturn void wrong(struct thread *t, const char *file, int line, const char *format, ...)
{
    static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&once);
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: thread %d, step %lu: ", file, line, t ? t->number : -1, t ? t->step : 0);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    dump();
    _exit(1);
}

#define WRONG(...) wrong(t, __FILE__, __LINE__, __VA_ARGS__)
#define TRUE_(condition)                                \
    do {                                                \
        if (!(condition))                               \
            WRONG("%s does not hold", #condition); \
    } while (0)

static void answered(struct thread *t, cl_int got, cl_int want, const char *call, const char *file, int line)
{
    if (t) {
        t->calls++;
        t->doing = NULL;
    }
    if (got != want)
        wrong(t, file, line, "%s answered %d, not %d", call, got, want);
}

#define DOING(call) (t ? (void)(t->doing = call) : (void)0)
#define IS(want, call) (DOING(#call), answered(t, (call), (want), #call, __FILE__, __LINE__))
#define OK(call) IS(CL_SUCCESS, call)

static void *made(struct thread *t, void *object, cl_int got, cl_int want, const char *call, const char *file, int line)
{
    answered(t, got, want, call, file, line);
    if ((object != NULL) != (want == CL_SUCCESS))
        wrong(t, file, line, "%s answered %d and %p", call, got, object);
    return object;
}

/* A call that returns an object and takes `&code`. */
static _Thread_local cl_int code;
static _Thread_local void *object;
#define MAKES(want, call) (DOING(#call), code = 77777, object = (call), made(t, object, code, want, #call, __FILE__, __LINE__))

/* Callbacks */

/* How many destructor callbacks of the n-th object are still to come; they come from the last registered to the first. */
static atomic_uchar lives[LIVES];
static atomic_uint lives_used;

static void life_ends(uintptr_t data)
{
    struct thread *t = NULL;
    unsigned char expected = (unsigned char)((data & 3) + 1);
    if (!atomic_compare_exchange_strong(&lives[data >> 2], &expected, data & 3))
        WRONG("destructor callback %zu of object %zu came when %u were to come", (size_t)data & 3, (size_t)data >> 2, expected);
}

static void CL_CALLBACK memory_ends(cl_mem handle, void *data)
{
    (void)handle;
    life_ends((uintptr_t)data);
}

static void CL_CALLBACK context_ends(cl_context handle, void *data)
{
    (void)handle;
    life_ends((uintptr_t)data);
}

static void CL_CALLBACK host_memory_ends(cl_mem handle, void *data)
{
    (void)handle;
    free(data);
}

/* Registers up to 3 destructor callbacks. */
static void watch_life(struct thread *t, cl_context context, cl_mem memory)
{
    unsigned life = atomic_fetch_add(&lives_used, 1), count = t ? 1 + below(t, 3) : 1;
    if (life >= LIVES)
        WRONG("more than %d objects: set a shorter time", LIVES);
    lives[life] = (unsigned char)count;
    for (uintptr_t n = 0; n < count; n++) {
        void *data = (void *)((uintptr_t)life << 2 | n);
        if (memory)
            OK(clSetMemObjectDestructorCallback(memory, memory_ends, data));
        else
            OK(clSetContextDestructorCallback(context, context_ends, data));
    }
}

/* A callback that is to come once, with a status. Entries are used again after a long time. */
struct expected_call {
    atomic_uint state; /* 2 * round, and one more while it is to come */
    cl_int status, other_status; /* either will do */
    cl_event to_set; /* a user event that it sets, and releases */
    cl_int set_to;
};
static struct expected_call calls[CALLS];
static atomic_uint calls_used;

static uintptr_t expect_call(struct thread *t, cl_int status, cl_event to_set, cl_int set_to)
{
    unsigned number = atomic_fetch_add(&calls_used, 1), round = number / CALLS;
    struct expected_call *call = &calls[number % CALLS];
    if (call->state != 2 * round)
        WRONG("a callback has not come for %d others", CALLS);
    call->status = call->other_status = status;
    call->to_set = to_set;
    call->set_to = set_to;
    call->state = 2 * round + 1;
    return number;
}

static void call_came(uintptr_t number, cl_int status)
{
    struct thread *t = NULL;
    unsigned round = (unsigned)number / CALLS;
    struct expected_call *call = &calls[number % CALLS];
    if (status != call->status && status != call->other_status)
        WRONG("callback %zu came with status %d, not %d", (size_t)number, status, call->status);
    if (call->to_set) {
        OK(clSetUserEventStatus(call->to_set, call->set_to));
        OK(clReleaseEvent(call->to_set));
    }
    unsigned expected = 2 * round + 1;
    if (!atomic_compare_exchange_strong(&call->state, &expected, 2 * round + 2))
        WRONG("callback %zu came in state %u", (size_t)number, expected);
}

static void CL_CALLBACK event_came(cl_event event, cl_int status, void *data)
{
    (void)event;
    call_came((uintptr_t)data, status);
}

static void CL_CALLBACK build_came(cl_program program, void *data)
{
    (void)program;
    call_came((uintptr_t)data, CL_COMPLETE);
}

static void CL_CALLBACK shared_came(cl_command_queue queue, cl_uint count, void **pointers, void *data)
{
    (void)queue;
    struct thread *t = NULL;
    TRUE_(count == 1);
    clSVMFree(contexts[(uintptr_t)data & 1].object, pointers[0]);
    call_came((uintptr_t)data >> 1, CL_COMPLETE);
}

/* Locks */

static int use(struct slot *s)
{
    return !pthread_rwlock_tryrdlock(&s->use);
}

static void leave(struct slot *s)
{
    pthread_rwlock_unlock(&s->use);
}

static cl_context context_of(const struct slot *s)
{
    return contexts[s->context].object;
}

static void init_slot(struct slot *s, int context)
{
    pthread_rwlock_init(&s->use, NULL);
    pthread_mutex_init(&s->refs_lock, NULL);
    s->context = context;
}

static void fill_slot(struct slot *s, void *made_object)
{
    s->object = made_object;
    s->refs = 1;
    s->generation++;
}

static void forget_last(struct region *r)
{
    struct thread *t = NULL;
    if (r->last)
        OK(clReleaseEvent(r->last));
    r->last = NULL;
    r->unnamed = 0;
}
#endif
