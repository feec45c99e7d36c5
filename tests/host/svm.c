/* Shared virtual memory: allocations, commands on them with every error code, pointers inside of them, plain memory of
 * the host in kernels, buffers over shared memory, and atomics between the host and a running kernel. */
#include "check.h"
#include <stdatomic.h>

static const char *source =
    "typedef struct node { int value; global struct node *next; } node;\n"
    "kernel void walk(global node *first, global int *sum)\n"
    "{\n"
    "    int s = 0;\n"
    "    for (global node *n = first; n; n = n->next) { s += n->value; n->value = -n->value; }\n"
    "    *sum = s;\n"
    "}\n"
    "kernel void add(global int *out, constant int *in, int by) { out[get_global_id(0)] = in[get_global_id(0)] + by; }\n"
    "kernel void null(global int *out, global int *p) { *out = p == 0; }\n"
    "kernel void count(volatile global atomic_int *counter, volatile global atomic_int *flag)\n"
    "{\n"
    "    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_all_svm_devices) == 0) {}\n"
    "    for (int i = 0; i < 1000; i++)\n"
    "        atomic_fetch_add_explicit(counter, 1, memory_order_relaxed, memory_scope_all_svm_devices);\n"
    "}\n"
    "kernel void shared(local int *scratch, float value) {}\n";

typedef struct node {
    int value;
    struct node *next;
} node;

enum { COUNT = 1000 };
static cl_program program;

static void allocations(void)
{
    cl_ulong most;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
    static const cl_svm_mem_flags good[] = {0, CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY,
        CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER,
        CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        for (cl_uint alignment = 0; alignment <= 128; alignment = alignment ? alignment * 2 : 1) {
            char *p = clSVMAlloc(context, good[i], 3 + alignment, alignment);
            TRUE_(p && (uintptr_t)p % 128 == 0);
            memset(p, 1, 3 + alignment);
            clSVMFree(context, p);
        }
    TRUE_(!clSVMAlloc(NULL, 0, 64, 0));
    TRUE_(!clSVMAlloc(context, CL_MEM_SVM_ATOMICS, 64, 0));
    TRUE_(!clSVMAlloc(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0));
    TRUE_(!clSVMAlloc(context, CL_MEM_COPY_HOST_PTR, 64, 0));
    TRUE_(!clSVMAlloc(context, 0, 0, 0));
    TRUE_(!clSVMAlloc(context, 0, (size_t)most + 1, 0));
    TRUE_(!clSVMAlloc(context, 0, 64, 3));
    TRUE_(!clSVMAlloc(context, 0, 64, 256));
    clSVMFree(context, NULL);
    clSVMFree(NULL, NULL);
}

static void command_type(cl_event event, cl_command_type want)
{
    cl_command_type got = 0;
    OK(clWaitForEvents(1, &event));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof got, &got, NULL));
    TRUE_(got == want);
    OK(clReleaseEvent(event));
}

static void copies_and_fills(void)
{
    unsigned char *a = clSVMAlloc(context, 0, COUNT, 0), *b = clSVMAlloc(context, 0, COUNT, 0);
    unsigned char plain[COUNT], pattern[128];
    cl_event event;
    for (int i = 0; i < 128; i++)
        pattern[i] = (unsigned char)(i + 1);
    for (size_t size = 1; size <= 128; size *= 2) {
        memset(a, 0, COUNT);
        OK(clEnqueueSVMMemFill(queue, a + 128, pattern, size, 512, 0, NULL, &event));
        command_type(event, CL_COMMAND_SVM_MEMFILL);
        for (int i = 0; i < COUNT; i++)
            TRUE_(a[i] == (i < 128 || i >= 640 ? 0 : pattern[(size_t)i % size]));
    }
    OK(clEnqueueSVMMemcpy(queue, CL_FALSE, b, a, COUNT, 0, NULL, &event));
    command_type(event, CL_COMMAND_SVM_MEMCPY);
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, plain, b, COUNT, 0, NULL, NULL));
    TRUE_(!memcmp(plain, a, COUNT));
    /* Host memory on both sides, and halves of one allocation. */
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, plain, pattern, sizeof pattern, 0, NULL, NULL));
    TRUE_(!memcmp(plain, pattern, sizeof pattern));
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, a, a + COUNT / 2, COUNT / 2, 0, NULL, NULL));
    OK(clEnqueueSVMMemcpy(queue, CL_TRUE, a, a, 0, 0, NULL, NULL));
    OK(clEnqueueSVMMemFill(queue, a, pattern, 4, 0, 0, NULL, NULL));

    IS(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMemcpy(NULL, CL_TRUE, a, b, 1, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMemcpy(queue, CL_TRUE, NULL, b, 1, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMemcpy(queue, CL_TRUE, a, NULL, 1, 0, NULL, NULL));
    IS(CL_MEM_COPY_OVERLAP, clEnqueueSVMMemcpy(queue, CL_TRUE, a, a + 3, 4, 0, NULL, NULL));
    IS(CL_MEM_COPY_OVERLAP, clEnqueueSVMMemcpy(queue, CL_TRUE, a + 3, a, 4, 0, NULL, NULL));
    IS(CL_MEM_COPY_OVERLAP, clEnqueueSVMMemcpy(queue, CL_TRUE, a, a, 4, 0, NULL, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMemcpy(queue, CL_TRUE, a, b, 1, 1, NULL, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMemcpy(queue, CL_TRUE, a, b, 1, 0, &event, NULL));
    IS(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMemFill(NULL, a, pattern, 4, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, NULL, pattern, 4, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, a + 2, pattern, 4, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, a, NULL, 4, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, a, pattern, 0, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, a, pattern, 3, 6, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, a, pattern, 256, 256, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, a, pattern, 4, 6, 0, NULL, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMemFill(queue, a, pattern, 4, 4, 1, NULL, NULL));
    clSVMFree(context, a);
    clSVMFree(context, b);
}

static void maps_and_migrations(void)
{
    int *p = clSVMAlloc(context, 0, 64 * sizeof *p, 0);
    cl_event event;
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, p, 64, 0, NULL, NULL));
    OK(clEnqueueSVMUnmap(queue, p, 0, NULL, &event));
    command_type(event, CL_COMMAND_SVM_UNMAP);
    OK(clEnqueueSVMMap(queue, CL_FALSE, CL_MAP_WRITE_INVALIDATE_REGION, p, 64, 0, NULL, &event));
    command_type(event, CL_COMMAND_SVM_MAP);
    OK(clEnqueueSVMUnmap(queue, p, 0, NULL, NULL));
    IS(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMap(NULL, CL_TRUE, CL_MAP_READ, p, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, NULL, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, p, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMap(queue, CL_TRUE, 1 << 8, p, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE,
       clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION, p, 4, 0, NULL, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, p, 4, 1, NULL, NULL));
    IS(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMUnmap(NULL, p, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMUnmap(queue, NULL, 0, NULL, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMUnmap(queue, p, 1, NULL, NULL));

    const void *some[] = {p, p + 63};
    size_t sizes[] = {256, 4}, outside[] = {256, 5}, whole[] = {0, 0};
    int plain;
    const void *foreign[] = {&plain};
    OK(clEnqueueSVMMigrateMem(queue, 2, some, NULL, 0, 0, NULL, &event));
    command_type(event, CL_COMMAND_SVM_MIGRATE_MEM);
    OK(clEnqueueSVMMigrateMem(queue, 2, some, sizes, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    OK(clEnqueueSVMMigrateMem(queue, 2, some, whole, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, NULL, NULL));
    IS(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMMigrateMem(NULL, 2, some, NULL, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 0, some, NULL, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 2, NULL, NULL, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 2, some, NULL, 1 << 9, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 2, some, outside, 0, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 1, foreign, sizes, 0, 0, NULL, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMMigrateMem(queue, 2, some, NULL, 0, 1, NULL, NULL));
    OK(clFinish(queue));
    clSVMFree(context, p);
}

static atomic_int freed;

static void CL_CALLBACK free_them(cl_command_queue q, cl_uint count, void *pointers[], void *user_data)
{
    cl_context c = NULL;
    OK(clGetCommandQueueInfo(q, CL_QUEUE_CONTEXT, sizeof c, &c, NULL));
    TRUE_(c == context && user_data == &freed && count == 3);
    for (cl_uint i = 0; i < count; i++)
        clSVMFree(c, pointers[i]);
    atomic_fetch_add(&freed, (int)count);
}

static void frees(void)
{
    void *list[3];
    cl_event event, gate = MAKES(clCreateUserEvent(context, &err));
    for (int i = 0; i < 3; i++)
        list[i] = clSVMAlloc(context, 0, 100, 0);
    OK(clEnqueueSVMFree(queue, 3, list, free_them, &freed, 1, &gate, &event));
    memset(list, 0, sizeof list); /* the command has its own */
    OK(clFlush(queue));
    TRUE_(atomic_load(&freed) == 0);
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    command_type(event, CL_COMMAND_SVM_FREE);
    TRUE_(atomic_load(&freed) == 3);
    for (int i = 0; i < 3; i++)
        list[i] = clSVMAlloc(context, 0, 100, 0);
    OK(clEnqueueSVMFree(queue, 3, list, NULL, NULL, 0, NULL, NULL));
    OK(clEnqueueSVMFree(queue, 0, NULL, NULL, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    IS(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMFree(NULL, 1, list, NULL, NULL, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 0, list, NULL, NULL, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 1, NULL, NULL, NULL, 0, NULL, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueSVMFree(queue, 1, list, NULL, NULL, 1, NULL, NULL));
    OK(clReleaseEvent(gate));
}

/* What waits for an event that fails does not run, and a blocking call says so; so do those of another context. */
static void failed_events(void)
{
    int *p = clSVMAlloc(context, 0, 64, 0), value = 7;
    cl_int status = 0;
    cl_event gate = MAKES(clCreateUserEvent(context, &err)), event;
    cl_context other = MAKES(clCreateContext(NULL, 1, &device, NULL, NULL, &err));
    cl_event stranger = MAKES(clCreateUserEvent(other, &err));
    *p = 1;
    IS(CL_INVALID_CONTEXT, clEnqueueSVMMemcpy(queue, CL_TRUE, p, &value, 4, 1, &stranger, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueSVMMemFill(queue, p, &value, 4, 4, 1, &stranger, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, p, 4, 1, &stranger, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueSVMUnmap(queue, p, 1, &stranger, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueSVMFree(queue, 1, (void **)&p, NULL, NULL, 1, &stranger, NULL));
    OK(clEnqueueSVMMemFill(queue, p, &value, 4, 4, 1, &gate, &event));
    OK(clSetUserEventStatus(gate, -7));
    IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, p, 4, 1, &gate, NULL));
    IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clEnqueueSVMMemcpy(queue, CL_TRUE, p, &value, 4, 1, &gate, NULL));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    TRUE_(status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST && *p == 1);
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(gate));
    OK(clReleaseEvent(stranger));
    OK(clReleaseContext(other));
    clSVMFree(context, p);
}

static void run(cl_kernel kernel, size_t items)
{
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
}

/* A list whose nodes lie in shared memory, in the heap and on the stack, made by the host and changed by a kernel. */
static void pointers_in_memory(void)
{
    cl_kernel kernel = MAKES(clCreateKernel(program, "walk", &err));
    node *shared = clSVMAlloc(context, 0, COUNT * sizeof(node), 0), *heap = malloc(COUNT * sizeof(node)), last = {5, NULL};
    int sum = 0, want = 5;
    for (int i = 0; i < COUNT; i++) {
        shared[i] = (node){i, &heap[i]};
        heap[i] = (node){3 * i, i + 1 < COUNT ? &shared[i + 1] : &last};
        want += 4 * i;
    }
    const void *used[] = {shared + 1};
    OK(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof used, used));
    OK(clSetKernelArgSVMPointer(kernel, 0, shared));
    OK(clSetKernelArgSVMPointer(kernel, 1, &sum));
    run(kernel, 1);
    TRUE_(sum == want && last.value == -5);
    for (int i = 0; i < COUNT; i++)
        TRUE_(shared[i].value == -i && heap[i].value == -3 * i);
    /* A clone has the pointers as well; from the middle on. */
    cl_kernel clone = MAKES(clCloneKernel(kernel, &err));
    OK(clSetKernelArgSVMPointer(clone, 0, &heap[COUNT - 1]));
    run(clone, 1);
    TRUE_(sum == -3 * (COUNT - 1) - 5);
    OK(clReleaseKernel(clone));
    OK(clReleaseKernel(kernel));
    free(heap);
    clSVMFree(context, shared);
}

static void arguments(void)
{
    cl_kernel add = MAKES(clCreateKernel(program, "add", &err));
    cl_kernel shared = MAKES(clCreateKernel(program, "shared", &err));
    cl_kernel null = MAKES(clCreateKernel(program, "null", &err));
    int *out = malloc(COUNT * sizeof *out), *in = malloc(COUNT * sizeof *in), by = 9, is_null = 2;
    size_t items = COUNT;
    for (int i = 0; i < COUNT; i++)
        in[i] = i * i;
    OK(clSetKernelArgSVMPointer(add, 0, out));
    OK(clSetKernelArg(add, 2, sizeof by, &by));
    IS(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, add, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clSetKernelArgSVMPointer(add, 1, in));
    run(add, COUNT);
    for (int i = 0; i < COUNT; i++)
        TRUE_(out[i] == i * i + 9);
    OK(clSetKernelArgSVMPointer(null, 0, &is_null));
    OK(clSetKernelArgSVMPointer(null, 1, NULL));
    run(null, 1);
    TRUE_(is_null == 1);
    OK(clSetKernelArgSVMPointer(null, 1, &is_null));
    run(null, 1);
    TRUE_(is_null == 0);
    IS(CL_INVALID_KERNEL, clSetKernelArgSVMPointer(NULL, 0, out));
    IS(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(add, 3, out));
    IS(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(add, 2, out));
    IS(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(shared, 0, out));
    IS(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(shared, 1, out));

    cl_bool no = CL_FALSE, yes = CL_TRUE;
    const void *pointers[] = {out, in};
    OK(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers));
    OK(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
    OK(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof no, &no));
    OK(clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
    IS(CL_INVALID_KERNEL, clSetKernelExecInfo(NULL, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL));
    IS(CL_INVALID_VALUE, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, NULL));
    IS(CL_INVALID_VALUE, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_PTRS, 3, pointers));
    IS(CL_INVALID_VALUE, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 1, &yes));
    IS(CL_INVALID_VALUE, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, NULL));
    IS(CL_INVALID_VALUE, clSetKernelExecInfo(add, 0x9999, sizeof yes, &yes));
    free(out);
    free(in);
    OK(clReleaseKernel(add));
    OK(clReleaseKernel(shared));
    OK(clReleaseKernel(null));
}

static cl_bool uses_svm(cl_mem memory)
{
    cl_bool uses = 99;
    size_t size = 0;
    OK(clGetMemObjectInfo(memory, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, &size));
    TRUE_(size == sizeof uses);
    return uses;
}

static void buffers(void)
{
    int *p = clSVMAlloc(context, 0, COUNT * sizeof *p, 0), plain[64], copy[64];
    cl_mem over = MAKES(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, COUNT * sizeof *p, p, &err));
    cl_mem inner = MAKES(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 64 * sizeof *p, p + COUNT - 64, &err));
    cl_mem host = MAKES(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof plain, plain, &err));
    cl_mem own = MAKES(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 64, p, &err));
    cl_buffer_region region = {128, 256};
    cl_mem part = MAKES(clCreateSubBuffer(over, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
    TRUE_(uses_svm(over) && uses_svm(inner) && uses_svm(part) && !uses_svm(host) && !uses_svm(own));
    REFUSES(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, COUNT * sizeof *p + 1, p, &err));
    REFUSES(CL_INVALID_BUFFER_SIZE,
            clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 64 * sizeof *p + 1, p + COUNT - 64, &err));
    cl_int seven = 7;
    OK(clEnqueueFillBuffer(queue, part, &seven, 4, 0, 256, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, over, CL_TRUE, 128, sizeof copy, copy, 0, NULL, NULL));
    for (int i = 0; i < 64; i++)
        TRUE_(p[32 + i] == 7 && copy[i] == 7);
    cl_kernel add = MAKES(clCreateKernel(program, "add", &err));
    int by = 1;
    OK(clSetKernelArg(add, 0, sizeof inner, &inner));
    OK(clSetKernelArgSVMPointer(add, 1, p + 32));
    OK(clSetKernelArg(add, 2, sizeof by, &by));
    run(add, 64);
    for (int i = 0; i < 64; i++)
        TRUE_(p[COUNT - 64 + i] == 8);
    OK(clReleaseKernel(add));
    OK(clReleaseMemObject(part));
    OK(clReleaseMemObject(own));
    OK(clReleaseMemObject(host));
    OK(clReleaseMemObject(inner));
    OK(clReleaseMemObject(over));
    clSVMFree(context, p);
}

/* The kernel starts to count when the host says so, and both count at the same time. */
static void atomics(void)
{
    cl_kernel kernel = MAKES(clCreateKernel(program, "count", &err));
    atomic_int *shared =
        clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS, 256, 0);
    size_t items = 32, local = 8;
    atomic_store(&shared[0], 0);
    atomic_store(&shared[32], 0);
    OK(clSetKernelArgSVMPointer(kernel, 0, &shared[0]));
    OK(clSetKernelArgSVMPointer(kernel, 1, &shared[32]));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
    OK(clFlush(queue));
    atomic_store(&shared[32], 1);
    for (int i = 0; i < 100000; i++)
        atomic_fetch_add(&shared[0], 1);
    OK(clFinish(queue));
    TRUE_(atomic_load(&shared[0]) == 132000);
    clSVMFree(context, shared);
    OK(clReleaseKernel(kernel));
}

int main(void)
{
    cl_device_svm_capabilities can = 0, all = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER |
                                              CL_DEVICE_SVM_FINE_GRAIN_SYSTEM | CL_DEVICE_SVM_ATOMICS;
    set_up();
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof can, &can, NULL));
    TRUE_(can == all);
    program = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    OK(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
    allocations();
    copies_and_fills();
    maps_and_migrations();
    frees();
    failed_events();
    pointers_in_memory();
    arguments();
    buffers();
    atomics();
    OK(clReleaseProgram(program));
    tear_down();
    return done();
}
