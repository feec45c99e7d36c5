/* Platforms and devices: every query, and every error that the specification lists. */
#include "check.h"

#define PLATFORM(name, size, value, ret) clGetPlatformInfo(platform, name, size, value, ret)
#define DEVICE(name, size, value, ret) clGetDeviceInfo(device, name, size, value, ret)

static size_t length_of(cl_device_info name)
{
    size_t size = 0;
    OK(clGetDeviceInfo(device, name, 0, NULL, &size));
    return size;
}

static cl_ulong number(cl_device_info name)
{
    cl_ulong value = 0;
    OK(clGetDeviceInfo(device, name, sizeof value, &value, NULL));
    return value;
}

static const char *text(cl_device_info name)
{
    static char room[4096];
    OK(clGetDeviceInfo(device, name, sizeof room, room, NULL));
    return room;
}

/* Each query of OpenCL 3.0 with the size of its value; 0 where that varies. */
static const struct {
    cl_device_info name;
    size_t size;
} queries[] = {
    {CL_DEVICE_TYPE, 8}, {CL_DEVICE_VENDOR_ID, 4}, {CL_DEVICE_MAX_COMPUTE_UNITS, 4},
    {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, 4}, {CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t)},
    {CL_DEVICE_MAX_WORK_ITEM_SIZES, 3 * sizeof(size_t)}, {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, 4},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, 4}, {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, 4},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, 4}, {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, 4},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, 4}, {CL_DEVICE_MAX_CLOCK_FREQUENCY, 4}, {CL_DEVICE_ADDRESS_BITS, 4},
    {CL_DEVICE_MAX_READ_IMAGE_ARGS, 4}, {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, 4}, {CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8},
    {CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof(size_t)}, {CL_DEVICE_IMAGE2D_MAX_HEIGHT, sizeof(size_t)},
    {CL_DEVICE_IMAGE3D_MAX_WIDTH, sizeof(size_t)}, {CL_DEVICE_IMAGE3D_MAX_HEIGHT, sizeof(size_t)},
    {CL_DEVICE_IMAGE3D_MAX_DEPTH, sizeof(size_t)}, {CL_DEVICE_IMAGE_SUPPORT, 4},
    {CL_DEVICE_MAX_PARAMETER_SIZE, sizeof(size_t)}, {CL_DEVICE_MAX_SAMPLERS, 4}, {CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4},
    {CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, 4}, {CL_DEVICE_SINGLE_FP_CONFIG, 8}, {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, 4},
    {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 4}, {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 8}, {CL_DEVICE_GLOBAL_MEM_SIZE, 8},
    {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, 8}, {CL_DEVICE_MAX_CONSTANT_ARGS, 4}, {CL_DEVICE_LOCAL_MEM_TYPE, 4},
    {CL_DEVICE_LOCAL_MEM_SIZE, 8}, {CL_DEVICE_ERROR_CORRECTION_SUPPORT, 4},
    {CL_DEVICE_PROFILING_TIMER_RESOLUTION, sizeof(size_t)}, {CL_DEVICE_ENDIAN_LITTLE, 4}, {CL_DEVICE_AVAILABLE, 4},
    {CL_DEVICE_COMPILER_AVAILABLE, 4}, {CL_DEVICE_EXECUTION_CAPABILITIES, 8}, {CL_DEVICE_QUEUE_PROPERTIES, 8},
    {CL_DEVICE_NAME, 0}, {CL_DEVICE_VENDOR, 0}, {CL_DRIVER_VERSION, 0}, {CL_DEVICE_PROFILE, 13},
    {CL_DEVICE_VERSION, 0}, {CL_DEVICE_EXTENSIONS, 0}, {CL_DEVICE_PLATFORM, sizeof(void *)},
    {CL_DEVICE_DOUBLE_FP_CONFIG, 8}, {CL_DEVICE_HALF_FP_CONFIG, 8}, {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, 4},
    {CL_DEVICE_HOST_UNIFIED_MEMORY, 4}, {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, 4},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, 4}, {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, 4},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, 4}, {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, 4},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, 4}, {CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, 4},
    {CL_DEVICE_OPENCL_C_VERSION, 0}, {CL_DEVICE_LINKER_AVAILABLE, 4}, {CL_DEVICE_BUILT_IN_KERNELS, 1},
    {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, sizeof(size_t)}, {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, sizeof(size_t)},
    {CL_DEVICE_PARENT_DEVICE, sizeof(void *)}, {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, 4}, {CL_DEVICE_PARTITION_AFFINITY_DOMAIN, 8},
    {CL_DEVICE_PARTITION_TYPE, sizeof(intptr_t)}, {CL_DEVICE_REFERENCE_COUNT, 4},
    {CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, 4}, {CL_DEVICE_PRINTF_BUFFER_SIZE, sizeof(size_t)},
    {CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 4}, {CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 4},
    {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, 4}, {CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof(size_t)},
    {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, 8}, {CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, 4},
    {CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, 4}, {CL_DEVICE_MAX_ON_DEVICE_QUEUES, 4},
    {CL_DEVICE_MAX_ON_DEVICE_EVENTS, 4}, {CL_DEVICE_SVM_CAPABILITIES, 8},
    {CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, sizeof(size_t)}, {CL_DEVICE_MAX_PIPE_ARGS, 4},
    {CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, 4}, {CL_DEVICE_PIPE_MAX_PACKET_SIZE, 4},
    {CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, 4}, {CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, 4},
    {CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, 4}, {CL_DEVICE_IL_VERSION, 1}, {CL_DEVICE_MAX_NUM_SUB_GROUPS, 4},
    {CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, 4}, {CL_DEVICE_NUMERIC_VERSION, 4},
    {CL_DEVICE_EXTENSIONS_WITH_VERSION, 0}, {CL_DEVICE_ILS_WITH_VERSION, 0},
    {CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, 0}, {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, 8},
    {CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, 8}, {CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, 4},
    {CL_DEVICE_OPENCL_C_ALL_VERSIONS, 4 * sizeof(cl_name_version)},
    {CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(size_t)},
    {CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, 4}, {CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, 4},
    {CL_DEVICE_OPENCL_C_FEATURES, 0}, {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, 8}, {CL_DEVICE_PIPE_SUPPORT, 4},
    {CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, 15},
};

/* The list of names with versions says the same as the text. */
static void names_match(cl_device_info names, cl_device_info versions)
{
    char list[4096], again[4096] = "";
    cl_name_version entries[64];
    size_t size = 0;
    OK(clGetDeviceInfo(device, names, sizeof list, list, NULL));
    OK(clGetDeviceInfo(device, versions, sizeof entries, entries, &size));
    for (size_t i = 0; i < size / sizeof *entries; i++) {
        strcat(strcat(again, i ? " " : ""), entries[i].name);
        /* Only provisional extensions are below 1.0. */
        TRUE_(entries[i].version >= CL_MAKE_VERSION(1, 0, 0) || strstr(entries[i].name, "command_buffer"));
    }
    TRUE_(!strcmp(list, again));
}

static void platforms(void)
{
    cl_platform_id found[2] = {NULL, NULL};
    cl_uint count = 0;
    char room[256];
    OK(clGetPlatformIDs(0, NULL, &count));
    TRUE_(count == 1);
    OK(clGetPlatformIDs(2, found, NULL));
    TRUE_(found[0] == platform && !found[1]);
    IS(CL_INVALID_VALUE, clGetPlatformIDs(0, found, &count));
    IS(CL_INVALID_VALUE, clGetPlatformIDs(1, NULL, NULL));
    QUERY_RULES(PLATFORM, CL_PLATFORM_PROFILE, 13);
    QUERY_RULES(PLATFORM, CL_PLATFORM_NUMERIC_VERSION, sizeof(cl_version));
    QUERY_RULES(PLATFORM, CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof(cl_ulong));
    OK(PLATFORM(CL_PLATFORM_VERSION, sizeof room, room, NULL));
    TRUE_(!strncmp(room, "OpenCL 3.0 ", 11));
    OK(PLATFORM(CL_PLATFORM_NAME, sizeof room, room, NULL));
    OK(PLATFORM(CL_PLATFORM_VENDOR, sizeof room, room, NULL));
    OK(PLATFORM(CL_PLATFORM_ICD_SUFFIX_KHR, sizeof room, room, NULL));
    OK(clUnloadPlatformCompiler(platform));
}

static void devices(void)
{
    cl_device_id found[2] = {NULL, NULL};
    cl_uint count = 0;
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 2, found, &count));
    TRUE_(count == 1 && found[0] == device && !found[1]);
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 0, NULL, &count));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU, 0, NULL, &count));
    TRUE_(count == 1);
    IS(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, found, &count));
    TRUE_(count == 0);
    IS(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 1, found, &count));
    IS(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 20, 1, found, &count));
    IS(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 0, found, &count));
    IS(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, NULL, NULL));
    OK(clRetainDevice(device));
    OK(clReleaseDevice(device));
    OK(clReleaseDevice(device));
    TRUE_(number(CL_DEVICE_REFERENCE_COUNT) == 1);
}

static void queries_of_the_device(void)
{
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        size_t size = length_of(queries[i].name);
        char room[4096];
        int failed = failures;
        if (queries[i].size)
            TRUE_(size == queries[i].size);
        OK(clGetDeviceInfo(device, queries[i].name, size, room, NULL));
        if (size)
            IS(CL_INVALID_VALUE, clGetDeviceInfo(device, queries[i].name, size - 1, room, NULL));
        if (failures > failed)
            printf("    that was query 0x%x\n", queries[i].name);
    }
    QUERY_RULES(DEVICE, CL_DEVICE_TYPE, sizeof(cl_device_type));
}

static void truths(void)
{
    cl_ulong global = number(CL_DEVICE_GLOBAL_MEM_SIZE), most = number(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    cl_ulong least = global / 4 < 1 << 30 ? global / 4 : 1 << 30;
    TRUE_(number(CL_DEVICE_TYPE) == CL_DEVICE_TYPE_CPU);
    TRUE_(number(CL_DEVICE_MAX_COMPUTE_UNITS) >= 1);
    TRUE_(most >= least && most >= 32 << 20 && most <= global);
    TRUE_(number(CL_DEVICE_MAX_PARAMETER_SIZE) >= 1024);
    TRUE_(number(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) >= 64 << 10);
    TRUE_(number(CL_DEVICE_MAX_CONSTANT_ARGS) >= 8);
    TRUE_(number(CL_DEVICE_LOCAL_MEM_SIZE) >= 32 << 10);
    TRUE_(number(CL_DEVICE_MEM_BASE_ADDR_ALIGN) >= 1024);
    TRUE_(number(CL_DEVICE_PRINTF_BUFFER_SIZE) >= 1 << 20);
    TRUE_(number(CL_DEVICE_ADDRESS_BITS) == 8 * sizeof(void *));
    TRUE_((number(CL_DEVICE_SINGLE_FP_CONFIG) & (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN)) ==
          (CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN));
    TRUE_((number(CL_DEVICE_DOUBLE_FP_CONFIG) & 63) == 63);
    TRUE_(number(CL_DEVICE_NUMERIC_VERSION) == CL_MAKE_VERSION(3, 0, 0));
    TRUE_(number(CL_DEVICE_PLATFORM) == (uintptr_t)platform);
    TRUE_(!strncmp(text(CL_DEVICE_VERSION), "OpenCL 3.0 ", 11));
    TRUE_(!strncmp(text(CL_DEVICE_OPENCL_C_VERSION), "OpenCL C 1.2 ", 13));
    TRUE_(!strcmp(text(CL_DEVICE_PROFILE), "FULL_PROFILE"));
    TRUE_(strlen(text(CL_DEVICE_NAME)) > 0);
    names_match(CL_DEVICE_EXTENSIONS, CL_DEVICE_EXTENSIONS_WITH_VERSION);
}

static void timers(void)
{
    cl_ulong host = 0, dev = 0, later = 0;
    OK(clGetDeviceAndHostTimer(device, &dev, &host));
    OK(clGetHostTimer(device, &later));
    TRUE_(host > 0 && dev > 0 && later >= host);
    IS(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, NULL, &host));
    IS(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, &dev, NULL));
    IS(CL_INVALID_VALUE, clGetHostTimer(device, NULL));
}

/* cl_khr_device_uuid. */
static void identity(void)
{
    cl_uchar device_id[CL_UUID_SIZE_KHR] = {0}, driver_id[CL_UUID_SIZE_KHR] = {0}, again[CL_UUID_SIZE_KHR] = {0};
    cl_bool has_luid = CL_TRUE;
    size_t size = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_UUID_KHR, sizeof device_id, device_id, &size));
    TRUE_(size == CL_UUID_SIZE_KHR);
    OK(clGetDeviceInfo(device, CL_DRIVER_UUID_KHR, sizeof driver_id, driver_id, &size));
    TRUE_(size == CL_UUID_SIZE_KHR && memcmp(device_id, driver_id, size) && memcmp(device_id, again, size));
    OK(clGetDeviceInfo(device, CL_DEVICE_UUID_KHR, sizeof again, again, NULL));
    TRUE_(!memcmp(device_id, again, size));
    OK(clGetDeviceInfo(device, CL_DEVICE_LUID_VALID_KHR, sizeof has_luid, &has_luid, NULL));
    TRUE_(has_luid == CL_FALSE);
    OK(clGetDeviceInfo(device, CL_DEVICE_LUID_KHR, 0, NULL, &size));
    TRUE_(size == CL_LUID_SIZE_KHR);
    IS(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_UUID_KHR, CL_UUID_SIZE_KHR - 1, again, NULL));
    IS(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_PCI_BUS_INFO_KHR, sizeof again, again, NULL));
}

int main(void)
{
    set_up();
    platforms();
    devices();
    queries_of_the_device();
    truths();
    timers();
    identity();
    tear_down();
    return done();
}
