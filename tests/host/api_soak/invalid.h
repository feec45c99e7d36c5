/* Calls that break one rule each, on the objects that all threads share: the error, and no effect. */
#ifndef API_SOAK_INVALID_H
#define API_SOAK_INVALID_H

#include "objects.h"

/* What is no handle: null, and memory of the test's that begins as an object does, because the loader calls through that. */
static void *no_handle(struct thread *t)
{
    static void *plain[THREADS][32];
    memcpy(plain[t->number], platform, 2 * sizeof(void *));
    return one_in(t, 2) ? NULL : plain[t->number];
}

#define REFUSES(want, call) MAKES(want, call)

static void invalid_handles(struct thread *t, cl_command_queue q, struct memory *m, cl_kernel k)
{
    void *no = no_handle(t);
    cl_mem b = m->slot.object;
    cl_context c = context_of(&m->slot);
    cl_uint value = 0, size = sizeof value;
    switch (below(t, 24)) {
    case 0: IS(CL_INVALID_COMMAND_QUEUE, clFlush(no)); break;
    case 1: IS(CL_INVALID_COMMAND_QUEUE, clFinish(no)); break;
    case 2: IS(CL_INVALID_COMMAND_QUEUE, clEnqueueFillBuffer(no, b, &value, size, 0, 4, 0, NULL, NULL)); break;
    case 3: IS(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(q, no, &value, size, 0, 4, 0, NULL, NULL)); break;
    case 4: IS(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(q, no, CL_TRUE, 0, 4, &value, 0, NULL, NULL)); break;
    case 5: IS(CL_INVALID_EVENT, clRetainEvent(no)); break;
    case 6: IS(CL_INVALID_EVENT, clReleaseEvent(no)); break;
    case 7: IS(CL_INVALID_MEM_OBJECT, clReleaseMemObject(no)); break;
    case 8: IS(CL_INVALID_MEM_OBJECT, clRetainMemObject(no)); break;
    case 9: IS(CL_INVALID_CONTEXT, clRetainContext(no)); break;
    case 10: IS(CL_INVALID_CONTEXT, clReleaseContext(no)); break;
    case 11: IS(CL_INVALID_COMMAND_QUEUE, clReleaseCommandQueue(no)); break;
    case 12: IS(CL_INVALID_KERNEL, clReleaseKernel(no)); break;
    case 13: IS(CL_INVALID_PROGRAM, clReleaseProgram(no)); break;
    case 14: IS(CL_INVALID_SAMPLER, clReleaseSampler(no)); break;
    case 15: IS(CL_INVALID_KERNEL, clEnqueueNDRangeKernel(q, no, 1, NULL, &(size_t){1}, NULL, 0, NULL, NULL)); break;
    case 16: IS(CL_INVALID_KERNEL, clSetKernelArg(no, 0, 4, &value)); break;
    case 17: IS(CL_INVALID_PROGRAM, clBuildProgram(no, 0, NULL, NULL, NULL, NULL)); break;
    case 18: REFUSES(CL_INVALID_CONTEXT, clCreateBuffer(no, 0, 64, NULL, &code)); break;
    case 19: REFUSES(CL_INVALID_CONTEXT, clCreateUserEvent(no, &code)); break;
    /* A handle of another type. */
    case 20: IS(CL_INVALID_MEM_OBJECT, clRetainMemObject((cl_mem)q)); break;
    case 21: IS(CL_INVALID_COMMAND_QUEUE, clFlush((cl_command_queue)b)); break;
    case 22: IS(CL_INVALID_EVENT, clWaitForEvents(1, (cl_event *)&c)); break;
    case 23: IS(CL_INVALID_PROGRAM, clRetainProgram((cl_program)k)); break;
    }
}

static void invalid_commands(struct thread *t, cl_command_queue q, struct memory *m)
{
    static const size_t zeros[3], ones[3] = {1, 1, 1}, far[3] = {REGIONS * REGION, 0, 0};
    cl_mem b = m->slot.object, other = buffers[1 - m->slot.context].slot.object;
    cl_event event = NULL, wrong_event = no_handle(t), of_other = NULL;
    unsigned char bytes[128];
    size_t end = REGIONS * REGION;
    cl_bool blocking = one_in(t, 2);
    switch (below(t, 26)) {
    case 0: IS(CL_INVALID_VALUE, clEnqueueReadBuffer(q, b, blocking, end - 3, 4, bytes, 0, NULL, &event)); break;
    case 1: IS(CL_INVALID_VALUE, clEnqueueWriteBuffer(q, b, blocking, SIZE_MAX, 4, bytes, 0, NULL, &event)); break;
    case 2: IS(CL_INVALID_VALUE, clEnqueueReadBuffer(q, b, blocking, 0, 4, NULL, 0, NULL, &event)); break;
    case 3: IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueFillBuffer(q, b, bytes, 4, 0, 4, 1, NULL, &event)); break;
    case 4: IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueFillBuffer(q, b, bytes, 4, 0, 4, 0, &wrong_event, &event)); break;
    case 5: IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueFillBuffer(q, b, bytes, 4, 0, 4, 1, &wrong_event, &event)); break;
    case 6: IS(CL_INVALID_VALUE, clEnqueueFillBuffer(q, b, bytes, 3, 0, 3, 0, NULL, &event)); break;
    case 7: IS(CL_INVALID_VALUE, clEnqueueFillBuffer(q, b, bytes, 256, 0, 256, 0, NULL, &event)); break;
    case 8: IS(CL_INVALID_VALUE, clEnqueueFillBuffer(q, b, bytes, 8, 4, 8, 0, NULL, &event)); break;
    case 9: IS(CL_INVALID_VALUE, clEnqueueFillBuffer(q, b, bytes, 8, 0, 12, 0, NULL, &event)); break;
    case 10: IS(CL_INVALID_VALUE, clEnqueueFillBuffer(q, b, NULL, 8, 0, 8, 0, NULL, &event)); break;
    case 11: IS(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(q, b, b, 0, 8, 9, 0, NULL, &event)); break;
    case 12: IS(CL_INVALID_VALUE, clEnqueueCopyBuffer(q, b, b, 0, end - 8, 9, 0, NULL, &event)); break;
    case 13: REFUSES(CL_INVALID_VALUE, clEnqueueMapBuffer(q, b, blocking, CL_MAP_READ, 0, 0, 0, NULL, &event, &code)); break;
    case 14: REFUSES(CL_INVALID_VALUE, clEnqueueMapBuffer(q, b, blocking, 1 << 6, 0, 4, 0, NULL, &event, &code)); break;
    case 15: REFUSES(CL_INVALID_VALUE, clEnqueueMapBuffer(q, b, blocking, CL_MAP_READ, end, 1, 0, NULL, &event, &code)); break;
    case 16: IS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(q, b, bytes, 0, NULL, &event)); break;
    case 17: IS(CL_INVALID_VALUE, clEnqueueReadBufferRect(q, b, blocking, far, zeros, ones, 0, 0, 0, 0, bytes, 0, NULL, &event)); break;
    case 18: IS(CL_INVALID_VALUE, clEnqueueWriteBufferRect(q, b, blocking, zeros, zeros, zeros, 0, 0, 0, 0, bytes, 0, NULL, &event)); break;
    case 19: IS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(q, 0, NULL, 0, 0, NULL, &event)); break;
    case 20: IS(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(q, 1, &b, 1 << 9, 0, NULL, &event)); break;
    case 21: IS(CL_INVALID_VALUE, clEnqueueNativeKernel(q, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, &event)); break;
    case 22:
        if (use(&buffers[1 - m->slot.context].slot)) {
            other = buffers[1 - m->slot.context].slot.object;
            IS(CL_INVALID_CONTEXT, clEnqueueFillBuffer(q, other, bytes, 4, 0, 4, 0, NULL, &event));
            leave(&buffers[1 - m->slot.context].slot);
        }
        break;
    case 23:
        of_other = MAKES(CL_SUCCESS, clCreateUserEvent(contexts[1 - m->slot.context].object, &code));
        IS(CL_INVALID_CONTEXT, clEnqueueFillBuffer(q, b, bytes, 4, 0, 4, 1, &of_other, &event));
        OK(clReleaseEvent(of_other));
        break;
    case 24: IS(CL_INVALID_MEM_OBJECT, clEnqueueReadImage(q, b, blocking, zeros, ones, 0, 0, bytes, 0, NULL, &event)); break;
    case 25: IS(CL_INVALID_VALUE, clEnqueueSVMMemcpy(q, blocking, NULL, bytes, 4, 0, NULL, &event)); break;
    }
    TRUE_(!event);
}

static void invalid_launches(struct thread *t, cl_command_queue q, struct kernel *k)
{
    cl_event event = NULL;
    cl_kernel kernel = k->slot.object, fresh;
    size_t one = 1, many = 1 << 20, most = SIZE_MAX, three = 3, square[] = {256, 256}, name_room;
    cl_uint value = 0;
    cl_mem wrong_memory = (cl_mem)q;
    switch (below(t, 13)) {
    case 0: IS(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 7, sizeof value, &value)); break;
    case 1: IS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, sizeof value, &value)); break;
    case 2: IS(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof wrong_memory, &wrong_memory)); break;
    case 3: IS(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel(q, kernel, 0, NULL, &one, NULL, 0, NULL, &event)); break;
    case 4: IS(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel(q, kernel, 4, NULL, &one, NULL, 0, NULL, &event)); break;
    case 5: IS(CL_INVALID_WORK_ITEM_SIZE, clEnqueueNDRangeKernel(q, kernel, 1, NULL, &many, &many, 0, NULL, &event)); break;
    case 6: IS(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(q, kernel, 1, NULL, &three, &(size_t){0}, 0, NULL, &event)); break;
    case 7: IS(CL_INVALID_GLOBAL_OFFSET, clEnqueueNDRangeKernel(q, kernel, 1, &most, &three, NULL, 0, NULL, &event)); break;
    case 8:
        fresh = MAKES(CL_SUCCESS, clCreateKernel(programs[k->slot.context].object, "scale", &code));
        IS(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(q, fresh, 1, NULL, &one, NULL, 0, NULL, &event));
        OK(clReleaseKernel(fresh));
        break;
    case 9: REFUSES(CL_INVALID_KERNEL_NAME, clCreateKernel(programs[k->slot.context].object, "scales", &code)); break;
    case 10: IS(CL_INVALID_VALUE, clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, 1, &value, &name_room)); break;
    case 12: IS(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(q, kernel, 2, NULL, square, square, 0, NULL, &event)); break;
    case 11: IS(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, 0x7777, 4, &value)); break;
    }
    TRUE_(!event);
}

static void invalid_objects(struct thread *t, cl_command_queue q, struct memory *m)
{
    cl_context c = context_of(&m->slot);
    cl_mem b = m->slot.object, sub;
    char bytes[64];
    cl_image_format nothing = {0x9999, CL_FLOAT};
    cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4}, empty = flat;
    empty.image_width = 0;
    cl_buffer_region odd = {1, 64}, outside = {REGIONS * REGION, 128}, good = {0, 128};
    cl_queue_properties unknown[] = {0x7777, 1, 0}, flags[] = {CL_QUEUE_PROPERTIES, 1 << 20, 0};
    cl_event user;
    switch (below(t, 22)) {
    case 0: REFUSES(CL_INVALID_BUFFER_SIZE, clCreateBuffer(c, 0, 0, NULL, &code)); break;
    case 1: REFUSES(CL_INVALID_BUFFER_SIZE, clCreateBuffer(c, 0, SIZE_MAX, NULL, &code)); break;
    case 2: REFUSES(CL_INVALID_VALUE, clCreateBuffer(c, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, NULL, &code)); break;
    case 3: REFUSES(CL_INVALID_VALUE, clCreateBuffer(c, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, bytes, &code)); break;
    case 4: REFUSES(CL_INVALID_HOST_PTR, clCreateBuffer(c, 0, 64, bytes, &code)); break;
    case 5: REFUSES(CL_INVALID_HOST_PTR, clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, 64, NULL, &code)); break;
    case 6: REFUSES(CL_MISALIGNED_SUB_BUFFER_OFFSET, clCreateSubBuffer(b, 0, CL_BUFFER_CREATE_TYPE_REGION, &odd, &code)); break;
    case 7: REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(b, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &code)); break;
    case 8: REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(b, 0, 0x7777, &good, &code)); break;
    case 9:
        sub = MAKES(CL_SUCCESS, clCreateSubBuffer(b, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &code));
        REFUSES(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(sub, 0, CL_BUFFER_CREATE_TYPE_REGION, &good, &code));
        OK(clReleaseMemObject(sub));
        break;
    case 10: REFUSES(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(c, 0, &nothing, &flat, NULL, &code)); break;
    case 11: REFUSES(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(c, 0, &FORMAT, NULL, NULL, &code)); break;
    case 12: REFUSES(CL_INVALID_IMAGE_SIZE, clCreateImage(c, 0, &FORMAT, &empty, NULL, &code)); break;
    case 13: REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(c, device, unknown, &code)); break;
    case 14: REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(c, device, flags, &code)); break;
    case 15: REFUSES(CL_INVALID_DEVICE, clCreateCommandQueueWithProperties(c, (cl_device_id)c, NULL, &code)); break;
    case 16: REFUSES(CL_INVALID_VALUE, clCreateProgramWithSource(c, 0, NULL, NULL, &code)); break;
    case 17: REFUSES(CL_INVALID_VALUE, clCreateSampler(c, CL_FALSE, 0x7777, CL_FILTER_NEAREST, &code)); break;
    case 18: IS(CL_INVALID_VALUE, clGetMemObjectInfo(b, 0x7777, sizeof bytes, bytes, NULL)); break;
    case 19: IS(CL_INVALID_VALUE, clGetCommandQueueInfo(q, CL_QUEUE_CONTEXT, 1, bytes, NULL)); break;
    case 20:
        user = MAKES(CL_SUCCESS, clCreateUserEvent(c, &code));
        IS(CL_INVALID_VALUE, clSetUserEventStatus(user, CL_RUNNING));
        IS(CL_INVALID_VALUE, clSetEventCallback(user, 17, event_came, NULL));
        IS(CL_INVALID_VALUE, clSetEventCallback(user, CL_COMPLETE, NULL, NULL));
        IS(CL_PROFILING_INFO_NOT_AVAILABLE, clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_START, 8, bytes, NULL));
        OK(clSetUserEventStatus(user, -9));
        IS(CL_INVALID_OPERATION, clSetUserEventStatus(user, CL_COMPLETE));
        IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &user));
        OK(clReleaseEvent(user));
        break;
    case 21: IS(CL_INVALID_VALUE, clWaitForEvents(0, NULL)); break;
    }
}

static void invalid(struct thread *t)
{
    unsigned what = below(t, 4);
    struct memory *m = &buffers[below(t, BUFFERS)];
    struct queue *q = &queues[below(t, QUEUES / CONTEXTS) * CONTEXTS + (uint32_t)m->slot.context];
    struct kernel *k = &kernels[m->slot.context];
    if (!use(&m->slot))
        return;
    if (use(&q->slot)) {
        cl_command_queue queue = q->slot.object;
        if (!pthread_mutex_trylock(&k->args)) {
            if (use(&k->slot)) {
                if (what == 0)
                    invalid_handles(t, queue, m, k->slot.object);
                else if (what == 1)
                    invalid_launches(t, queue, k);
                leave(&k->slot);
            }
            pthread_mutex_unlock(&k->args);
        }
        if (what == 2)
            invalid_commands(t, queue, m);
        else if (what == 3)
            invalid_objects(t, queue, m);
        leave(&q->slot);
    }
    leave(&m->slot);
}
#endif
