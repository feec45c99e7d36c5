/* A program that frees what its callbacks use as soon as it has waited, as some do: the callbacks have been called by then. A
 * callback that blocks does not hold up those who wait. */
#include "host.h"
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void CL_CALLBACK note(cl_event event, cl_int status, void *user)
{
    (void)event, (void)status;
    usleep(300);
    *(int *)user += 1;
}

static void CL_CALLBACK blocks(cl_event event, cl_int status, void *user)
{
    (void)event, (void)status;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    *(atomic_int *)user += 1;
}

int main(void)
{
    struct host h = host_open("");
    cl_program program = host_build(&h, "kernel void k(global int *p) { p[get_global_id(0)] += 1; }", "");
    cl_mem buffer = host_buffer(&h, 0, 1 << 16, NULL);
    cl_kernel kernel = host_kernel(program, "k");
    size_t global = 1 << 14;
    CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    for (int n = 0; n < 600; n++) {
        int *called = calloc(1, sizeof *called), data[4];
        cl_event event;
        if (n % 3 == 2) {
            CHECK(clEnqueueReadBuffer(h.queue, buffer, CL_FALSE, 0, sizeof data, data, 0, NULL, &event));
        } else {
            CHECK(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
        }
        CHECK(clSetEventCallback(event, CL_COMPLETE, note, called));
        double start = host_seconds();
        CHECK(n % 2 ? clFinish(h.queue) : clWaitForEvents(1, &event));
        if (*called != 1)
            FAIL("run %d: the callback was called %d times before the wait was over, after %.6f s", n, *called, host_seconds() - start);
        free(called);
        CHECK(clReleaseEvent(event));
    }
    for (int n = 0; n < 20; n++) {
        int *late = calloc(1, sizeof *late), data[4];
        cl_event over;
        CHECK(clEnqueueReadBuffer(h.queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, &over));
        CHECK(clSetEventCallback(over, CL_COMPLETE, note, late));
        if (*late != 1)
            FAIL("a callback for a command that is over was called %d times", *late);
        free(late);
        CHECK(clReleaseEvent(over));
    }
    atomic_int called = 0;
    cl_event event;
    pthread_mutex_lock(&gate);
    CHECK(clEnqueueMarkerWithWaitList(h.queue, 0, NULL, &event));
    CHECK(clSetEventCallback(event, CL_COMPLETE, blocks, &called));
    double start = host_seconds();
    for (int n = 0; n < 2000; n++)
        CHECK(clFinish(h.queue));
    if (called)
        FAIL("the gate does not hold");
    if (host_seconds() - start > 30)
        FAIL("2000 waits beside a callback that blocks took %.1f s", host_seconds() - start);
    pthread_mutex_unlock(&gate);
    for (int n = 0; n < 1000 && !called; n++)
        usleep(10000);
    if (!called)
        FAIL("the callback did not end");
    CHECK(clReleaseEvent(event));
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseMemObject(buffer));
    CHECK(clReleaseProgram(program));
    host_close(&h);
    return 0;
}
