/* cl_intel_unified_shared_memory: its functions by name, allocations of the three types with every error, queries,
 * commands, and kernels that follow pointers. */
#include "check.h"

static clHostMemAllocINTEL_fn host_alloc;
static clDeviceMemAllocINTEL_fn device_alloc;
static clSharedMemAllocINTEL_fn shared_alloc;
static clMemFreeINTEL_fn mem_free;
static clMemBlockingFreeINTEL_fn blocking_free;
static clGetMemAllocInfoINTEL_fn info;
static clSetKernelArgMemPointerINTEL_fn set_arg;
static clEnqueueMemsetINTEL_fn set;
static clEnqueueMemFillINTEL_fn fill;
static clEnqueueMemcpyINTEL_fn copy;
static clEnqueueMigrateMemINTEL_fn migrate;
static clEnqueueMemAdviseINTEL_fn advise;

#define GET(function, name) TRUE_((function = clGetExtensionFunctionAddressForPlatform(platform, name)) != NULL)

static void functions(void)
{
    GET(host_alloc, "clHostMemAllocINTEL");
    GET(device_alloc, "clDeviceMemAllocINTEL");
    GET(shared_alloc, "clSharedMemAllocINTEL");
    GET(mem_free, "clMemFreeINTEL");
    GET(blocking_free, "clMemBlockingFreeINTEL");
    GET(info, "clGetMemAllocInfoINTEL");
    GET(set_arg, "clSetKernelArgMemPointerINTEL");
    GET(set, "clEnqueueMemsetINTEL");
    GET(fill, "clEnqueueMemFillINTEL");
    GET(copy, "clEnqueueMemcpyINTEL");
    GET(migrate, "clEnqueueMigrateMemINTEL");
    GET(advise, "clEnqueueMemAdviseINTEL");
}

static void capabilities(void)
{
    static const cl_device_info names[] = {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL};
    char extensions[8192];
    cl_name_version versions[128];
    size_t size = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    TRUE_(strstr(extensions, "cl_intel_unified_shared_memory"));
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof versions, versions, &size));
    for (size_t i = 0; i < size / sizeof *versions; i++)
        if (!strcmp(versions[i].name, "cl_intel_unified_shared_memory"))
            TRUE_(versions[i].version == CL_MAKE_VERSION(1, 1, 0));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cl_device_unified_shared_memory_capabilities_intel can = 0;
        OK(clGetDeviceInfo(device, names[i], sizeof can, &can, NULL));
        TRUE_(can == 15);
    }
}

static void expect(const void *p, cl_unified_shared_memory_type_intel want_type, const void *want_base,
                   size_t want_size, cl_device_id want_device, cl_mem_alloc_flags_intel want_flags)
{
    cl_unified_shared_memory_type_intel type = 0;
    void *base = &type;
    size_t size = 99, ret = 0;
    cl_device_id associated = GARBAGE(cl_device_id);
    cl_mem_alloc_flags_intel flags = 99;
    OK(info(context, p, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, &ret));
    TRUE_(type == want_type && ret == sizeof type);
    OK(info(context, p, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof base, &base, NULL));
    TRUE_(base == want_base);
    OK(info(context, p, CL_MEM_ALLOC_SIZE_INTEL, sizeof size, &size, NULL));
    TRUE_(size == want_size);
    OK(info(context, p, CL_MEM_ALLOC_DEVICE_INTEL, sizeof associated, &associated, NULL));
    TRUE_(associated == want_device);
    OK(info(context, p, CL_MEM_ALLOC_FLAGS_INTEL, sizeof flags, &flags, NULL));
    TRUE_(flags == want_flags);
}

static void allocations(void)
{
    cl_mem_properties_intel none[] = {0}, wc[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
    cl_mem_properties_intel first[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
    cl_mem_properties_intel both[] = {
        CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0};
    cl_mem_properties_intel twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0};
    cl_mem_properties_intel unknown[] = {0x1234, 0, 0}, bits[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 10, 0};
    cl_ulong most;
    int plain;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    char *h = MAKES(host_alloc(context, wc, 100, 64, &err));
    char *d = MAKES(device_alloc(context, device, none, 100, 0, &err));
    char *s = MAKES(shared_alloc(context, device, first, 100, 128, &err));
    char *n = MAKES(shared_alloc(context, NULL, NULL, 100, 1, &err));
    char *v = clSVMAlloc(context, 0, 100, 0);
    TRUE_((uintptr_t)d % 128 == 0 && (uintptr_t)h % 64 == 0);
    expect(h + 99, CL_MEM_TYPE_HOST_INTEL, h, 100, NULL, CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
    expect(d, CL_MEM_TYPE_DEVICE_INTEL, d, 100, device, 0);
    expect(s + 1, CL_MEM_TYPE_SHARED_INTEL, s, 100, device, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL);
    expect(n, CL_MEM_TYPE_SHARED_INTEL, n, 100, NULL, 0);
    expect(&plain, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    expect(NULL, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    expect(v, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    IS(CL_INVALID_CONTEXT, info(NULL, h, CL_MEM_ALLOC_TYPE_INTEL, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, info(context, h, 0x1234, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, info(context, h, CL_MEM_ALLOC_SIZE_INTEL, 4, &most, NULL));

    REFUSES(CL_INVALID_CONTEXT, host_alloc(NULL, NULL, 4, 0, &err));
    REFUSES(CL_INVALID_CONTEXT, device_alloc(NULL, device, NULL, 4, 0, &err));
    REFUSES(CL_INVALID_CONTEXT, shared_alloc(NULL, device, NULL, 4, 0, &err));
    REFUSES(CL_INVALID_DEVICE, device_alloc(context, NULL, NULL, 4, 0, &err));
    REFUSES(CL_INVALID_DEVICE, device_alloc(context, (cl_device_id)context, NULL, 4, 0, &err));
    REFUSES(CL_INVALID_DEVICE, shared_alloc(context, (cl_device_id)context, NULL, 4, 0, &err));
    REFUSES(CL_INVALID_VALUE, host_alloc(context, NULL, 4, 3, &err));
    REFUSES(CL_INVALID_VALUE, device_alloc(context, device, NULL, 4, 256, &err));
    REFUSES(CL_INVALID_VALUE, shared_alloc(context, NULL, NULL, 4, 24, &err));
    REFUSES(CL_INVALID_BUFFER_SIZE, host_alloc(context, NULL, 0, 0, &err));
    REFUSES(CL_INVALID_BUFFER_SIZE, device_alloc(context, device, NULL, (size_t)most + 1, 0, &err));
    REFUSES(CL_INVALID_BUFFER_SIZE, shared_alloc(context, device, NULL, 0, 0, &err));
    REFUSES(CL_INVALID_PROPERTY, host_alloc(context, first, 4, 0, &err));
    REFUSES(CL_INVALID_PROPERTY, device_alloc(context, device, first, 4, 0, &err));
    REFUSES(CL_INVALID_PROPERTY, shared_alloc(context, device, both, 4, 0, &err));
    REFUSES(CL_INVALID_PROPERTY, shared_alloc(context, device, twice, 4, 0, &err));
    REFUSES(CL_INVALID_PROPERTY, shared_alloc(context, device, unknown, 4, 0, &err));
    REFUSES(CL_INVALID_PROPERTY, shared_alloc(context, device, bits, 4, 0, &err));
    TRUE_(!host_alloc(context, NULL, 0, 0, NULL));

    IS(CL_INVALID_CONTEXT, mem_free(NULL, h));
    IS(CL_INVALID_VALUE, mem_free(context, h + 1));
    IS(CL_INVALID_VALUE, mem_free(context, &plain));
    IS(CL_INVALID_VALUE, blocking_free(context, v));
    OK(mem_free(context, NULL));
    OK(blocking_free(context, NULL));
    OK(mem_free(context, h));
    IS(CL_INVALID_VALUE, mem_free(context, h));
    OK(mem_free(context, d));
    OK(mem_free(context, s));
    OK(blocking_free(context, n));
    clSVMFree(context, v);
}

static void command_type(cl_event event, cl_command_type want)
{
    cl_command_type got = 0;
    OK(clWaitForEvents(1, &event));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof got, &got, NULL));
    TRUE_(got == want);
    OK(clReleaseEvent(event));
}

static void commands(void)
{
    unsigned char *p = MAKES(device_alloc(context, device, NULL, 256, 0, &err)), plain[256];
    cl_uint pattern = 0x04030201;
    cl_event event;
    OK(fill(queue, p, &pattern, 4, 256, 0, NULL, &event));
    command_type(event, CL_COMMAND_MEMFILL_INTEL);
    OK(set(queue, p + 3, 0x1ff, 2, 0, NULL, NULL));
    OK(copy(queue, CL_FALSE, plain, p, 256, 0, NULL, &event));
    command_type(event, CL_COMMAND_MEMCPY_INTEL);
    for (int i = 0; i < 256; i++)
        TRUE_(plain[i] == (i == 3 || i == 4 ? 0xff : i % 4 + 1));
    OK(migrate(queue, p, 256, 0, 0, NULL, &event));
    command_type(event, CL_COMMAND_MIGRATEMEM_INTEL);
    OK(advise(queue, p, 256, 0, 0, NULL, &event));
    command_type(event, CL_COMMAND_MEMADVISE_INTEL);
    IS(CL_INVALID_COMMAND_QUEUE, fill(NULL, p, &pattern, 4, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, fill(queue, NULL, &pattern, 4, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, fill(queue, p + 1, &pattern, 4, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, fill(queue, p, NULL, 4, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, fill(queue, p, &pattern, 256, 256, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, fill(queue, p, &pattern, 4, 7, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, set(queue, NULL, 0, 7, 0, NULL, NULL));
    IS(CL_INVALID_COMMAND_QUEUE, copy(NULL, CL_TRUE, plain, p, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, copy(queue, CL_TRUE, NULL, p, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, copy(queue, CL_TRUE, plain, NULL, 4, 0, NULL, NULL));
    IS(CL_MEM_COPY_OVERLAP, copy(queue, CL_TRUE, p + 2, p, 4, 0, NULL, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, copy(queue, CL_TRUE, p + 8, p, 4, 1, NULL, NULL));
    IS(CL_INVALID_COMMAND_QUEUE, migrate(NULL, p, 4, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, migrate(queue, p, 4, 1 << 8, 0, NULL, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, migrate(queue, p, 4, 0, 1, NULL, NULL));
    IS(CL_INVALID_COMMAND_QUEUE, advise(NULL, p, 4, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, advise(queue, p, 4, 0x4208, 0, NULL, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, advise(queue, p, 4, 0, 1, NULL, NULL));
    OK(clFinish(queue));
    OK(mem_free(context, p));
}

/* A blocking free waits for commands of every queue, and the memory is used up to then. */
static void kernels(void)
{
    const char *source = "kernel void k(global int *out, global int *global *rows)\n"
                         "{ int i = get_global_id(0); for (int j = 0; j < 1000; j++) out[i] += rows[i][j]; }\n";
    cl_program program = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    OK(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
    cl_kernel kernel = MAKES(clCreateKernel(program, "k", &err));
    cl_command_queue second = MAKES(clCreateCommandQueueWithProperties(context, device, NULL, &err));
    enum { ROWS = 64 };
    int *out = MAKES(host_alloc(context, NULL, ROWS * sizeof *out, 0, &err));
    int **rows = MAKES(shared_alloc(context, device, NULL, ROWS * sizeof *rows, 0, &err));
    int *data = MAKES(device_alloc(context, device, NULL, ROWS * 1000 * sizeof *data, 0, &err));
    cl_bool yes = CL_TRUE;
    const void *used[] = {data};
    size_t items = ROWS;
    for (int i = 0; i < ROWS; i++) {
        out[i] = 0;
        rows[i] = data + 1000 * i;
        for (int j = 0; j < 1000; j++)
            rows[i][j] = i + j;
    }
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, sizeof yes, &yes));
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL, sizeof yes, &yes));
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL, sizeof yes, &yes));
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof used, used));
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 0, NULL));
    IS(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 5, used));
    IS(CL_INVALID_VALUE, clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, 0, NULL));
    OK(set_arg(kernel, 0, out));
    OK(set_arg(kernel, 1, rows));
    IS(CL_INVALID_KERNEL, set_arg(NULL, 1, rows));
    IS(CL_INVALID_ARG_INDEX, set_arg(kernel, 2, rows));
    for (int i = 0; i < 10; i++)
        OK(clEnqueueNDRangeKernel(i % 2 ? second : queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(second, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(blocking_free(context, data));
    OK(blocking_free(context, rows));
    /* Queues race for the sums, so that only the last row's bounds are certain. */
    TRUE_(out[ROWS - 1] >= (ROWS - 1) * 1000 + 499500 && out[ROWS - 1] <= 11 * ((ROWS - 1) * 1000 + 499500));
    OK(mem_free(context, out));
    OK(clReleaseCommandQueue(second));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

int main(void)
{
    set_up();
    functions();
    capabilities();
    allocations();
    commands();
    kernels();
    tear_down();
    return done();
}
