/* cl_khr_command_buffer: recording, sync points and barriers, running again and again on queues in and out of order, and
 * every error code. */
#include "check.h"

/* Version 0.9.8: headers of distributions may have an earlier one, with other arguments. */
#define COMMAND(name, ...)                                                                                            \
    static cl_int(CL_API_CALL *name##_)(void *, cl_command_queue, const cl_properties *, ##__VA_ARGS__, cl_uint,      \
                                        const cl_uint *, cl_uint *, void **);
COMMAND(clCommandBarrierWithWaitListKHR)
COMMAND(clCommandCopyBufferKHR, cl_mem, cl_mem, size_t, size_t, size_t)
COMMAND(clCommandCopyBufferRectKHR, cl_mem, cl_mem, const size_t *, const size_t *, const size_t *, size_t, size_t, size_t, size_t)
COMMAND(clCommandFillBufferKHR, cl_mem, const void *, size_t, size_t, size_t)
COMMAND(clCommandCopyImageKHR, cl_mem, cl_mem, const size_t *, const size_t *, const size_t *)
COMMAND(clCommandCopyImageToBufferKHR, cl_mem, cl_mem, const size_t *, const size_t *, size_t)
COMMAND(clCommandCopyBufferToImageKHR, cl_mem, cl_mem, size_t, const size_t *, const size_t *)
COMMAND(clCommandFillImageKHR, cl_mem, const void *, const size_t *, const size_t *)
COMMAND(clCommandNDRangeKernelKHR, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *)
COMMAND(clCommandSVMMemcpyKHR, void *, const void *, size_t)
COMMAND(clCommandSVMMemFillKHR, void *, const void *, size_t, size_t)
static void *(CL_API_CALL *clCreateCommandBufferKHR_)(cl_uint, const cl_command_queue *, const cl_properties *, cl_int *);
static cl_int(CL_API_CALL *clFinalizeCommandBufferKHR_)(void *);
static cl_int(CL_API_CALL *clRetainCommandBufferKHR_)(void *);
static cl_int(CL_API_CALL *clReleaseCommandBufferKHR_)(void *);
static cl_int(CL_API_CALL *clEnqueueCommandBufferKHR_)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *, cl_event *);
static cl_int(CL_API_CALL *clGetCommandBufferInfoKHR_)(void *, cl_uint, size_t, void *, size_t *);

#define FUNCTIONS(X)                                                                                                   \
    X(clCreateCommandBufferKHR) X(clFinalizeCommandBufferKHR) X(clRetainCommandBufferKHR) X(clReleaseCommandBufferKHR) \
    X(clEnqueueCommandBufferKHR) X(clGetCommandBufferInfoKHR) X(clCommandBarrierWithWaitListKHR)                       \
    X(clCommandCopyBufferKHR) X(clCommandCopyBufferRectKHR) X(clCommandFillBufferKHR) X(clCommandNDRangeKernelKHR)     \
    X(clCommandSVMMemcpyKHR) X(clCommandSVMMemFillKHR) X(clCommandFillImageKHR)                     \
    X(clCommandCopyImageKHR) X(clCommandCopyImageToBufferKHR) X(clCommandCopyBufferToImageKHR)
#define LOAD(name) TRUE_((name##_ = clGetExtensionFunctionAddressForPlatform(platform, #name)) != NULL);

#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR_ 0x129A
#define CL_COMMAND_BUFFER_CONTEXT_KHR_ 0x1299
#define CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR_ 1
#define CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR_ 0x12AA

enum { COUNT = 1000 };
static cl_program program;
static cl_kernel kernel;
static cl_mem a, b;

static void *make(cl_command_queue q)
{
    return MAKES(clCreateCommandBufferKHR_(1, &q, NULL, &err));
}

static void set(cl_kernel k, cl_mem p, cl_int add)
{
    OK(clSetKernelArg(k, 0, sizeof p, &p));
    OK(clSetKernelArg(k, 1, sizeof add, &add));
}

/* All elements of a buffer are `want`. */
static int all(cl_mem p, cl_int want)
{
    static cl_int data[COUNT];
    OK(clEnqueueReadBuffer(queue, p, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    for (int i = 0; i < COUNT; i++)
        if (data[i] != want)
            return 0;
    return 1;
}

static void queries(void)
{
    cl_bitfield can = 0;
    cl_command_queue_properties supported = 0, required = 9;
    OK(clGetDeviceInfo(device, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, sizeof can, &can, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR_, sizeof supported, &supported, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR_, sizeof required, &required, NULL));
    /* And CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR and _SIMULTANEOUS_USE_KHR. */
    TRUE_(can == (CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR | 1 << 1 | 1 << 2) && required == 0);
    TRUE_(supported == (CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE));

    cl_properties list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0}, back[4], flags[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 1 << 2, 0};
    cl_properties wrong[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 1 << 20, 0}, unknown[] = {0x1234, 0, 0};
    cl_properties twice[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0};
    cl_command_queue two[] = {queue, queue}, bad = NULL, got = NULL;
    REFUSES(CL_INVALID_COMMAND_QUEUE, clCreateCommandBufferKHR_(1, &bad, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateCommandBufferKHR_(0, &queue, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateCommandBufferKHR_(2, two, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateCommandBufferKHR_(1, NULL, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateCommandBufferKHR_(1, &queue, unknown, &err));
    REFUSES(CL_INVALID_VALUE, clCreateCommandBufferKHR_(1, &queue, twice, &err));
    REFUSES(CL_INVALID_VALUE, clCreateCommandBufferKHR_(1, &queue, wrong, &err));
    REFUSES(CL_INVALID_PROPERTY, clCreateCommandBufferKHR_(1, &queue, flags, &err));

    void *buffer = MAKES(clCreateCommandBufferKHR_(1, &queue, list, &err));
    cl_uint number = 9;
    cl_uint state = 9;
    cl_context c = NULL;
    size_t size = 0;
    OK(clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, sizeof number, &number, NULL));
    TRUE_(number == 1);
    OK(clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, sizeof got, &got, &size));
    TRUE_(got == queue && size == sizeof got);
    OK(clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_CONTEXT_KHR_, sizeof c, &c, NULL));
    TRUE_(c == context);
    OK(clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, sizeof back, back, &size));
    TRUE_(size == sizeof list && !memcmp(back, list, size));
    OK(clRetainCommandBufferKHR_(buffer));
    OK(clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, sizeof number, &number, NULL));
    TRUE_(number == 2);
    OK(clReleaseCommandBufferKHR_(buffer));
    OK(clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof state, &state, NULL));
    TRUE_(state == CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    IS(CL_INVALID_OPERATION, clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL));
    OK(clFinalizeCommandBufferKHR_(buffer));
    IS(CL_INVALID_OPERATION, clFinalizeCommandBufferKHR_(buffer));
    OK(clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_STATE_KHR, sizeof state, &state, NULL));
    TRUE_(state == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR_);
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL)); /* an empty one */
    OK(clFinish(queue));
    IS(CL_INVALID_VALUE, clGetCommandBufferInfoKHR_(buffer, CL_COMMAND_BUFFER_STATE_KHR, 1, &state, NULL));
    IS(CL_INVALID_VALUE, clGetCommandBufferInfoKHR_(buffer, 0x1234, sizeof state, &state, NULL));
    OK(clReleaseCommandBufferKHR_(buffer));
    IS(CL_INVALID_COMMAND_BUFFER_KHR, clReleaseCommandBufferKHR_(buffer));
    IS(CL_INVALID_COMMAND_BUFFER_KHR, clRetainCommandBufferKHR_(NULL));
    IS(CL_INVALID_COMMAND_BUFFER_KHR, clFinalizeCommandBufferKHR_(NULL));
    IS(CL_INVALID_COMMAND_BUFFER_KHR, clGetCommandBufferInfoKHR_(NULL, CL_COMMAND_BUFFER_STATE_KHR, 4, &state, NULL));
    IS(CL_INVALID_COMMAND_BUFFER_KHR, clEnqueueCommandBufferKHR_(0, NULL, NULL, 0, NULL, NULL));
}

/* What holds for every clCommand* call, and some of what their siblings check. */
static void recording_errors(void)
{
    void *buffer = make(queue);
    cl_properties unknown[] = {0x1234, 1, 0}, none[] = {0};
    cl_uint point = 0, no[] = {0}, later[] = {7};
    void *handle = NULL;
    cl_int zero = 0;
    size_t items = COUNT, local = 3, far = 4 * COUNT;
    int svm[8];
    OK(clCommandFillBufferKHR_(buffer, NULL, none, a, &zero, 4, 0, 16, 0, NULL, &point, NULL));
    TRUE_(point != 0);
#define IMMUTABLE(call, ...) IS(CL_INVALID_VALUE, call(buffer, NULL, NULL, ##__VA_ARGS__, 0, NULL, NULL, &handle))
#define COMMON(call, ...)                                                                                                  \
    IS(CL_INVALID_COMMAND_BUFFER_KHR, call(NULL, NULL, NULL, ##__VA_ARGS__, 0, NULL, NULL, NULL));                         \
    IS(CL_INVALID_COMMAND_QUEUE, call(buffer, queue, NULL, ##__VA_ARGS__, 0, NULL, NULL, NULL));                           \
    IS(CL_INVALID_VALUE, call(buffer, NULL, unknown, ##__VA_ARGS__, 0, NULL, NULL, NULL));                                 \
    IS(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, call(buffer, NULL, NULL, ##__VA_ARGS__, 1, NULL, NULL, NULL));                 \
    IS(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, call(buffer, NULL, NULL, ##__VA_ARGS__, 0, &point, NULL, NULL));               \
    IS(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, call(buffer, NULL, NULL, ##__VA_ARGS__, 1, no, NULL, NULL));                   \
    IS(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, call(buffer, NULL, NULL, ##__VA_ARGS__, 1, later, NULL, NULL))
    set(kernel, a, 1);
    size_t corner[3] = {0}, region[3] = {4, 1, 1};
    COMMON(clCommandBarrierWithWaitListKHR_);
    COMMON(clCommandCopyBufferKHR_, a, b, 0, 0, 16);
    COMMON(clCommandCopyBufferRectKHR_, a, b, corner, corner, region, 0, 0, 0, 0);
    COMMON(clCommandFillBufferKHR_, a, &zero, 4, 0, 16);
    COMMON(clCommandNDRangeKernelKHR_, kernel, 1, NULL, &items, NULL);
    COMMON(clCommandSVMMemcpyKHR_, svm, svm + 4, 16);
    COMMON(clCommandSVMMemFillKHR_, svm, &zero, 4, 16);
    IMMUTABLE(clCommandBarrierWithWaitListKHR_);
    IMMUTABLE(clCommandCopyBufferKHR_, a, b, 0, 0, 16);
    IMMUTABLE(clCommandCopyBufferRectKHR_, a, b, corner, corner, region, 0, 0, 0, 0);
    IMMUTABLE(clCommandFillBufferKHR_, a, &zero, 4, 0, 16);
    IMMUTABLE(clCommandSVMMemcpyKHR_, svm, svm + 4, 16);
    IMMUTABLE(clCommandSVMMemFillKHR_, svm, &zero, 4, 16);
    IS(CL_INVALID_MEM_OBJECT, clCommandCopyBufferKHR_(buffer, NULL, NULL, NULL, b, 0, 0, 16, 0, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, clCommandCopyBufferKHR_(buffer, NULL, NULL, a, b, far, 0, 16, 0, NULL, NULL, NULL));
    IS(CL_MEM_COPY_OVERLAP, clCommandCopyBufferKHR_(buffer, NULL, NULL, a, a, 0, 8, 16, 0, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, clCommandFillBufferKHR_(buffer, NULL, NULL, a, &zero, 3, 0, 12, 0, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, clCommandSVMMemcpyKHR_(buffer, NULL, NULL, NULL, svm, 4, 0, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, clCommandSVMMemFillKHR_(buffer, NULL, NULL, svm, NULL, 4, 4, 0, NULL, NULL, NULL));
    IS(CL_INVALID_KERNEL, clCommandNDRangeKernelKHR_(buffer, NULL, NULL, NULL, 1, NULL, &items, NULL, 0, NULL, NULL, NULL));
    IS(CL_INVALID_WORK_DIMENSION, clCommandNDRangeKernelKHR_(buffer, NULL, NULL, kernel, 4, NULL, &items, NULL, 0, NULL, NULL, NULL));
    IS(CL_INVALID_WORK_GROUP_SIZE, clCommandNDRangeKernelKHR_(buffer, NULL, NULL, kernel, 1, NULL, &items, &local, 0, NULL, NULL, NULL));
    cl_kernel unset = MAKES(clCreateKernel(program, "add", &err));
    IS(CL_INVALID_KERNEL_ARGS, clCommandNDRangeKernelKHR_(buffer, NULL, NULL, unset, 1, NULL, &items, NULL, 0, NULL, NULL, NULL));
    OK(clReleaseKernel(unset));
    IS(CL_INVALID_MEM_OBJECT, clCommandFillImageKHR_(buffer, NULL, NULL, a, &zero, corner, region, 0, NULL, NULL, NULL));
    OK(clFinalizeCommandBufferKHR_(buffer));
    IS(CL_INVALID_OPERATION, clCommandFillBufferKHR_(buffer, NULL, NULL, a, &zero, 4, 0, 16, 0, NULL, NULL, NULL));
    IS(CL_INVALID_OPERATION, clCommandBarrierWithWaitListKHR_(buffer, NULL, NULL, 0, NULL, NULL, NULL));

    cl_context other = MAKES(clCreateContext(NULL, 1, &device, NULL, NULL, &err));
    cl_command_queue foreign = MAKES(clCreateCommandQueueWithProperties(other, device, NULL, &err)), bad = NULL;
    cl_command_queue two[] = {queue, queue};
    cl_event stranger = MAKES(clCreateUserEvent(other, &err));
    IS(CL_INVALID_VALUE, clEnqueueCommandBufferKHR_(1, NULL, buffer, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueCommandBufferKHR_(0, &queue, buffer, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueCommandBufferKHR_(2, two, buffer, 0, NULL, NULL));
    IS(CL_INVALID_COMMAND_QUEUE, clEnqueueCommandBufferKHR_(1, &bad, buffer, 0, NULL, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueCommandBufferKHR_(1, &foreign, buffer, 0, NULL, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueCommandBufferKHR_(0, NULL, buffer, 1, &stranger, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueCommandBufferKHR_(0, NULL, buffer, 1, NULL, NULL));
    OK(clReleaseEvent(stranger));
    OK(clReleaseCommandQueue(foreign));
    OK(clReleaseContext(other));
    OK(clReleaseCommandBufferKHR_(buffer));
}

/* fill a with 1; a += 2; b = a; b += 10: each waits for the one before it by a sync point, by the queue or a barrier. */
static void chains(cl_command_queue_properties recorded, cl_command_queue_properties run, int barriers)
{
    cl_queue_properties p[] = {CL_QUEUE_PROPERTIES, recorded, 0}, q[] = {CL_QUEUE_PROPERTIES, run, 0};
    cl_command_queue first = MAKES(clCreateCommandQueueWithProperties(context, device, p, &err));
    cl_command_queue second = MAKES(clCreateCommandQueueWithProperties(context, device, q, &err));
    void *buffer = make(first);
    cl_kernel own = MAKES(clCreateKernel(program, "add", &err));
    cl_uint s[8] = {0}, *wait = NULL;
    cl_uint n = 0;
    cl_int one = 1;
    size_t items = COUNT;
    int in_order = !(recorded & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
#define NEXT()                                                                                    \
    do {                                                                                          \
        if (barriers)                                                                             \
            OK(clCommandBarrierWithWaitListKHR_(buffer, NULL, NULL, 0, NULL, NULL, NULL));        \
        else if (!in_order)                                                                       \
            n = 1, wait = &s[step];                                                               \
        step++;                                                                                   \
    } while (0)
    int step = 0;
    OK(clCommandFillBufferKHR_(buffer, NULL, NULL, a, &one, 4, 0, 4 * COUNT, 0, NULL, &s[step], NULL));
    NEXT();
    set(own, a, 2);
    OK(clCommandNDRangeKernelKHR_(buffer, NULL, NULL, own, 1, NULL, &items, NULL, n, wait, &s[step], NULL));
    NEXT();
    OK(clCommandCopyBufferKHR_(buffer, NULL, NULL, a, b, 0, 0, 4 * COUNT, n, wait, &s[step], NULL));
    NEXT();
    set(own, b, 10);
    OK(clCommandNDRangeKernelKHR_(buffer, NULL, NULL, own, 1, NULL, &items, NULL, n, wait, NULL, NULL));
    set(own, a, 1000); /* what is recorded stays as it was */
    OK(clReleaseKernel(own));
    OK(clFinalizeCommandBufferKHR_(buffer));
    cl_int zero = 0;
    for (int round = 0; round < 10; round++) {
        cl_event gate = MAKES(clCreateUserEvent(context, &err)), done_;
        OK(clEnqueueFillBuffer(queue, b, &zero, 4, 0, 4 * COUNT, 0, NULL, NULL));
        OK(clFinish(queue));
        OK(clEnqueueCommandBufferKHR_(1, &second, buffer, 1, &gate, &done_));
        OK(clFlush(second));
        TRUE_(all(b, 0));
        OK(clSetUserEventStatus(gate, CL_COMPLETE));
        OK(clWaitForEvents(1, &done_));
        TRUE_(all(a, 3) && all(b, 13));
        cl_command_type type = 0;
        OK(clGetEventInfo(done_, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        TRUE_(type == CL_COMMAND_COMMAND_BUFFER_KHR);
        if (run & CL_QUEUE_PROFILING_ENABLE) {
            cl_ulong queued, submit, start, end;
            OK(clGetEventProfilingInfo(done_, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, NULL));
            OK(clGetEventProfilingInfo(done_, CL_PROFILING_COMMAND_SUBMIT, sizeof submit, &submit, NULL));
            OK(clGetEventProfilingInfo(done_, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
            OK(clGetEventProfilingInfo(done_, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
            TRUE_(queued <= submit && submit <= start && start < end);
        }
        OK(clReleaseEvent(done_));
        OK(clReleaseEvent(gate));
    }
    if (run & CL_QUEUE_PROFILING_ENABLE) { /* nothing is before it */
        cl_event at_once;
        cl_ulong submit, start;
        OK(clEnqueueCommandBufferKHR_(1, &second, buffer, 0, NULL, &at_once));
        OK(clWaitForEvents(1, &at_once));
        OK(clGetEventProfilingInfo(at_once, CL_PROFILING_COMMAND_SUBMIT, sizeof submit, &submit, NULL));
        OK(clGetEventProfilingInfo(at_once, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
        TRUE_(submit <= start);
        OK(clReleaseEvent(at_once));
    }
    OK(clEnqueueCommandBufferKHR_(1, &second, buffer, 0, NULL, NULL));
    OK(clReleaseCommandBufferKHR_(buffer)); /* with work in flight */
    OK(clFinish(second));
    OK(clReleaseCommandQueue(first));
    OK(clReleaseCommandQueue(second));
}

/* What fails before a command buffer fails all of it; shared memory and rectangles. */
static void failures_and_others(void)
{
    void *buffer = make(queue);
    cl_int *svm = clSVMAlloc(context, 0, 64, 0), five = 5, status = 0, row[4] = {0};
    size_t from[3] = {0, 0, 0}, to[3] = {8, 0, 0}, region[3] = {8, 2, 1};
    cl_event gate = MAKES(clCreateUserEvent(context, &err)), whole;
    OK(clCommandSVMMemFillKHR_(buffer, NULL, NULL, svm, &five, 4, 32, 0, NULL, NULL, NULL));
    OK(clCommandSVMMemcpyKHR_(buffer, NULL, NULL, svm + 8, svm, 32, 0, NULL, NULL, NULL));
    OK(clCommandFillBufferKHR_(buffer, NULL, NULL, a, &five, 4, 0, 64, 0, NULL, NULL, NULL));
    OK(clCommandFillBufferKHR_(buffer, NULL, NULL, b, &status, 4, 0, 64, 0, NULL, NULL, NULL));
    OK(clCommandCopyBufferRectKHR_(buffer, NULL, NULL, a, b, from, to, region, 16, 0, 16, 0, 0, NULL, NULL, NULL));
    OK(clFinalizeCommandBufferKHR_(buffer));
    svm[15] = 1;
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 1, &gate, &whole));
    OK(clSetUserEventStatus(gate, -3));
    IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &whole));
    TRUE_(svm[15] == 1);
    OK(clReleaseEvent(whole));
    OK(clReleaseEvent(gate));
    OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, b, CL_TRUE, 16, sizeof row, row, 0, NULL, NULL));
    TRUE_(svm[0] == 5 && svm[15] == 5 && row[0] == 0 && row[1] == 0 && row[2] == 5 && row[3] == 5);
    OK(clReleaseCommandBufferKHR_(buffer));
    clSVMFree(context, svm);
}

/* Through two images: filled, copied, and a row of another colour from a buffer. */
static void images(void)
{
    cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4};
    cl_mem one = MAKES(clCreateImage(context, 0, &format, &desc, NULL, &err));
    cl_mem two = MAKES(clCreateImage(context, 0, &format, &desc, NULL, &err));
    void *buffer = make(queue);
    cl_uint colour[4] = {77, 0, 0, 0}, nine = 9, out[32] = {0};
    size_t zero[3] = {0}, all_[3] = {8, 4, 1}, row[3] = {8, 1, 1}, second[3] = {0, 1, 0};
    OK(clCommandFillImageKHR_(buffer, NULL, NULL, one, colour, zero, all_, 0, NULL, NULL, NULL));
    OK(clCommandFillBufferKHR_(buffer, NULL, NULL, b, &nine, 4, 0, 32, 0, NULL, NULL, NULL));
    OK(clCommandCopyImageKHR_(buffer, NULL, NULL, one, two, zero, zero, all_, 0, NULL, NULL, NULL));
    OK(clCommandCopyBufferToImageKHR_(buffer, NULL, NULL, b, two, 0, second, row, 0, NULL, NULL, NULL));
    OK(clCommandCopyImageToBufferKHR_(buffer, NULL, NULL, two, a, zero, all_, 64, 0, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, clCommandCopyImageKHR_(buffer, NULL, NULL, one, two, second, zero, all_, 0, NULL, NULL, NULL));
    IS(CL_MEM_COPY_OVERLAP, clCommandCopyImageKHR_(buffer, NULL, NULL, one, one, zero, zero, all_, 0, NULL, NULL, NULL));
    IS(CL_INVALID_MEM_OBJECT, clCommandCopyImageToBufferKHR_(buffer, NULL, NULL, a, b, zero, all_, 0, 0, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, clCommandCopyBufferToImageKHR_(buffer, NULL, NULL, b, two, 4 * COUNT, zero, row, 0, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, clCommandFillImageKHR_(buffer, NULL, NULL, one, NULL, zero, all_, 0, NULL, NULL, NULL));
    OK(clReleaseMemObject(one)); /* the command buffer holds them */
    OK(clReleaseMemObject(two));
    OK(clFinalizeCommandBufferKHR_(buffer));
    for (int round = 0; round < 3; round++) {
        OK(clEnqueueFillBuffer(queue, a, &nine, 4, 0, 512, 0, NULL, NULL));
        OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, a, CL_TRUE, 64, sizeof out, out, 0, NULL, NULL));
        for (int i = 0; i < 32; i++)
            TRUE_(out[i] == (i / 8 == 1 ? 9 : 77));
    }
    OK(clReleaseCommandBufferKHR_(buffer));
}

int main(void)
{
    const char *source = "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n";
    cl_command_queue_properties kinds[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_PROFILING_ENABLE,
        CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
    set_up();
    FUNCTIONS(LOAD)
    program = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    kernel = MAKES(clCreateKernel(program, "add", &err));
    a = MAKES(clCreateBuffer(context, 0, 4 * COUNT, NULL, &err));
    b = MAKES(clCreateBuffer(context, 0, 4 * COUNT, NULL, &err));
    queries();
    recording_errors();
    for (int recorded = 0; recorded < 2; recorded++)
        for (int run = 0; run < 4; run++)
            for (int barriers = 0; barriers < 2; barriers++)
                chains(kinds[recorded], kinds[run], barriers);
    failures_and_others();
    images();
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    tear_down();
    return done();
}
