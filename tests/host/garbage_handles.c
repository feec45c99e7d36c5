/* Linked directly: handles that are null, garbage, of another type or released give the specification's codes.
   (A loader would follow them before we see them.) */
#include "check.h"

int main(void)
{
    char room[64];
    size_t ret;
    cl_uint count;
    set_up();
    cl_mem buffer = MAKES(clCreateBuffer(context, 0, 64, NULL, &err));

    IS(CL_INVALID_PLATFORM, clGetPlatformInfo(GARBAGE(cl_platform_id), CL_PLATFORM_NAME, 64, room, &ret));
    IS(CL_INVALID_PLATFORM, clGetDeviceIDs(GARBAGE(cl_platform_id), CL_DEVICE_TYPE_ALL, 0, NULL, &count));
    IS(CL_INVALID_PLATFORM, clUnloadPlatformCompiler(NULL));
    void *wrong[] = {NULL, GARBAGE(void *), (void *)1, buffer, room, &count, platform};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        void *h = wrong[i];
        IS(CL_INVALID_DEVICE, clGetDeviceInfo(h, CL_DEVICE_TYPE, 64, room, &ret));
        IS(CL_INVALID_DEVICE, clRetainDevice(h));
        IS(CL_INVALID_DEVICE, clReleaseDevice(h));
        IS(CL_INVALID_DEVICE, clGetHostTimer(h, (cl_ulong *)room));
        IS(CL_INVALID_CONTEXT, clGetContextInfo(h, CL_CONTEXT_NUM_DEVICES, 64, room, &ret));
        IS(CL_INVALID_CONTEXT, clRetainContext(h));
        IS(CL_INVALID_CONTEXT, clReleaseContext(h));
        REFUSES(CL_INVALID_CONTEXT, clCreateBuffer(h, 0, 64, NULL, &err));
        REFUSES(CL_INVALID_CONTEXT, clCreateUserEvent(h, &err));
        REFUSES(CL_INVALID_CONTEXT, clCreateCommandQueue(h, device, 0, &err));
        REFUSES(CL_INVALID_DEVICE, clCreateCommandQueue(context, h, 0, &err));
        IS(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(h, CL_QUEUE_CONTEXT, 64, room, &ret));
        IS(CL_INVALID_COMMAND_QUEUE, clRetainCommandQueue(h));
        IS(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(h));
        IS(CL_INVALID_COMMAND_QUEUE, clFlush(h));
        IS(CL_INVALID_COMMAND_QUEUE, clFinish(h));
        IS(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(h, buffer, CL_TRUE, 0, 4, room, 0, NULL, NULL));
        IS(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(h, 0, NULL, NULL));
        IS(CL_INVALID_PROGRAM, clRetainProgram(h));
        IS(CL_INVALID_PROGRAM, clReleaseProgram(h));
        IS(CL_INVALID_PROGRAM, clBuildProgram(h, 0, NULL, "", NULL, NULL));
        IS(CL_INVALID_PROGRAM, clGetProgramInfo(h, CL_PROGRAM_CONTEXT, 64, room, &ret));
        REFUSES(CL_INVALID_PROGRAM, clCreateKernel(h, "k", &err));
        IS(CL_INVALID_PROGRAM, clCreateKernelsInProgram(h, 0, NULL, &count));
        IS(CL_INVALID_KERNEL, clRetainKernel(h));
        IS(CL_INVALID_KERNEL, clReleaseKernel(h));
        IS(CL_INVALID_KERNEL, clSetKernelArg(h, 0, 4, room));
        IS(CL_INVALID_KERNEL, clGetKernelInfo(h, CL_KERNEL_CONTEXT, 64, room, &ret));
        IS(CL_INVALID_KERNEL, clEnqueueTask(queue, h, 0, NULL, NULL));
        REFUSES(CL_INVALID_KERNEL, clCloneKernel(h, &err));
        IS(CL_INVALID_EVENT, clRetainEvent(h));
        IS(CL_INVALID_EVENT, clReleaseEvent(h));
        IS(CL_INVALID_EVENT, clGetEventInfo(h, CL_EVENT_CONTEXT, 64, room, &ret));
        IS(CL_INVALID_EVENT, clSetUserEventStatus(h, 0));
        IS(CL_INVALID_EVENT, clWaitForEvents(1, (cl_event *)&h));
        IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(queue, 1, (cl_event *)&h, NULL));
        IS(CL_INVALID_SAMPLER, clRetainSampler(h));
        if (h == buffer)
            continue;
        IS(CL_INVALID_MEM_OBJECT, clRetainMemObject(h));
        IS(CL_INVALID_MEM_OBJECT, clReleaseMemObject(h));
        IS(CL_INVALID_MEM_OBJECT, clGetMemObjectInfo(h, CL_MEM_SIZE, 64, room, &ret));
        IS(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, h, CL_TRUE, 0, 4, room, 0, NULL, NULL));
        IS(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(queue, h, room, 0, NULL, NULL));
        REFUSES(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(h, 0, CL_BUFFER_CREATE_TYPE_REGION, room, &err));
    }
    cl_context_properties bad[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)(uintptr_t)buffer, 0};
    REFUSES(CL_INVALID_PLATFORM, clCreateContext(bad, 1, &device, NULL, NULL, &err));
    cl_device_id no_device = GARBAGE(cl_device_id);
    REFUSES(CL_INVALID_DEVICE, clCreateContext(NULL, 1, &no_device, NULL, NULL, &err));

    /* Released, but seen through others: a context lives as long as its objects. */
    OK(clReleaseMemObject(buffer));
    IS(CL_INVALID_MEM_OBJECT, clReleaseMemObject(buffer));
    cl_event event = MAKES(clCreateUserEvent(context, &err));
    OK(clReleaseEvent(event));
    IS(CL_INVALID_EVENT, clReleaseEvent(event));
    OK(clReleaseContext(context));
    cl_context again = NULL;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof again, &again, NULL));
    TRUE_(again == context);
    OK(clRetainContext(again));
    tear_down();
    IS(CL_INVALID_CONTEXT, clRetainContext(context));
    IS(CL_INVALID_COMMAND_QUEUE, clFinish(queue));
    return done();
}
