/* Memory objects: creating buffers and sub-buffers, their flags, queries and destructor callbacks. */
#include "check.h"

static cl_mem buffer;

#define MEM(name, size, value, ret) clGetMemObjectInfo(buffer, name, size, value, ret)

static int order[4], calls;

static void CL_CALLBACK at_end(cl_mem ended, void *user)
{
    (void)ended;
    if (calls < 4)
        order[calls] = (int)(intptr_t)user;
    calls++;
}

static cl_mem_flags flags_of(cl_mem memory)
{
    cl_mem_flags flags = 0;
    OK(clGetMemObjectInfo(memory, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    return flags;
}

static void creation(void)
{
    static char host[256];
    cl_ulong most = 0;
    cl_mem_properties none[] = {0}, unknown[] = {0x5555, 1, 0}, got[2] = {9, 9};
    size_t size = 99;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    REFUSES(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, 0, NULL, &err));
    REFUSES(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, most + 1, NULL, &err));
    REFUSES(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, SIZE_MAX, NULL, &err));
    /* One buffer may have all the memory there is; what does not fit is refused, before it is touched. */
    cl_ulong all_memory = 0;
    cl_mem quarters[6];
    int made = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof all_memory, &all_memory, NULL));
    TRUE_(most <= all_memory && all_memory - most < 4096);
    for (int i = 0; i < 6; i++) {
        quarters[i] = clCreateBuffer(context, 0, most / 4 + 4096, NULL, &err);
        TRUE_(quarters[i] ? err == CL_SUCCESS : err == CL_MEM_OBJECT_ALLOCATION_FAILURE);
        made += quarters[i] != NULL;
    }
    TRUE_(made < 4);
    for (int i = 0; i < 6; i++)
        if (quarters[i])
            OK(clReleaseMemObject(quarters[i]));
    cl_mem_flags bad[] = {
        1 << 6, 1 << 20, CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_MEM_KERNEL_READ_AND_WRITE,
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
        CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSES(CL_INVALID_VALUE, clCreateBuffer(context, bad[i], 64, host, &err));
    REFUSES(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 64, NULL, &err));
    REFUSES(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 64, NULL, &err));
    REFUSES(CL_INVALID_HOST_PTR, clCreateBuffer(context, 0, 64, host, &err));
    REFUSES(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, 64, host, &err));
    REFUSES(CL_INVALID_PROPERTY, clCreateBufferWithProperties(context, unknown, 0, 64, NULL, &err));
    TRUE_(clCreateBuffer(context, 0, 0, NULL, NULL) == NULL);

    cl_mem b = MAKES(clCreateBufferWithProperties(context, none, 0, 64, NULL, &err));
    TRUE_(flags_of(b) == CL_MEM_READ_WRITE);
    OK(clGetMemObjectInfo(b, CL_MEM_PROPERTIES, sizeof got, got, &size));
    TRUE_(size == sizeof none && got[0] == 0);
    OK(clReleaseMemObject(b));
    b = MAKES(clCreateBufferWithProperties(context, NULL, CL_MEM_READ_ONLY, 64, NULL, &err));
    OK(clGetMemObjectInfo(b, CL_MEM_PROPERTIES, 0, NULL, &size));
    TRUE_(size == 0);
    OK(clReleaseMemObject(b));

    memset(host, 7, sizeof host);
    char back[256] = {0};
    void *where = NULL;
    b = MAKES(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 256, host, &err));
    memset(host, 9, sizeof host);
    OK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, 256, back, 0, NULL, NULL));
    TRUE_(back[0] == 7 && back[255] == 7);
    OK(clGetMemObjectInfo(b, CL_MEM_HOST_PTR, sizeof where, &where, NULL));
    TRUE_(where == NULL);
    OK(clReleaseMemObject(b));

    b = MAKES(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 256, host, &err));
    OK(clGetMemObjectInfo(b, CL_MEM_HOST_PTR, sizeof where, &where, NULL));
    TRUE_(where == host);
    void *mapped = MAKES(clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_WRITE, 16, 8, 0, NULL, NULL, &err));
    TRUE_(mapped == host + 16);
    OK(clEnqueueUnmapMemObject(queue, b, mapped, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(b));
}

static void sub_buffers(void)
{
    static char host[1024];
    cl_buffer_region part = {256, 128}, empty = {256, 0}, outside = {1024, 4}, long_one = {256, 1000};
    cl_buffer_region crooked = {100, 4}, wrapping = {128, SIZE_MAX - 64};
    const cl_buffer_create_type region = CL_BUFFER_CREATE_TYPE_REGION;
    cl_mem parent = MAKES(clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY, 1024, host, &err));
    cl_mem sub = MAKES(clCreateSubBuffer(parent, 0, region, &part, &err)), seen = NULL;
    size_t number = 0;
    void *where = NULL;
    TRUE_(flags_of(sub) == (CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR));
    OK(clGetMemObjectInfo(sub, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof seen, &seen, NULL));
    TRUE_(seen == parent);
    OK(clGetMemObjectInfo(sub, CL_MEM_OFFSET, sizeof number, &number, NULL));
    TRUE_(number == 256);
    OK(clGetMemObjectInfo(sub, CL_MEM_SIZE, sizeof number, &number, NULL));
    TRUE_(number == 128);
    OK(clGetMemObjectInfo(sub, CL_MEM_HOST_PTR, sizeof where, &where, NULL));
    TRUE_(where == host + 256);
    REFUSES(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(sub, 0, region, &part, &err));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(parent, 0, region, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(parent, 0, region + 1, &part, &err));
    REFUSES(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(parent, 0, region, &empty, &err));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(parent, 0, region, &outside, &err));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(parent, 0, region, &long_one, &err));
    REFUSES(CL_INVALID_VALUE, clCreateSubBuffer(parent, 0, region, &wrapping, &err));
    REFUSES(CL_MISALIGNED_SUB_BUFFER_OFFSET, clCreateSubBuffer(parent, 0, region, &crooked, &err));
    static const struct {
        cl_mem_flags parent, sub;
        int ok;
    } pairs[] = {
        {CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, 0}, {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY, 0},
        {CL_MEM_WRITE_ONLY, CL_MEM_WRITE_ONLY, 1}, {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, 0},
        {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, 0}, {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, 1},
        {CL_MEM_READ_WRITE, CL_MEM_USE_HOST_PTR, 0}, {CL_MEM_READ_WRITE, CL_MEM_ALLOC_HOST_PTR, 0},
        {CL_MEM_READ_WRITE, CL_MEM_COPY_HOST_PTR, 0}, {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY, 0},
        {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, 0}, {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, 0},
        {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY, 0}, {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS, 1}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        cl_mem p = MAKES(clCreateBuffer(context, pairs[i].parent, 1024, NULL, &err));
        cl_mem s = clCreateSubBuffer(p, pairs[i].sub, region, &part, &err);
        check_code(err, pairs[i].ok ? CL_SUCCESS : CL_INVALID_VALUE, "as listed", "flags pair", __FILE__, (int)i);
        if (s)
            OK(clReleaseMemObject(s));
        OK(clReleaseMemObject(p));
    }

    /* The parent lives on for its part. */
    OK(clReleaseMemObject(parent));
    char back[128];
    host[256] = 42;
    OK(clEnqueueReadBuffer(queue, sub, CL_TRUE, 0, 128, back, 0, NULL, NULL));
    TRUE_(back[0] == 42);
    OK(clReleaseMemObject(sub));
}

static void queries(void)
{
    cl_uint number = 9;
    buffer = MAKES(clCreateBuffer(context, 0, 100, NULL, &err));
    QUERY_RULES(MEM, CL_MEM_TYPE, 4);
    QUERY_RULES(MEM, CL_MEM_FLAGS, 8);
    QUERY_RULES(MEM, CL_MEM_SIZE, sizeof(size_t));
    QUERY_RULES(MEM, CL_MEM_HOST_PTR, sizeof(void *));
    QUERY_RULES(MEM, CL_MEM_MAP_COUNT, 4);
    QUERY_RULES(MEM, CL_MEM_REFERENCE_COUNT, 4);
    QUERY_RULES(MEM, CL_MEM_CONTEXT, sizeof(void *));
    QUERY_RULES(MEM, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(void *));
    QUERY_RULES(MEM, CL_MEM_OFFSET, sizeof(size_t));
    QUERY_RULES(MEM, CL_MEM_USES_SVM_POINTER, 4);
    OK(clRetainMemObject(buffer));
    OK(MEM(CL_MEM_REFERENCE_COUNT, sizeof number, &number, NULL));
    TRUE_(number == 2);
    OK(clReleaseMemObject(buffer));
    OK(MEM(CL_MEM_TYPE, sizeof number, &number, NULL));
    TRUE_(number == CL_MEM_OBJECT_BUFFER);
    for (intptr_t i = 1; i <= 3; i++)
        OK(clSetMemObjectDestructorCallback(buffer, at_end, (void *)i));
    IS(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(buffer, NULL, NULL));
    TRUE_(calls == 0);
    OK(clReleaseMemObject(buffer));
    TRUE_(calls == 3 && order[0] == 3 && order[1] == 2 && order[2] == 1);
}

int main(void)
{
    set_up();
    creation();
    sub_buffers();
    queries();
    tear_down();
    return done();
}
