/* Pipes: creation, queries and arguments with every error code; packets of several types through reservations of
 * work-items, sub-groups and groups; order, full and empty pipes; and writers and readers that run at the same time. */
#include "check.h"

static const char *source =
    "typedef struct { char a; int b; float4 c; } packet_t;\n"
    "kernel void write_ints(write_only pipe int p, global int *results, int base)\n"
    "{\n"
    "    int i = get_global_id(0), value = base + i;\n"
    "    results[i] = write_pipe(p, &value);\n"
    "}\n"
    "kernel void read_ints(read_only pipe int p, global int *results, global int *values)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    results[i] = read_pipe(p, &values[i]);\n"
    "}\n"
    "kernel void write_structs(write_only pipe packet_t p)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    packet_t packet = {(char)i, i * 3, (float4)(i, i + 1, i + 2, i + 3)};\n"
    "    reserve_id_t id = reserve_write_pipe(p, 1);\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        write_pipe(p, id, 0, &packet);\n"
    "        commit_write_pipe(p, id);\n"
    "    }\n"
    "}\n"
    "kernel void read_structs(read_only pipe packet_t p, global packet_t *packets)\n"
    "{\n"
    "    local packet_t packet[64];\n"
    "    int i = get_global_id(0), l = get_local_id(0);\n"
    "    reserve_id_t id = reserve_read_pipe(p, 1);\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        read_pipe(p, id, 0, &packet[l]);\n"
    "        commit_read_pipe(p, id);\n"
    "        packets[i] = packet[l];\n"
    "    }\n"
    "}\n"
    "kernel void write_groups(write_only pipe short p)\n"
    "{\n"
    "    local reserve_id_t id;\n"
    "    short value = get_global_id(0);\n"
    "    id = work_group_reserve_write_pipe(p, get_local_size(0));\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        write_pipe(p, id, get_local_id(0), &value);\n"
    "        work_group_commit_write_pipe(p, id);\n"
    "    }\n"
    "}\n"
    "kernel void read_groups(read_only pipe short p, global short *values)\n"
    "{\n"
    "    reserve_id_t id = work_group_reserve_read_pipe(p, get_local_size(0));\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        read_pipe(p, id, get_local_id(0), &values[get_global_id(0)]);\n"
    "        work_group_commit_read_pipe(p, id);\n"
    "    }\n"
    "}\n"
    "kernel void write_sub_groups(write_only pipe long p)\n"
    "{\n"
    "    long value = get_global_id(0);\n"
    "    reserve_id_t id = sub_group_reserve_write_pipe(p, get_sub_group_size());\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        write_pipe(p, id, get_sub_group_local_id(), &value);\n"
    "        sub_group_commit_write_pipe(p, id);\n"
    "    }\n"
    "}\n"
    "kernel void read_sub_groups(read_only pipe long p, global long *values)\n"
    "{\n"
    "    reserve_id_t id = sub_group_reserve_read_pipe(p, get_sub_group_size());\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        read_pipe(p, id, get_sub_group_local_id(), &values[get_global_id(0)]);\n"
    "        sub_group_commit_read_pipe(p, id);\n"
    "    }\n"
    "}\n"
    "kernel void write_in_order(write_only pipe int p, global uint *seen)\n"
    "{\n"
    "    int values[6] = {10, 11, 12, 13, 14, 15};\n"
    "    reserve_id_t first = reserve_write_pipe(p, 2), second = reserve_write_pipe(p, 3);\n"
    "    seen[0] = is_valid_reserve_id(first) && is_valid_reserve_id(second);\n"
    "    seen[1] = is_valid_reserve_id(reserve_write_pipe(p, 4)); /* 5 of 8 are taken */\n"
    "    seen[2] = is_valid_reserve_id(CLK_NULL_RESERVE_ID) + is_valid_reserve_id(reserve_write_pipe(p, 0));\n"
    "    for (int i = 0; i < 3; i++) write_pipe(p, second, i, values + 2 + i);\n"
    "    seen[3] = write_pipe(p, second, 3, values); /* there is no such packet */\n"
    "    commit_write_pipe(p, second);\n"
    "    seen[4] = get_pipe_num_packets(p); /* none before the first is there */\n"
    "    write_pipe(p, first, 1, values + 1);\n"
    "    write_pipe(p, first, 0, values + 5);\n"
    "    write_pipe(p, first, 0, values);\n"
    "    commit_write_pipe(p, first);\n"
    "    seen[5] = get_pipe_num_packets(p);\n"
    "    seen[6] = get_pipe_max_packets(p);\n"
    "    seen[7] = sizeof(reserve_id_t);\n"
    "}\n"
    "kernel void read_in_order(read_only pipe int p, global uint *seen)\n"
    "{\n"
    "    int values[5] = {0};\n"
    "    reserve_id_t first = reserve_read_pipe(p, 3), second = reserve_read_pipe(p, 2);\n"
    "    seen[0] = get_pipe_num_packets(p);\n"
    "    seen[1] = is_valid_reserve_id(reserve_read_pipe(p, 1));\n"
    "    read_pipe(p, second, 1, values + 4);\n"
    "    read_pipe(p, second, 0, values + 3);\n"
    "    commit_read_pipe(p, second);\n"
    "    for (int i = 0; i < 3; i++) read_pipe(p, first, i, values + i);\n"
    "    commit_read_pipe(p, first);\n"
    "    for (int i = 0; i < 5; i++) seen[2 + i] = values[i];\n"
    "}\n"
    "kernel void count(read_only pipe int p, global uint *counts)\n"
    "{\n"
    "    counts[0] = get_pipe_num_packets(p);\n"
    "    counts[1] = get_pipe_max_packets(p);\n"
    "}\n"
    /* Work-items that go on reading until they have got what they want, or nothing comes any more. */
    "kernel void drain(read_only pipe int p, global int *times, global int *got, int tries)\n"
    "{\n"
    "    int value;\n"
    "    for (int i = 0; i < tries; i++)\n"
    "        if (read_pipe(p, &value) == 0) {\n"
    "            atomic_inc(&times[value]);\n"
    "            atomic_inc(got);\n"
    "        }\n"
    "}\n"
    "kernel void pour(write_only pipe int p, global int *next, int count, int tries)\n"
    "{\n"
    "    for (int i = 0; i < tries; i++) {\n"
    "        reserve_id_t id = reserve_write_pipe(p, 3);\n"
    "        if (!is_valid_reserve_id(id)) continue;\n"
    "        for (int j = 2; j >= 0; j--) { int value = atomic_inc(next); write_pipe(p, id, j, &value); }\n"
    "        commit_write_pipe(p, id);\n"
    "    }\n"
    "}\n";

static cl_program program;

static cl_kernel kernel_of(const char *name, cl_uint count, ...)
{
    cl_kernel kernel = MAKES(clCreateKernel(program, name, &err));
    __builtin_va_list args;
    __builtin_va_start(args, count);
    for (cl_uint i = 0; i < count; i++) {
        cl_mem arg = __builtin_va_arg(args, cl_mem);
        OK(clSetKernelArg(kernel, i, sizeof arg, &arg));
    }
    __builtin_va_end(args);
    return kernel;
}

static cl_mem buffer_of(size_t size)
{
    cl_int zero = 0;
    cl_mem buffer = MAKES(clCreateBuffer(context, 0, size, NULL, &err));
    OK(clEnqueueFillBuffer(queue, buffer, &zero, 1, 0, size, 0, NULL, NULL));
    return buffer;
}

static void run(cl_kernel kernel, size_t items, size_t local)
{
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, local ? &local : NULL, 0, NULL, NULL));
}

static void read_back(cl_mem buffer, void *to, size_t size)
{
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, to, 0, NULL, NULL));
}

static void objects(void)
{
    cl_uint number = 0, most = 0;
    size_t size = 9;
    cl_mem_object_type type = 0;
    cl_mem_flags flags = 0;
    cl_pipe_properties list[] = {0};
    OK(clGetDeviceInfo(device, CL_DEVICE_PIPE_SUPPORT, sizeof number, &number, NULL));
    TRUE_(number == CL_TRUE);
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_PIPE_ARGS, sizeof number, &number, NULL));
    TRUE_(number >= 16);
    OK(clGetDeviceInfo(device, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, sizeof number, &number, NULL));
    TRUE_(number >= 1);
    OK(clGetDeviceInfo(device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof most, &most, NULL));
    TRUE_(most >= 1024);
    REFUSES(CL_INVALID_CONTEXT, clCreatePipe(NULL, 0, 4, 4, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreatePipe(context, CL_MEM_READ_ONLY, 4, 4, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreatePipe(context, CL_MEM_USE_HOST_PTR, 4, 4, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreatePipe(context, 0, 4, 4, list, &err));
    REFUSES(CL_INVALID_PIPE_SIZE, clCreatePipe(context, 0, 0, 4, NULL, &err));
    REFUSES(CL_INVALID_PIPE_SIZE, clCreatePipe(context, 0, 4, 0, NULL, &err));
    REFUSES(CL_INVALID_PIPE_SIZE, clCreatePipe(context, 0, most + 1, 4, NULL, &err));
    REFUSES(CL_MEM_OBJECT_ALLOCATION_FAILURE, clCreatePipe(context, 0, most, UINT32_MAX, NULL, &err));
    cl_mem pipe = MAKES(clCreatePipe(context, 0, 12, 34, NULL, &err));
#define ASK(...) clGetPipeInfo(pipe, __VA_ARGS__)
    QUERY_RULES(ASK, CL_PIPE_PACKET_SIZE, sizeof number);
    QUERY_RULES(ASK, CL_PIPE_MAX_PACKETS, sizeof number);
    QUERY_RULES(ASK, CL_PIPE_PROPERTIES, 0);
    OK(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof number, &number, NULL));
    TRUE_(number == 12);
    OK(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof number, &number, NULL));
    TRUE_(number == 34);
    OK(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof type, &type, NULL));
    TRUE_(type == CL_MEM_OBJECT_PIPE);
    OK(clGetMemObjectInfo(pipe, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    TRUE_(flags == (CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS));
    OK(clGetMemObjectInfo(pipe, CL_MEM_SIZE, sizeof size, &size, NULL));
    TRUE_(size >= 12 * 34);

    /* It is no buffer and no image. */
    char bytes[64];
    cl_buffer_region region = {0, 128};
    size_t corner[3] = {0}, one[3] = {1, 1, 1};
    cl_mem buffer = buffer_of(256);
    IS(CL_INVALID_MEM_OBJECT, clGetPipeInfo(buffer, CL_PIPE_PACKET_SIZE, sizeof number, &number, NULL));
    IS(CL_INVALID_MEM_OBJECT, clGetPipeInfo(NULL, CL_PIPE_PACKET_SIZE, sizeof number, &number, NULL));
    IS(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, pipe, CL_TRUE, 0, 4, bytes, 0, NULL, NULL));
    IS(CL_INVALID_MEM_OBJECT, clEnqueueCopyBuffer(queue, buffer, pipe, 0, 0, 4, 0, NULL, NULL));
    REFUSES(CL_INVALID_MEM_OBJECT, clEnqueueMapBuffer(queue, pipe, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &err));
    REFUSES(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
    IS(CL_INVALID_MEM_OBJECT, clEnqueueReadImage(queue, pipe, CL_TRUE, corner, one, 0, 0, bytes, 0, NULL, NULL));
    OK(clEnqueueMigrateMemObjects(queue, 1, &pipe, 0, 0, NULL, NULL));

    /* Arguments. */
    cl_kernel kernel = MAKES(clCreateKernel(program, "read_ints", &err));
    cl_context other = MAKES(clCreateContext(NULL, 1, &device, NULL, NULL, &err));
    cl_mem foreign = MAKES(clCreatePipe(other, 0, 4, 4, NULL, &err)), fitting = MAKES(clCreatePipe(context, 0, 4, 4, NULL, &err));
    cl_mem none = NULL;
    IS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &fitting));
    IS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof fitting, NULL));
    IS(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof none, &none));
    IS(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    IS(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 1, sizeof fitting, &fitting));
    IS(CL_INVALID_CONTEXT, clSetKernelArg(kernel, 0, sizeof foreign, &foreign));
    IS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof pipe, &pipe)); /* packets of another size */
    IS(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(kernel, 0, bytes));
    OK(clSetKernelArg(kernel, 0, sizeof fitting, &fitting));
    cl_kernel_arg_type_qualifier qualifier = 0;
    cl_kernel_arg_access_qualifier access = 0;
    cl_kernel_arg_address_qualifier space = 0;
    char name[32];
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier, NULL));
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
    TRUE_(qualifier == CL_KERNEL_ARG_TYPE_PIPE && access == CL_KERNEL_ARG_ACCESS_READ_ONLY && space == CL_KERNEL_ARG_ADDRESS_GLOBAL);
    TRUE_(!strcmp(name, "int"));
    OK(clReleaseMemObject(foreign));
    OK(clReleaseContext(other));
    OK(clReleaseMemObject(fitting));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(pipe));
}

/* A pipe of 100 packets takes 100 of 150, gives 70 of those, takes 70 more: round and round. */
static void full_and_empty(void)
{
    enum { MOST = 100, TRY = 150, TAKE = 70 };
    cl_mem pipe = MAKES(clCreatePipe(context, 0, 4, MOST, NULL, &err));
    cl_mem results = buffer_of(4 * TRY), values = buffer_of(4 * TRY), counts = buffer_of(8);
    cl_kernel writes = kernel_of("write_ints", 2, pipe, results), reads = kernel_of("read_ints", 3, pipe, results, values);
    cl_kernel counter = kernel_of("count", 2, pipe, counts);
    static cl_int result[TRY], value[TRY], seen[20 * TRY];
    cl_uint count[2];
    int inside = 0, total = 0, taken = 0;
    for (int round = 0; round < 12; round++) {
        cl_int base = round * TRY;
        OK(clSetKernelArg(writes, 2, sizeof base, &base));
        run(writes, TRY, 0);
        read_back(results, result, sizeof result);
        int wrote = 0;
        for (int i = 0; i < TRY; i++) {
            TRUE_(result[i] <= 0);
            if (result[i] == 0) {
                wrote++;
                seen[base + i] = 1;
            }
        }
        TRUE_(wrote == MOST - inside);
        total += wrote;
        run(counter, 1, 0);
        read_back(counts, count, sizeof count);
        TRUE_(count[0] == MOST && count[1] == MOST);
        int take = round == 11 ? TRY : TAKE;
        run(reads, take, 0);
        read_back(results, result, sizeof result);
        read_back(values, value, sizeof value);
        int got = 0;
        for (int i = 0; i < take; i++)
            if (result[i] == 0) {
                got++;
                TRUE_(value[i] >= 0 && value[i] < 20 * TRY && seen[value[i]] == 1);
                seen[value[i]] = 2;
            }
        inside = take == TAKE ? MOST - TAKE : 0;
        TRUE_(got == MOST - inside);
        taken += got;
    }
    TRUE_(total == taken);
    for (int i = 0; i < 20 * TRY; i++)
        TRUE_(seen[i] != 1);
    OK(clReleaseKernel(writes));
    OK(clReleaseKernel(reads));
    OK(clReleaseKernel(counter));
    OK(clReleaseMemObject(counts));
    OK(clReleaseMemObject(values));
    OK(clReleaseMemObject(results));
    OK(clReleaseMemObject(pipe));
}

static void order_of_reservations(void)
{
    cl_mem pipe = MAKES(clCreatePipe(context, CL_MEM_HOST_NO_ACCESS, 4, 8, NULL, &err)), seen = buffer_of(64);
    cl_kernel writes = kernel_of("write_in_order", 2, pipe, seen), reads = kernel_of("read_in_order", 2, pipe, seen);
    cl_int got[8];
    for (int round = 0; round < 9; round++) {
        run(writes, 1, 0);
        read_back(seen, got, sizeof got);
        TRUE_(got[0] == 1 && got[1] == 0 && got[2] == 0 && got[3] < 0 && got[4] == 0 && got[5] == 5 && got[6] == 8 && got[7] == 8);
        run(reads, 1, 0);
        read_back(seen, got, sizeof got);
        TRUE_(got[0] == 0 && got[1] == 0);
        for (int i = 0; i < 5; i++)
            TRUE_(got[2 + i] == 10 + i);
    }
    OK(clReleaseKernel(writes));
    OK(clReleaseKernel(reads));
    OK(clReleaseMemObject(seen));
    OK(clReleaseMemObject(pipe));
}

/* Each value once, whatever the order of groups; within a reservation in order. */
static void teams(size_t items, size_t local)
{
    struct packet { char a; cl_int b; cl_float4 c; } *structs = calloc(items, sizeof *structs);
    cl_short *shorts = calloc(items, sizeof *shorts);
    cl_long *longs = calloc(items, sizeof *longs);
    char *seen = calloc(3, items);
    cl_mem p = MAKES(clCreatePipe(context, 0, sizeof *structs, items, NULL, &err)), to = buffer_of(items * sizeof *structs);
    cl_kernel writes = kernel_of("write_structs", 1, p), reads = kernel_of("read_structs", 2, p, to);
    run(writes, items, local);
    run(reads, items, local);
    read_back(to, structs, items * sizeof *structs);
    for (size_t i = 0; i < items; i++) {
        int n = structs[i].b / 3;
        TRUE_(n >= 0 && n < (int)items && !seen[n]++ && structs[i].a == (char)n && structs[i].c.s[0] == n && structs[i].c.s[3] == n + 3);
    }
    OK(clReleaseKernel(writes));
    OK(clReleaseKernel(reads));
    OK(clReleaseMemObject(p));
    p = MAKES(clCreatePipe(context, 0, 2, items, NULL, &err));
    writes = kernel_of("write_groups", 1, p), reads = kernel_of("read_groups", 2, p, to);
    run(writes, items, local);
    run(reads, items, local);
    read_back(to, shorts, items * sizeof *shorts);
    for (size_t i = 0; i < items; i++) {
        TRUE_(shorts[i] >= 0 && shorts[i] < (int)items && !seen[items + shorts[i]]++);
        TRUE_(i % local == 0 || shorts[i] == shorts[i - 1] + 1);
    }
    OK(clReleaseKernel(writes));
    OK(clReleaseKernel(reads));
    OK(clReleaseMemObject(p));
    p = MAKES(clCreatePipe(context, 0, 8, items, NULL, &err));
    writes = kernel_of("write_sub_groups", 1, p), reads = kernel_of("read_sub_groups", 2, p, to);
    run(writes, items, local);
    run(reads, items, local);
    read_back(to, longs, items * sizeof *longs);
    for (size_t i = 0; i < items; i++)
        TRUE_(longs[i] >= 0 && longs[i] < (int)items && !seen[2 * items + longs[i]]++);
    OK(clReleaseKernel(writes));
    OK(clReleaseKernel(reads));
    OK(clReleaseMemObject(p));
    OK(clReleaseMemObject(to));
    free(structs);
    free(shorts);
    free(longs);
    free(seen);
}

/* Writers and readers on a queue out of order, and a small pipe: nothing is lost, and nothing comes twice. */
static void at_the_same_time(void)
{
    enum { MOST = 37, TRIES = 40, KERNELS = 6, VALUES = 3 * TRIES * KERNELS * 64 + 64 };
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue both = MAKES(clCreateCommandQueueWithProperties(context, device, list, &err));
    cl_mem pipe = MAKES(clCreatePipe(context, 0, 4, MOST, NULL, &err));
    cl_mem times = buffer_of(4 * VALUES), got = buffer_of(4), next = buffer_of(4);
    cl_kernel pour = kernel_of("pour", 2, pipe, next), drain = kernel_of("drain", 3, pipe, times, got);
    cl_int tries = TRIES, count = VALUES;
    size_t items = 64, local = 16;
    OK(clFinish(queue));
    OK(clSetKernelArg(pour, 2, sizeof count, &count));
    OK(clSetKernelArg(pour, 3, sizeof tries, &tries));
    OK(clSetKernelArg(drain, 3, sizeof tries, &tries));
    for (int i = 0; i < KERNELS; i++) {
        OK(clEnqueueNDRangeKernel(both, pour, 1, NULL, &items, &local, 0, NULL, NULL));
        OK(clEnqueueNDRangeKernel(both, drain, 1, NULL, &items, &local, 0, NULL, NULL));
        OK(clFlush(both));
    }
    OK(clFinish(both));
    OK(clEnqueueNDRangeKernel(both, drain, 1, NULL, &items, &local, 0, NULL, NULL));
    OK(clFinish(both));
    static cl_int each[VALUES];
    cl_int made = 0, taken = 0;
    read_back(next, &made, 4);
    read_back(got, &taken, 4);
    read_back(times, each, sizeof each);
    TRUE_(made > MOST - 3 && made == taken);
    for (int i = 0; i < VALUES; i++)
        TRUE_(each[i] == (i < made));
    OK(clReleaseKernel(pour));
    OK(clReleaseKernel(drain));
    OK(clReleaseMemObject(times));
    OK(clReleaseMemObject(got));
    OK(clReleaseMemObject(next));
    OK(clReleaseMemObject(pipe));
    OK(clReleaseCommandQueue(both));
}

int main(void)
{
    set_up();
    program = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    cl_int built = clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL);
    if (built != CL_SUCCESS) {
        static char log[1 << 16];
        OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
        printf("%s\n", log);
    }
    OK(built);
    objects();
    full_and_empty();
    order_of_reservations();
    teams(1024, 64);
    teams(990, 33);
    teams(24, 1);
    for (int i = 0; i < 5; i++)
        at_the_same_time();
    OK(clReleaseProgram(program));
    tear_down();
    return done();
}
