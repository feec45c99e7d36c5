/* cl_khr_semaphore: signals and waits in either order and across queues, errors that pass through them, the payload, and
 * every error code. */
#include "check.h"

/* Headers of distributions may be older. */
#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif

static clCreateSemaphoreWithPropertiesKHR_fn create;
static clEnqueueWaitSemaphoresKHR_fn take;
static clEnqueueSignalSemaphoresKHR_fn give;
static clGetSemaphoreInfoKHR_fn info;
static clRetainSemaphoreKHR_fn retain;
static clReleaseSemaphoreKHR_fn release;

#define GET(function, name) TRUE_((function = clGetExtensionFunctionAddressForPlatform(platform, name)) != NULL)

static cl_semaphore_properties_khr binary[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};

static cl_int status(cl_event event)
{
    cl_int s = 99;
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof s, &s, NULL));
    return s;
}

static cl_ulong payload(cl_semaphore_khr semaphore)
{
    cl_semaphore_payload_khr value = 99;
    OK(info(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof value, &value, NULL));
    return value;
}

static void queries(void)
{
    cl_semaphore_type_khr types[4] = {99};
    size_t size = 0;
    OK(clGetPlatformInfo(platform, CL_PLATFORM_SEMAPHORE_TYPES_KHR, sizeof types, types, &size));
    TRUE_(size == sizeof *types && *types == CL_SEMAPHORE_TYPE_BINARY_KHR);
    OK(clGetDeviceInfo(device, CL_DEVICE_SEMAPHORE_TYPES_KHR, sizeof types, types, &size));
    TRUE_(size == sizeof *types && *types == CL_SEMAPHORE_TYPE_BINARY_KHR);

    cl_semaphore_properties_khr listed[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
        CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, (cl_semaphore_properties_khr)(uintptr_t)device,
        CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR, 0}, got[16];
    cl_semaphore_khr plain = MAKES(create(context, binary, &err)), bound = MAKES(create(context, listed, &err));
    cl_context c = NULL;
    cl_uint count = 0;
    cl_device_id d = NULL;
    OK(info(plain, CL_SEMAPHORE_CONTEXT_KHR, sizeof c, &c, NULL));
    OK(info(plain, CL_SEMAPHORE_TYPE_KHR, sizeof *types, types, NULL));
    TRUE_(c == context && *types == CL_SEMAPHORE_TYPE_BINARY_KHR && payload(plain) == 0);
    OK(info(plain, CL_SEMAPHORE_PROPERTIES_KHR, sizeof got, got, &size));
    TRUE_(size == sizeof binary && !memcmp(got, binary, size));
    OK(info(bound, CL_SEMAPHORE_PROPERTIES_KHR, sizeof got, got, &size));
    TRUE_(size == sizeof listed && !memcmp(got, listed, size));
    OK(info(plain, CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, sizeof d, &d, &size));
    TRUE_(size == sizeof d && d == device);
    cl_int(CL_API_CALL *export)(cl_semaphore_khr, cl_device_id, cl_uint, size_t, void *, size_t *) =
        clGetExtensionFunctionAddressForPlatform(platform, "clGetSemaphoreHandleForTypeKHR");
    int fd = -1;
    TRUE_(export != NULL);
    IS(CL_INVALID_SEMAPHORE_KHR, export(NULL, device, 0x2055, sizeof fd, &fd, NULL));
    IS(CL_INVALID_DEVICE, export(plain, NULL, 0x2055, sizeof fd, &fd, NULL));
    IS(CL_INVALID_VALUE, export(plain, device, 0x2055, sizeof fd, &fd, NULL));
    OK(retain(plain));
    OK(info(plain, CL_SEMAPHORE_REFERENCE_COUNT_KHR, sizeof count, &count, NULL));
    TRUE_(count == 2);
    IS(CL_INVALID_VALUE, info(plain, CL_SEMAPHORE_REFERENCE_COUNT_KHR, 1, &count, NULL));
    IS(CL_INVALID_VALUE, info(plain, 0x1234, sizeof count, &count, NULL));
    IS(CL_INVALID_SEMAPHORE_KHR, info(NULL, CL_SEMAPHORE_TYPE_KHR, sizeof count, &count, NULL));
    OK(release(plain));
    OK(release(plain));
    OK(release(bound));
    IS(CL_INVALID_SEMAPHORE_KHR, release(bound));
    IS(CL_INVALID_SEMAPHORE_KHR, retain(bound));
    IS(CL_INVALID_SEMAPHORE_KHR, retain(NULL));
}

static void creation_errors(void)
{
    cl_semaphore_properties_khr none[] = {0}, type[] = {CL_SEMAPHORE_TYPE_KHR, 2, 0}, unknown[] = {0x1234, 1, 0};
    cl_semaphore_properties_khr twice[] = {
        CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR, 0};
    cl_semaphore_properties_khr nobody[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
        CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, 0, 0};
    cl_semaphore_properties_khr stranger[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
        CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, (cl_semaphore_properties_khr)(uintptr_t)context, 0, 0};
    REFUSES(CL_INVALID_CONTEXT, create(NULL, binary, &err));
    REFUSES(CL_INVALID_VALUE, create(context, NULL, &err));
    REFUSES(CL_INVALID_VALUE, create(context, none, &err));
    REFUSES(CL_INVALID_PROPERTY, create(context, type, &err));
    REFUSES(CL_INVALID_PROPERTY, create(context, unknown, &err));
    REFUSES(CL_INVALID_PROPERTY, create(context, twice, &err));
    REFUSES(CL_INVALID_DEVICE, create(context, nobody, &err));
    REFUSES(CL_INVALID_DEVICE, create(context, stranger, &err));
}

static void enqueue_errors(void)
{
    cl_context other = MAKES(clCreateContext(NULL, 1, &device, NULL, NULL, &err));
    cl_semaphore_khr semaphore = MAKES(create(context, binary, &err)), foreign = MAKES(create(other, binary, &err)), bad = NULL;
    cl_event stranger = MAKES(clCreateUserEvent(other, &err)), failed = MAKES(clCreateUserEvent(context, &err));
    clEnqueueWaitSemaphoresKHR_fn both[] = {take, (clEnqueueWaitSemaphoresKHR_fn)give};
    OK(clSetUserEventStatus(failed, -5));
    for (int i = 0; i < 2; i++) {
        IS(CL_INVALID_COMMAND_QUEUE, both[i](NULL, 1, &semaphore, NULL, 0, NULL, NULL));
        IS(CL_INVALID_VALUE, both[i](queue, 0, NULL, NULL, 0, NULL, NULL));
        IS(CL_INVALID_VALUE, both[i](queue, 0, &semaphore, NULL, 0, NULL, NULL));
        IS(CL_INVALID_SEMAPHORE_KHR, both[i](queue, 1, &bad, NULL, 0, NULL, NULL));
        IS(CL_INVALID_CONTEXT, both[i](queue, 1, &foreign, NULL, 0, NULL, NULL));
        IS(CL_INVALID_CONTEXT, both[i](queue, 1, &semaphore, NULL, 1, &stranger, NULL));
        IS(CL_INVALID_EVENT_WAIT_LIST, both[i](queue, 1, &semaphore, NULL, 1, NULL, NULL));
        IS(CL_INVALID_EVENT_WAIT_LIST, both[i](queue, 1, &semaphore, NULL, 0, &failed, NULL));
        IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, both[i](queue, 1, &semaphore, NULL, 1, &failed, NULL));
    }
    OK(clReleaseEvent(stranger));
    OK(clReleaseEvent(failed));
    OK(release(semaphore));
    OK(release(foreign));
    OK(clReleaseContext(other));
}

static void command_type(cl_event event, cl_command_type want)
{
    cl_command_type got = 0;
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof got, &got, NULL));
    TRUE_(got == want);
}

static void order(void)
{
    cl_command_queue second = MAKES(clCreateCommandQueueWithProperties(context, device, NULL, &err));
    cl_semaphore_khr list[2] = {MAKES(create(context, binary, &err)), MAKES(create(context, binary, &err))};
    cl_event gate = MAKES(clCreateUserEvent(context, &err)), given, taken;
    int value = 0, seven = 7, seen = 0;

    /* The signal first; it waits for the gate. */
    OK(give(queue, 2, list, NULL, 1, &gate, &given));
    OK(take(second, 2, list, NULL, 0, NULL, &taken));
    OK(clFlush(queue));
    OK(clFlush(second));
    command_type(given, CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
    command_type(taken, CL_COMMAND_SEMAPHORE_WAIT_KHR);
    TRUE_(status(taken) > CL_COMPLETE && payload(list[0]) == 0);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &taken));
    TRUE_(status(given) == CL_COMPLETE && payload(list[0]) == 0 && payload(list[1]) == 0);
    OK(clReleaseEvent(given));
    OK(clReleaseEvent(taken));
    OK(clReleaseEvent(gate));

    /* The wait first: what comes after it in its queue waits, too. Many rounds. */
    for (int round = 1; round <= 100; round++) {
        OK(take(second, 1, list, NULL, 0, NULL, &taken));
        OK(clEnqueueSVMMemcpy(second, CL_FALSE, &seen, &value, sizeof value, 0, NULL, NULL));
        OK(clFlush(second));
        TRUE_(status(taken) > CL_COMPLETE);
        value = round;
        OK(give(queue, 1, list, NULL, 0, NULL, NULL));
        OK(clFinish(second));
        TRUE_(seen == round && status(taken) == CL_COMPLETE);
        OK(clReleaseEvent(taken));
    }

    /* The payload between both. */
    OK(give(queue, 1, list, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    TRUE_(payload(list[0]) == 1);
    OK(take(queue, 1, list, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    TRUE_(payload(list[0]) == 0);

    /* What fails before a signal fails what waits for it; the queue goes on. */
    gate = MAKES(clCreateUserEvent(context, &err));
    OK(take(second, 1, list, NULL, 0, NULL, &taken));
    OK(give(queue, 1, list, NULL, 1, &gate, &given));
    OK(clSetUserEventStatus(gate, -9));
    IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &taken));
    TRUE_(status(given) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    OK(clEnqueueSVMMemcpy(second, CL_TRUE, &seen, &seven, sizeof seen, 0, NULL, NULL));
    TRUE_(seen == 7);
    OK(clReleaseEvent(given));
    OK(clReleaseEvent(taken));
    OK(clReleaseEvent(gate));

    /* Nobody can signal any more. */
    OK(take(second, 1, list, NULL, 0, NULL, &taken));
    OK(release(list[0]));
    IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &taken));
    OK(clReleaseEvent(taken));
    OK(release(list[1]));
    OK(clReleaseCommandQueue(second));
}

/* In a context of several devices, a semaphore is for one of them. */
static void devices(void)
{
    cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id parts[256];
    cl_uint count = 0;
    if (clCreateSubDevices(device, equally, 256, parts, &count) != CL_SUCCESS || count < 2)
        return;
    cl_context both = MAKES(clCreateContext(NULL, 2, parts, NULL, NULL, &err));
    cl_semaphore_properties_khr first[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
        CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, (cl_semaphore_properties_khr)(uintptr_t)parts[0], 0, 0};
    cl_semaphore_properties_khr two[] = {CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR,
        CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR, (cl_semaphore_properties_khr)(uintptr_t)parts[0],
        (cl_semaphore_properties_khr)(uintptr_t)parts[1], 0, 0};
    REFUSES(CL_INVALID_PROPERTY, create(both, binary, &err));
    REFUSES(CL_INVALID_DEVICE, create(both, two, &err));
    cl_semaphore_khr semaphore = MAKES(create(both, first, &err));
    cl_command_queue right = MAKES(clCreateCommandQueueWithProperties(both, parts[0], NULL, &err));
    cl_command_queue wrong = MAKES(clCreateCommandQueueWithProperties(both, parts[1], NULL, &err));
    IS(CL_INVALID_COMMAND_QUEUE, give(wrong, 1, &semaphore, NULL, 0, NULL, NULL));
    IS(CL_INVALID_COMMAND_QUEUE, take(wrong, 1, &semaphore, NULL, 0, NULL, NULL));
    OK(give(right, 1, &semaphore, NULL, 0, NULL, NULL));
    OK(take(right, 1, &semaphore, NULL, 0, NULL, NULL));
    OK(clFinish(right));
    OK(clReleaseCommandQueue(right));
    OK(clReleaseCommandQueue(wrong));
    OK(release(semaphore));
    OK(clReleaseContext(both));
    for (cl_uint i = 0; i < count; i++)
        OK(clReleaseDevice(parts[i]));
}

int main(void)
{
    set_up();
    GET(create, "clCreateSemaphoreWithPropertiesKHR");
    GET(take, "clEnqueueWaitSemaphoresKHR");
    GET(give, "clEnqueueSignalSemaphoresKHR");
    GET(info, "clGetSemaphoreInfoKHR");
    GET(retain, "clRetainSemaphoreKHR");
    GET(release, "clReleaseSemaphoreKHR");
    queries();
    creation_errors();
    enqueue_errors();
    order();
    devices();
    tear_down();
    return done();
}
