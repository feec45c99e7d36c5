/* clEnqueueNativeKernel: functions of the host get a copy of their arguments, with the addresses of buffers in it. */
#include "check.h"
#include <pthread.h>

struct arguments {
    int number;
    void *buffer;
    cl_mem plain;
    double factor;
    void *part;
    cl_context context;
};

static pthread_t host;
static int calls;

static void CL_CALLBACK work(void *p)
{
    struct arguments *a = p;
    TRUE_((uintptr_t)a % 16 == 0 && !pthread_equal(pthread_self(), host));
    TRUE_((char *)a->part == (char *)a->buffer + 128);
    ((double *)a->part)[0] = a->number * a->factor;
    a->number = 99; /* a copy */
    /* It may call OpenCL. */
    cl_uint references = 0;
    OK(clGetContextInfo(a->context, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, NULL));
    TRUE_(references == 1);
    calls++;
}

static void CL_CALLBACK nothing(void *p)
{
    TRUE_(p == NULL);
    calls++;
}

int main(void)
{
    set_up();
    host = pthread_self();
    cl_device_exec_capabilities can = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL));
    TRUE_(can == (CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL));
    cl_buffer_region region = {128, 64};
    cl_mem buffer = MAKES(clCreateBuffer(context, 0, 256, NULL, &err));
    cl_mem part = MAKES(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
    cl_mem objects[] = {buffer, part}, bad[] = {buffer, NULL};
    cl_context other = MAKES(clCreateContext(NULL, 1, &device, NULL, NULL, &err));
    cl_mem foreign = MAKES(clCreateBuffer(other, 0, 256, NULL, &err));
    struct arguments a = {6, buffer, buffer, 7.0, part, context};
    const void *places[] = {&a.buffer, &a.part}, *before[] = {(char *)&a - 8, &a.part};
    const void *behind[] = {&a.buffer, (char *)&a + sizeof a - 7};
    cl_event gate = MAKES(clCreateUserEvent(context, &err)), event;
    double result = 0;
    OK(clEnqueueNativeKernel(queue, work, &a, sizeof a, 2, objects, places, 1, &gate, &event));
    a.number = 0; /* the command has a copy */
    OK(clReleaseMemObject(part));
    OK(clFlush(queue));
    TRUE_(calls == 0);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &event));
    cl_command_type type = 0;
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    TRUE_(type == CL_COMMAND_NATIVE_KERNEL && calls == 1 && a.number == 0 && a.buffer == buffer);
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 128, sizeof result, &result, 0, NULL, NULL));
    TRUE_(result == 42.0);
    OK(clEnqueueNativeKernel(queue, nothing, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    TRUE_(calls == 2);
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(gate));

    IS(CL_INVALID_COMMAND_QUEUE, clEnqueueNativeKernel(NULL, work, &a, sizeof a, 0, NULL, NULL, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, NULL, &a, sizeof a, 0, NULL, NULL, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, work, NULL, sizeof a, 0, NULL, NULL, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, work, &a, 0, 0, NULL, NULL, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, work, NULL, 0, 1, objects, places, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, work, &a, sizeof a, 1, NULL, places, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, work, &a, sizeof a, 1, objects, NULL, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, work, &a, sizeof a, 0, objects, NULL, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, work, &a, sizeof a, 0, NULL, places, 0, NULL, NULL));
    objects[1] = buffer;
    IS(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, work, &a, sizeof a, 2, objects, before, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, work, &a, sizeof a, 2, objects, behind, 0, NULL, NULL));
    IS(CL_INVALID_MEM_OBJECT, clEnqueueNativeKernel(queue, work, &a, sizeof a, 2, bad, places, 0, NULL, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueNativeKernel(queue, work, &a, sizeof a, 1, &foreign, places, 0, NULL, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueNativeKernel(queue, work, &a, sizeof a, 0, NULL, NULL, 1, NULL, NULL));
    OK(clFinish(queue));
    TRUE_(calls == 2);
    OK(clReleaseMemObject(foreign));
    OK(clReleaseContext(other));
    OK(clReleaseMemObject(buffer));
    tear_down();
    return done();
}
