/* Contexts and command queues. */
#include "check.h"

#define CONTEXT(name, size, value, ret) clGetContextInfo(context, name, size, value, ret)
#define QUEUE(name, size, value, ret) clGetCommandQueueInfo(queue, name, size, value, ret)

static void CL_CALLBACK ignore(const char *text, const void *data, size_t size, void *user)
{
    (void)text, (void)data, (void)size, (void)user;
}

static int order[4], calls;

static void CL_CALLBACK at_end(cl_context ended, void *user)
{
    (void)ended;
    if (calls < 4)
        order[calls] = (int)(intptr_t)user;
    calls++;
}

static void contexts(void)
{
    cl_context_properties p[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, p[1], CL_CONTEXT_PLATFORM, p[1], 0};
    cl_context_properties unknown[] = {0x12345, 1, 0};
    cl_context_properties sync[] = {CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
    cl_context_properties no_sync[] = {CL_CONTEXT_INTEROP_USER_SYNC, 7, 0};
    cl_context_properties no_platform[] = {CL_CONTEXT_PLATFORM, 0, 0};
    cl_device_id devices[] = {device, device};
    int data;
    cl_context c = MAKES(clCreateContext(p, 2, devices, ignore, &data, &err));
    cl_uint number = 0;
    OK(clGetContextInfo(c, CL_CONTEXT_NUM_DEVICES, sizeof number, &number, NULL));
    TRUE_(number == 1);
    cl_context_properties got[3] = {0};
    size_t size = 0;
    OK(clGetContextInfo(c, CL_CONTEXT_PROPERTIES, sizeof got, got, &size));
    TRUE_(size == sizeof got && got[0] == p[0] && got[1] == p[1] && !got[2]);
    OK(clRetainContext(c));
    OK(clGetContextInfo(c, CL_CONTEXT_REFERENCE_COUNT, sizeof number, &number, NULL));
    TRUE_(number == 2);
    OK(clReleaseContext(c));
    OK(clReleaseContext(c));
    c = MAKES(clCreateContext(sync, 1, devices, NULL, NULL, &err));
    OK(clReleaseContext(c));
    c = MAKES(clCreateContextFromType(p, CL_DEVICE_TYPE_ALL, NULL, NULL, &err));
    OK(clReleaseContext(c));
    c = MAKES(clCreateContextFromType(NULL, CL_DEVICE_TYPE_DEFAULT, ignore, NULL, &err));
    OK(clReleaseContext(c));
    TRUE_(clCreateContext(NULL, 0, devices, NULL, NULL, NULL) == NULL);
    REFUSES(CL_INVALID_VALUE, clCreateContext(NULL, 1, NULL, NULL, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateContext(NULL, 0, devices, NULL, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateContext(NULL, 1, devices, NULL, &data, &err));
    REFUSES(CL_INVALID_PROPERTY, clCreateContext(twice, 1, devices, NULL, NULL, &err));
    REFUSES(CL_INVALID_PROPERTY, clCreateContext(unknown, 1, devices, NULL, NULL, &err));
    REFUSES(CL_INVALID_PROPERTY, clCreateContext(no_sync, 1, devices, NULL, NULL, &err));
    REFUSES(CL_INVALID_PLATFORM, clCreateContext(no_platform, 1, devices, NULL, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateContextFromType(p, CL_DEVICE_TYPE_ALL, NULL, &data, &err));
    REFUSES(CL_INVALID_DEVICE_TYPE, clCreateContextFromType(p, 0, NULL, NULL, &err));
    REFUSES(CL_INVALID_DEVICE_TYPE, clCreateContextFromType(p, 1 << 16, NULL, NULL, &err));
    REFUSES(CL_DEVICE_NOT_FOUND, clCreateContextFromType(p, CL_DEVICE_TYPE_GPU, NULL, NULL, &err));
    REFUSES(CL_INVALID_PROPERTY, clCreateContextFromType(twice, CL_DEVICE_TYPE_CPU, NULL, NULL, &err));
    QUERY_RULES(CONTEXT, CL_CONTEXT_DEVICES, sizeof(cl_device_id));
    QUERY_RULES(CONTEXT, CL_CONTEXT_PROPERTIES, 0);
    QUERY_RULES(CONTEXT, CL_CONTEXT_REFERENCE_COUNT, 4);
}

static void destructors(void)
{
    cl_context c = MAKES(clCreateContext(NULL, 1, &device, NULL, NULL, &err));
    cl_mem buffer = MAKES(clCreateBuffer(c, 0, 16, NULL, &err));
    for (intptr_t i = 1; i <= 3; i++)
        OK(clSetContextDestructorCallback(c, at_end, (void *)i));
    IS(CL_INVALID_VALUE, clSetContextDestructorCallback(c, NULL, NULL));
    OK(clReleaseContext(c));
    TRUE_(calls == 0);
    OK(clReleaseMemObject(buffer));
    TRUE_(calls == 3 && order[0] == 3 && order[1] == 2 && order[2] == 1);
}

static void queues(void)
{
    cl_command_queue_properties both = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, flags = 1;
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, both, 0}, got[4];
    cl_queue_properties on_device[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_QUEUE_SIZE, 4096, 0};
    cl_queue_properties in_order_on_device[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
    cl_queue_properties sized[] = {CL_QUEUE_SIZE, 4096, 0};
    cl_queue_properties unknown[] = {0x4321, 1, 0}, bits[] = {CL_QUEUE_PROPERTIES, 1 << 20, 0};
    size_t size = 99;
    cl_command_queue q = MAKES(clCreateCommandQueue(context, device, both, &err));
    OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof flags, &flags, NULL));
    TRUE_(flags == both);
    OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &size));
    TRUE_(size == 0);
    IS(CL_INVALID_OPERATION, clSetCommandQueueProperty(q, both, CL_TRUE, NULL));
    OK(clReleaseCommandQueue(q));
    q = MAKES(clCreateCommandQueueWithProperties(context, device, list, &err));
    OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, sizeof got, got, &size));
    TRUE_(size == sizeof list && !memcmp(got, list, size));
    OK(clRetainCommandQueue(q));
    OK(clReleaseCommandQueue(q));
    OK(clReleaseCommandQueue(q));
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueue(context, device, 1 << 20, &err));
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, unknown, &err));
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, bits, &err));
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, sized, &err));
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, in_order_on_device, &err));
    cl_command_queue of_device = MAKES(clCreateCommandQueueWithProperties(context, device, on_device, &err));
    IS(CL_INVALID_COMMAND_QUEUE, clFinish(of_device));
    OK(clReleaseCommandQueue(of_device));
    /* Hints are taken, one of each kind. */
    clCreateCommandQueueWithPropertiesKHR_fn create =
        clGetExtensionFunctionAddressForPlatform(platform, "clCreateCommandQueueWithPropertiesKHR");
    TRUE_(create != NULL);
    static const cl_queue_properties levels[] = {CL_QUEUE_PRIORITY_HIGH_KHR, CL_QUEUE_PRIORITY_MED_KHR, CL_QUEUE_PRIORITY_LOW_KHR};
    for (int i = 0; i < 9; i++) {
        cl_queue_properties hints[] = {CL_QUEUE_PRIORITY_KHR, levels[i % 3], CL_QUEUE_THROTTLE_KHR, levels[i / 3],
            CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
        cl_queue_properties back[8];
        q = i % 2 ? MAKES(create(context, device, hints, &err))
                  : MAKES(clCreateCommandQueueWithProperties(context, device, hints, &err));
        OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, sizeof back, back, &size));
        TRUE_(size == sizeof hints && !memcmp(back, hints, size));
        OK(clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof flags, &flags, NULL));
        TRUE_(flags == CL_QUEUE_PROFILING_ENABLE);
        OK(clReleaseCommandQueue(q));
    }
    cl_queue_properties several[] = {CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_HIGH_KHR | CL_QUEUE_PRIORITY_LOW_KHR, 0};
    cl_queue_properties zero[] = {CL_QUEUE_THROTTLE_KHR, 0, 0};
    cl_queue_properties twice[] = {CL_QUEUE_PRIORITY_KHR, 1, CL_QUEUE_PRIORITY_KHR, 1, 0};
    REFUSES(CL_INVALID_VALUE, create(context, device, several, &err));
    REFUSES(CL_INVALID_VALUE, create(context, device, zero, &err));
    REFUSES(CL_INVALID_VALUE, create(context, device, twice, &err));
    REFUSES(CL_INVALID_DEVICE, create(context, NULL, list, &err));
    REFUSES(CL_INVALID_CONTEXT, create(NULL, device, list, &err));
    IS(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof size, &size, NULL));
    QUERY_RULES(QUEUE, CL_QUEUE_CONTEXT, sizeof(void *));
    QUERY_RULES(QUEUE, CL_QUEUE_DEVICE, sizeof(void *));
    QUERY_RULES(QUEUE, CL_QUEUE_REFERENCE_COUNT, 4);
    QUERY_RULES(QUEUE, CL_QUEUE_PROPERTIES, 8);
    QUERY_RULES(QUEUE, CL_QUEUE_DEVICE_DEFAULT, sizeof(void *));
    OK(clFlush(queue));
    OK(clFinish(queue));
    IS(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, queue));
}

int main(void)
{
    set_up();
    contexts();
    destructors();
    queues();
    tear_down();
    return done();
}
