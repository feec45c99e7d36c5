/* Hosts that do what a driver does not hope for; one mode a process, because most of them end it or leave it odd.
 *     fork_before fork_idle fork_busy    a child of a fork that uses OpenCL, with or without having used it before
 *     exit_busy _exit_busy abort_busy    the process ends while commands run
 *     small_stack                        all of a program on a thread with a stack of 512 KiB
 *     locale                             under a locale with a decimal comma (LC_ALL of the environment)
 *     signals                            a signal arrives every 200 microseconds
 *     callbacks                          callbacks that call OpenCL, block, and set user events
 *     user_events                        user events that are never set, or set to an error
 *     release_busy                       everything is released while commands run
 *     whole                              nothing odd but the environment
 *     one_cpu                            the process may use one CPU
 *     shared                             eight threads make, enqueue, wait and release on the same objects */
#define _GNU_SOURCE
#include "host.h"
#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1 << 16 };

static const char *SOURCE = "kernel void add(global int *out, int n, int rounds) {\n"
                            "    int i = get_global_id(0), x = out[i];\n"
                            "    for (int r = 0; r < rounds; r++) x = x * 1664525 + n;\n"
                            "    out[i] = x;\n"
                            "}\n"
                            "kernel void sums(global const int *in, global int *out, local int *t) {\n"
                            "    int l = get_local_id(0);\n"
                            "    t[l] = in[get_global_id(0)];\n"
                            "    for (int s = get_local_size(0) / 2; s > 0; s /= 2) {\n"
                            "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "        if (l < s) t[l] += t[l + s];\n"
                            "    }\n"
                            "    if (l == 0) out[get_group_id(0)] = t[0];\n"
                            "}\n"
                            "kernel void reals(global float *out) { out[0] = 1.5f; printf(\"%.2f\\n\", out[0]); }\n";

static int expected(int x, int n, int rounds)
{
    unsigned value = (unsigned)x;
    for (int r = 0; r < rounds; r++)
        value = value * 1664525u + (unsigned)n;
    return (int)value;
}

/* Makes all objects, runs both kernels, checks what they gave, releases all. */
static void whole_program(void)
{
    struct host h = host_open("");
    cl_program program = host_build(&h, SOURCE, "");
    int *in = malloc(N * sizeof *in), *out = malloc(N * sizeof *out);
    if (!in || !out)
        FAIL("out of memory");
    cl_kernel add = host_kernel(program, "add"), sums = host_kernel(program, "sums");
    for (int i = 0; i < N; i++)
        in[i] = i;
    cl_mem a = host_buffer(&h, CL_MEM_COPY_HOST_PTR, N * sizeof *in, in);
    cl_mem b = host_buffer(&h, 0, N * sizeof *out, NULL);
    int n = 7, rounds = 3;
    size_t global = N, local = 64;
    CHECK(clSetKernelArg(add, 0, sizeof a, &a));
    CHECK(clSetKernelArg(add, 1, sizeof n, &n));
    CHECK(clSetKernelArg(add, 2, sizeof rounds, &rounds));
    CHECK(clSetKernelArg(sums, 0, sizeof a, &a));
    CHECK(clSetKernelArg(sums, 1, sizeof b, &b));
    CHECK(clSetKernelArg(sums, 2, local * sizeof(int), NULL));
    CHECK(clEnqueueNDRangeKernel(h.queue, add, 1, NULL, &global, NULL, 0, NULL, NULL));
    CHECK(clEnqueueNDRangeKernel(h.queue, sums, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(h.queue, b, CL_TRUE, 0, N / local * sizeof(int), out, 0, NULL, NULL));
    for (size_t g = 0; g < N / local; g++) {
        unsigned sum = 0;
        for (size_t l = 0; l < local; l++)
            sum += (unsigned)expected((int)(g * local + l), n, rounds);
        if (out[g] != (int)sum)
            FAIL("group %zu gave %d, not %d", g, out[g], (int)sum);
    }
    free(in);
    free(out);
    CHECK(clReleaseMemObject(a));
    CHECK(clReleaseMemObject(b));
    CHECK(clReleaseKernel(add));
    CHECK(clReleaseKernel(sums));
    CHECK(clReleaseProgram(program));
    host_close(&h);
}

/* Objects with some tenths of a second of work on the way. */
struct busy {
    struct host h;
    cl_program program;
    cl_kernel add;
    cl_mem buffer;
    cl_event last;
};

static struct busy make_busy(void)
{
    struct busy b = {.h = host_open("")};
    b.program = host_build(&b.h, SOURCE, "");
    b.add = host_kernel(b.program, "add");
    b.buffer = host_buffer(&b.h, 0, N * sizeof(int), NULL);
    int n = 7, rounds = 3000;
    size_t global = N;
    CHECK(clSetKernelArg(b.add, 0, sizeof b.buffer, &b.buffer));
    CHECK(clSetKernelArg(b.add, 1, sizeof n, &n));
    CHECK(clSetKernelArg(b.add, 2, sizeof rounds, &rounds));
    for (int k = 0; k < 10; k++)
        CHECK(clEnqueueNDRangeKernel(b.h.queue, b.add, 1, NULL, &global, NULL, 0, NULL, k == 9 ? &b.last : NULL));
    CHECK(clFlush(b.h.queue));
    return b;
}

static void release_busy(struct busy *b)
{
    CHECK(clReleaseKernel(b->add));
    CHECK(clReleaseProgram(b->program));
    CHECK(clReleaseMemObject(b->buffer));
    CHECK(clReleaseEvent(b->last));
    host_close(&b->h);
}

static void in_child(void)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        FAIL("fork: %s", strerror(errno));
    if (!child) {
        alarm(60);
        whole_program();
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        FAIL("the child ended with %x", status);
}

static void *on_thread(void *unused)
{
    whole_program();
    return unused;
}

static void small_stack(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstacksize(&attributes, 512 << 10) || pthread_create(&thread, &attributes, on_thread, NULL))
        FAIL("no thread with a stack of 512 KiB");
    pthread_join(thread, NULL);
}

static volatile sig_atomic_t alarms;

static void on_alarm(int unused)
{
    (void)unused;
    alarms++;
}

static void signals(void)
{
    /* Without SA_RESTART: system calls are interrupted. */
    struct sigaction action = {.sa_handler = on_alarm};
    struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int n = 0; n < 5; n++)
        whole_program();
    setitimer(ITIMER_REAL, &never, NULL);
    if (!alarms)
        FAIL("no signal came");
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int called;

static void count_call(void)
{
    pthread_mutex_lock(&lock);
    called++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void wait_for_calls(int count)
{
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 60;
    pthread_mutex_lock(&lock);
    while (called < count)
        if (pthread_cond_timedwait(&changed, &lock, &limit))
            FAIL("%d of %d callbacks came", called, count);
    pthread_mutex_unlock(&lock);
}

static struct busy *callback_objects;

static void CL_CALLBACK runs_a_program(cl_event event, cl_int status, void *user)
{
    (void)event, (void)status, (void)user;
    whole_program();
    count_call();
}

static void CL_CALLBACK waits_for_another(cl_event event, cl_int status, void *user)
{
    (void)event, (void)status;
    cl_event other = user;
    CHECK(clWaitForEvents(1, &other));
    count_call();
}

static void CL_CALLBACK finishes_the_queue(cl_event event, cl_int status, void *user)
{
    (void)event, (void)status, (void)user;
    CHECK(clFinish(callback_objects->h.queue));
    count_call();
}

static void CL_CALLBACK sets_a_user_event(cl_event event, cl_int status, void *user)
{
    (void)event, (void)status;
    CHECK(clSetUserEventStatus(user, CL_COMPLETE));
    count_call();
}

static void callbacks(void)
{
    struct busy b = make_busy();
    callback_objects = &b;
    cl_int code;
    cl_event gate = clCreateUserEvent(b.h.context, &code), after;
    CHECK(code);
    CHECK(clEnqueueMarkerWithWaitList(b.h.queue, 1, &gate, &after));
    CHECK(clSetEventCallback(b.last, CL_COMPLETE, waits_for_another, after));
    CHECK(clSetEventCallback(b.last, CL_COMPLETE, finishes_the_queue, NULL));
    CHECK(clSetEventCallback(b.last, CL_COMPLETE, runs_a_program, NULL));
    CHECK(clSetEventCallback(b.last, CL_COMPLETE, sets_a_user_event, gate));
    wait_for_calls(4);
    CHECK(clFinish(b.h.queue));
    CHECK(clReleaseEvent(gate));
    CHECK(clReleaseEvent(after));
    release_busy(&b);
}

static void expect_status(cl_event event, cl_int wanted)
{
    cl_int status;
    CHECK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    if (status != wanted)
        FAIL("status %d, not %d", status, wanted);
}

static void user_events(void)
{
    struct busy b = make_busy();
    cl_int code;
    cl_queue_properties loose[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue other = clCreateCommandQueueWithProperties(b.h.context, b.h.device, loose, &code);
    CHECK(code);
    size_t global = N;
    cl_event failed = clCreateUserEvent(b.h.context, &code), forgotten, waiting[2];
    CHECK(code);
    CHECK(clEnqueueNDRangeKernel(other, b.add, 1, NULL, &global, NULL, 1, &failed, &waiting[0]));
    CHECK(clEnqueueNDRangeKernel(other, b.add, 1, NULL, &global, NULL, 1, &waiting[0], &waiting[1]));
    CHECK(clSetUserEventStatus(failed, -77));
    if (clWaitForEvents(1, &waiting[1]) != CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        FAIL("a command after a failed event was not given up");
    expect_status(failed, -77);
    expect_status(waiting[0], CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    expect_status(waiting[1], CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    CHECK(clFinish(other));
    /* Never set, and released: what waits for it is given up, so that the queue can end. */
    forgotten = clCreateUserEvent(b.h.context, &code);
    CHECK(code);
    CHECK(clReleaseEvent(waiting[0]));
    CHECK(clEnqueueNDRangeKernel(other, b.add, 1, NULL, &global, NULL, 1, &forgotten, &waiting[0]));
    CHECK(clReleaseEvent(forgotten));
    clWaitForEvents(1, &waiting[0]);
    expect_status(waiting[0], CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    /* Never set, never released: the process ends with a command that waits for it. */
    forgotten = clCreateUserEvent(b.h.context, &code);
    CHECK(code);
    CHECK(clEnqueueMarkerWithWaitList(other, 1, &forgotten, NULL));
    CHECK(clReleaseEvent(failed));
    CHECK(clReleaseEvent(waiting[0]));
    CHECK(clReleaseEvent(waiting[1]));
    CHECK(clReleaseCommandQueue(other));
    release_busy(&b);
}

struct shared {
    struct busy b;
    cl_context context;
    unsigned seed;
};

static void *share(void *argument)
{
    struct shared *s = argument;
    struct busy *b = &s->b;
    unsigned seed = s->seed;
    for (int n = 0; n < 400; n++) {
        cl_int code;
        cl_event event = NULL;
        int data[16];
        seed = seed * 1664525u + 1013904223u;
        switch (seed >> 29) {
        case 0:
        case 1: {
            size_t global = 64 << (seed >> 20 & 7);
            CHECK(clEnqueueNDRangeKernel(b->h.queue, b->add, 1, NULL, &global, NULL, 0, NULL, &event));
            CHECK(clWaitForEvents(1, &event));
            break;
        }
        case 2:
            CHECK(clEnqueueReadBuffer(b->h.queue, b->buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, &event));
            break;
        case 3:
            CHECK(clEnqueueFillBuffer(b->h.queue, b->buffer, &seed, 4, 0, 4096, 1, &b->last, &event));
            CHECK(clFlush(b->h.queue));
            break;
        case 4: {
            cl_command_queue queue = clCreateCommandQueueWithProperties(b->h.context, b->h.device, NULL, &code);
            CHECK(code);
            CHECK(clEnqueueMarkerWithWaitList(queue, 1, &b->last, &event));
            CHECK(clReleaseCommandQueue(queue));
            break;
        }
        case 5: {
            cl_mem buffer = host_buffer(&b->h, 0, 4096, NULL);
            CHECK(clEnqueueCopyBuffer(b->h.queue, b->buffer, buffer, 0, 0, 4096, 0, NULL, &event));
            CHECK(clReleaseMemObject(buffer));
            break;
        }
        case 6: {
            cl_kernel kernel = clCloneKernel(b->add, &code);
            CHECK(code);
            CHECK(clReleaseKernel(kernel));
            CHECK(clRetainMemObject(b->buffer));
            CHECK(clReleaseMemObject(b->buffer));
            break;
        }
        default:
            CHECK(clFinish(b->h.queue));
        }
        if (event)
            CHECK(clReleaseEvent(event));
    }
    return NULL;
}

static void shared_objects(void)
{
    struct busy b = make_busy();
    int rounds = 2;
    CHECK(clSetKernelArg(b.add, 2, sizeof rounds, &rounds));
    pthread_t threads[8];
    struct shared data[8];
    for (unsigned n = 0; n < 8; n++) {
        data[n] = (struct shared){.b = b, .seed = n};
        if (pthread_create(&threads[n], NULL, share, &data[n]))
            FAIL("no thread");
    }
    for (int n = 0; n < 8; n++)
        pthread_join(threads[n], NULL);
    CHECK(clFinish(b.h.queue));
    release_busy(&b);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    if (!strcmp(mode, "fork_before")) {
        in_child();
        whole_program();
    } else if (!strcmp(mode, "fork_idle")) {
        whole_program();
        in_child();
        whole_program();
    } else if (!strcmp(mode, "fork_busy")) {
        struct busy b = make_busy();
        in_child();
        CHECK(clFinish(b.h.queue));
        expect_status(b.last, CL_COMPLETE);
        release_busy(&b);
        whole_program();
    } else if (!strcmp(mode, "exit_busy")) {
        make_busy();
        exit(0);
    } else if (!strcmp(mode, "_exit_busy")) {
        make_busy();
        _exit(0);
    } else if (!strcmp(mode, "abort_busy")) {
        pid_t child = fork();
        if (!child) {
            make_busy();
            abort();
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
            FAIL("the child ended with %x", status);
    } else if (!strcmp(mode, "small_stack")) {
        small_stack();
    } else if (!strcmp(mode, "locale")) {
        if (!setlocale(LC_ALL, "") || strcmp(localeconv()->decimal_point, ","))
            fprintf(stderr, "no locale with a comma: C it is\n");
        struct host h = host_open("");
        cl_program program = host_build(&h, SOURCE, "-DX=1.25f");
        float out;
        size_t one = 1;
        cl_mem buffer = host_buffer(&h, 0, sizeof out, NULL);
        cl_kernel reals = host_kernel(program, "reals");
        CHECK(clSetKernelArg(reals, 0, sizeof buffer, &buffer));
        CHECK(clEnqueueNDRangeKernel(h.queue, reals, 1, NULL, &one, NULL, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(h.queue, buffer, CL_TRUE, 0, sizeof out, &out, 0, NULL, NULL));
        if (out != 1.5f)
            FAIL("it gave %g", (double)out);
        whole_program();
    } else if (!strcmp(mode, "signals")) {
        signals();
    } else if (!strcmp(mode, "callbacks")) {
        callbacks();
    } else if (!strcmp(mode, "user_events")) {
        user_events();
    } else if (!strcmp(mode, "release_busy")) {
        struct busy b = make_busy();
        release_busy(&b);
        whole_program();
    } else if (!strcmp(mode, "one_cpu")) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(0, &one);
        if (sched_setaffinity(0, sizeof one, &one))
            FAIL("sched_setaffinity: %s", strerror(errno));
        struct host h = host_open("");
        cl_uint units;
        CHECK(clGetDeviceInfo(h.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
        if (units != 1)
            FAIL("%u compute units on one CPU", units);
        host_close(&h);
        whole_program();
    } else if (!strcmp(mode, "whole")) {
        whole_program();
    } else if (!strcmp(mode, "shared")) {
        shared_objects();
    } else {
        FAIL("no mode '%s'", mode);
    }
    return 0;
}
