/* Events: user events, wait lists, callbacks, queries, profiling, markers and barriers. */
#include "check.h"
#include <stdatomic.h>
#include <unistd.h>

static cl_event event;
#define EVENT(name, size, value, ret) clGetEventInfo(event, name, size, value, ret)

static cl_int status_of(cl_event e)
{
    cl_int status = 99;
    OK(clGetEventInfo(e, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

static atomic_int called, last_status;

static void CL_CALLBACK on_event(cl_event e, cl_int status, void *user)
{
    (void)e;
    last_status = status;
    called += (int)(intptr_t)user;
}

static void wait_for_calls(int count)
{
    for (int i = 0; i < 2000 && called < count; i++)
        usleep(1000);
    TRUE_(called == count);
}

static void user_events(void)
{
    cl_command_queue q = NULL;
    cl_command_type type = 0;
    event = MAKES(clCreateUserEvent(context, &err));
    TRUE_(status_of(event) == CL_SUBMITTED);
    QUERY_RULES(EVENT, CL_EVENT_COMMAND_QUEUE, sizeof(void *));
    QUERY_RULES(EVENT, CL_EVENT_CONTEXT, sizeof(void *));
    QUERY_RULES(EVENT, CL_EVENT_COMMAND_TYPE, 4);
    QUERY_RULES(EVENT, CL_EVENT_COMMAND_EXECUTION_STATUS, 4);
    QUERY_RULES(EVENT, CL_EVENT_REFERENCE_COUNT, 4);
    OK(EVENT(CL_EVENT_COMMAND_QUEUE, sizeof q, &q, NULL));
    OK(EVENT(CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    TRUE_(q == NULL && type == CL_COMMAND_USER);
    cl_ulong time;
    IS(CL_PROFILING_INFO_NOT_AVAILABLE,
       clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof time, &time, NULL));
    IS(CL_INVALID_VALUE, clSetUserEventStatus(event, CL_RUNNING));
    IS(CL_INVALID_VALUE, clSetUserEventStatus(event, CL_QUEUED));
    IS(CL_INVALID_VALUE, clSetEventCallback(event, CL_COMPLETE, NULL, NULL));
    IS(CL_INVALID_VALUE, clSetEventCallback(event, CL_QUEUED, on_event, NULL));
    IS(CL_INVALID_VALUE, clSetEventCallback(event, -1, on_event, NULL));
    OK(clSetEventCallback(event, CL_COMPLETE, on_event, (void *)1));
    OK(clSetUserEventStatus(event, CL_COMPLETE));
    IS(CL_INVALID_OPERATION, clSetUserEventStatus(event, CL_COMPLETE));
    OK(clWaitForEvents(1, &event));
    wait_for_calls(1);
    TRUE_(last_status == CL_COMPLETE && status_of(event) == CL_COMPLETE);
    OK(clSetEventCallback(event, CL_COMPLETE, on_event, (void *)1));
    wait_for_calls(2);
    OK(clRetainEvent(event));
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(event));
}

static void waiting(void)
{
    char byte = 1;
    cl_mem buffer = MAKES(clCreateBuffer(context, 0, 16, NULL, &err));
    cl_event gate = MAKES(clCreateUserEvent(context, &err)), write, mark, both[2];
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 1, &byte, 1, &gate, &write));
    OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &mark));
    OK(clFlush(queue));
    TRUE_(status_of(write) > CL_RUNNING && status_of(mark) > CL_RUNNING);
    cl_command_queue q = NULL;
    cl_context c = NULL;
    cl_command_type type = 0;
    OK(clGetEventInfo(write, CL_EVENT_COMMAND_QUEUE, sizeof q, &q, NULL));
    OK(clGetEventInfo(write, CL_EVENT_CONTEXT, sizeof c, &c, NULL));
    OK(clGetEventInfo(write, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    TRUE_(q == queue && c == context && type == CL_COMMAND_WRITE_BUFFER);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    both[0] = write, both[1] = mark;
    OK(clWaitForEvents(2, both));
    TRUE_(status_of(write) == CL_COMPLETE && status_of(mark) == CL_COMPLETE);
    OK(clReleaseEvent(write));
    OK(clReleaseEvent(mark));
    OK(clReleaseEvent(gate));

    /* An error goes on along wait lists. */
    called = 0;
    gate = MAKES(clCreateUserEvent(context, &err));
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 1, &byte, 1, &gate, &write));
    OK(clSetEventCallback(write, CL_COMPLETE, on_event, (void *)1));
    OK(clSetUserEventStatus(gate, -77));
    IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &gate));
    IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &write));
    TRUE_(status_of(gate) == -77 && status_of(write) < 0);
    wait_for_calls(1);
    TRUE_(last_status < 0);
    IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
       clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 1, &byte, 1, &gate, NULL));
    REFUSES(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 16, 1, &gate, NULL, &err));
    cl_uint maps = 9;
    OK(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof maps, &maps, NULL));
    TRUE_(maps == 0);
    OK(clReleaseEvent(write));
    OK(clReleaseEvent(gate));
    OK(clReleaseMemObject(buffer));
}

static void wrong_lists(void)
{
    cl_context elsewhere = MAKES(clCreateContext(NULL, 1, &device, NULL, NULL, &err));
    cl_event foreign = MAKES(clCreateUserEvent(elsewhere, &err)), mixed[2], mark, none = NULL;
    cl_mem buffer = MAKES(clCreateBuffer(context, 0, 16, NULL, &err));
    size_t zero[3] = {0}, one[3] = {1, 1, 1};
    char room[16];
    OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &mark));
    mixed[0] = mark, mixed[1] = foreign;
    IS(CL_INVALID_VALUE, clWaitForEvents(0, mixed));
    IS(CL_INVALID_VALUE, clWaitForEvents(1, NULL));
    IS(CL_INVALID_CONTEXT, clWaitForEvents(2, mixed));
#define LIST_RULES(call)                                                      \
    IS(CL_INVALID_EVENT_WAIT_LIST, call(1, NULL));                            \
    IS(CL_INVALID_EVENT_WAIT_LIST, call(0, &mark));                           \
    IS(CL_INVALID_EVENT_WAIT_LIST, call(1, &none));                           \
    IS(CL_INVALID_CONTEXT, call(1, &foreign))
#define MARKER(n, l) clEnqueueMarkerWithWaitList(queue, n, l, NULL)
#define BARRIER(n, l) clEnqueueBarrierWithWaitList(queue, n, l, NULL)
#define READ(n, l) clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, room, n, l, NULL)
#define WRITE(n, l) clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4, room, n, l, NULL)
#define COPY(n, l) clEnqueueCopyBuffer(queue, buffer, buffer, 0, 8, 4, n, l, NULL)
#define FILL(n, l) clEnqueueFillBuffer(queue, buffer, room, 4, 0, 4, n, l, NULL)
#define RRECT(n, l) clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, one, 0, 0, 0, 0, room, n, l, NULL)
#define WRECT(n, l) clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, zero, zero, one, 0, 0, 0, 0, room, n, l, NULL)
#define MAP(n, l) (clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 4, n, l, NULL, &err), err)
#define MIGRATE(n, l) clEnqueueMigrateMemObjects(queue, 1, &buffer, 0, n, l, NULL)
    LIST_RULES(MARKER);
    LIST_RULES(BARRIER);
    LIST_RULES(READ);
    LIST_RULES(WRITE);
    LIST_RULES(COPY);
    LIST_RULES(FILL);
    LIST_RULES(RRECT);
    LIST_RULES(WRECT);
    LIST_RULES(MAP);
    LIST_RULES(MIGRATE);
    IS(CL_INVALID_VALUE, clEnqueueMarker(queue, NULL));
    IS(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 0, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueWaitForEvents(queue, 1, &foreign));
    OK(clEnqueueWaitForEvents(queue, 1, &mark));
    OK(clEnqueueBarrier(queue));
    OK(clFinish(queue));
    OK(clReleaseEvent(mark));
    OK(clEnqueueMarker(queue, &mark));
    OK(clReleaseEvent(mark));
    OK(clReleaseEvent(foreign));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseContext(elsewhere));
}

static void profiling(void)
{
    cl_command_queue q = MAKES(clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &err));
    static char bytes[1 << 16];
    cl_mem buffer = MAKES(clCreateBuffer(context, 0, sizeof bytes, NULL, &err));
    cl_ulong times[5];
    cl_event plain;
    OK(clEnqueueWriteBuffer(q, buffer, CL_TRUE, 0, sizeof bytes, bytes, 0, NULL, &event));
    for (int i = 0; i < 5; i++)
        OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + i, sizeof *times, times + i, NULL));
    for (int i = 0; i < 4; i++)
        TRUE_(times[i] && times[i] <= times[i + 1]);
#define PROFILING(name, size, value, ret) clGetEventProfilingInfo(event, name, size, value, ret)
    QUERY_RULES(PROFILING, CL_PROFILING_COMMAND_START, 8);
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4, bytes, 0, NULL, &plain));
    IS(CL_PROFILING_INFO_NOT_AVAILABLE,
       clGetEventProfilingInfo(plain, CL_PROFILING_COMMAND_END, sizeof *times, times, NULL));
    cl_event gate = MAKES(clCreateUserEvent(context, &err)), held;
    OK(clEnqueueWriteBuffer(q, buffer, CL_FALSE, 0, 4, bytes, 1, &gate, &held));
    IS(CL_PROFILING_INFO_NOT_AVAILABLE,
       clGetEventProfilingInfo(held, CL_PROFILING_COMMAND_QUEUED, sizeof *times, times, NULL));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clFinish(q));
    OK(clReleaseEvent(held));
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(plain));
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(q));
}

int main(void)
{
    set_up();
    user_events();
    waiting();
    wrong_lists();
    profiling();
    tear_down();
    return done();
}
