/* Kernels: arguments, queries and launches; effects and errors. */
#include "check.h"

static const char *source =
    "kernel void add(global const int *restrict a, constant int *b, global int *out, int n, float4 v, local int *tmp)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    tmp[get_local_id(0)] = a[i] + b[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[i] = tmp[get_local_id(0)] + n + (int)v.w;\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void sized(global int *out)\n"
    "{\n"
    "    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = get_local_size(0) * 10 + get_local_size(1);\n"
    "}\n"
    "kernel void ids(global int *out)\n"
    "{\n"
    "    size_t i = (get_global_id(2) - get_global_offset(2)) * get_global_size(1) + get_global_id(1) -\n"
    "               get_global_offset(1);\n"
    "    i = i * get_global_size(0) + get_global_id(0) - get_global_offset(0);\n"
    "    out[i] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2);\n"
    "}\n"
    "kernel void null(global int *out, global int *maybe) { *out = maybe == 0; }\n"
    "kernel void lots(local char *a, local char *b) { a[0] = b[0]; }\n"
    "kernel void once(global int *out) { *out += 1; }\n";

static cl_program program;
static cl_kernel kernel;
static cl_mem in, out;
#define KERNEL(name, size, value, ret) clGetKernelInfo(kernel, name, size, value, ret)
#define GROUP(name, size, value, ret) clGetKernelWorkGroupInfo(kernel, device, name, size, value, ret)
#define ARG(name, size, value, ret) clGetKernelArgInfo(kernel, 0, name, size, value, ret)

static cl_kernel make(const char *name)
{
    return MAKES(clCreateKernel(program, name, &err));
}

static void arguments(void)
{
    cl_context elsewhere = MAKES(clCreateContext(NULL, 1, &device, NULL, NULL, &err));
    cl_mem foreign = MAKES(clCreateBuffer(elsewhere, 0, 64, NULL, &err)), nothing = NULL;
    cl_int n = 5;
    cl_float4 v = {{0, 0, 0, 9}};
    size_t items = 16;
    kernel = make("add");
    IS(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 6, sizeof n, &n));
    IS(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, ~0u, sizeof n, &n));
    IS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, sizeof in - 1, &in));
    IS(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof in, &queue));
    IS(CL_INVALID_CONTEXT, clSetKernelArg(kernel, 0, sizeof in, &foreign));
    IS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 3, sizeof n + 1, &n));
    IS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 3, 0, &n));
    IS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 3, sizeof n, NULL));
    IS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 4, sizeof(float), &v));
    IS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 5, 0, NULL));
    IS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 5, 64, &n));
    IS(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    IS(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof in, &in));
    OK(clSetKernelArg(kernel, 1, sizeof in, &in));
    OK(clSetKernelArg(kernel, 2, sizeof out, &out));
    OK(clSetKernelArg(kernel, 3, sizeof n, &n));
    OK(clSetKernelArg(kernel, 4, sizeof v, &v));
    IS(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 5, 16 * sizeof(int), NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    cl_int results[16];
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
    for (int i = 0; i < 16; i++)
        TRUE_(results[i] == 2 * i + 5 + 9);

    /* A clone has the arguments of its origin, and then its own. */
    cl_kernel twin = MAKES(clCloneKernel(kernel, &err));
    n = 1000;
    OK(clSetKernelArg(twin, 3, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
    TRUE_(results[3] == 6 + 14);
    OK(clEnqueueNDRangeKernel(queue, twin, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
    TRUE_(results[3] == 6 + 1009);
    OK(clReleaseKernel(twin));
    OK(clReleaseKernel(kernel));

    kernel = make("null");
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    OK(clSetKernelArg(kernel, 1, sizeof nothing, &nothing));
    OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 1, sizeof nothing, NULL));
    OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof n, &n, 0, NULL, NULL));
    TRUE_(n == 1);

    /* Arguments do not retain: a released buffer is found missing when the kernel is enqueued. */
    cl_mem brief = MAKES(clCreateBuffer(context, 0, 64, NULL, &err));
    OK(clSetKernelArg(kernel, 1, sizeof brief, &brief));
    OK(clReleaseMemObject(brief));
    IS(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(foreign));
    OK(clReleaseContext(elsewhere));
}

static void queries(void)
{
    char room[256];
    cl_uint number = 0;
    size_t sizes[3], most = 0;
    cl_ulong bytes = 99;
    kernel = make("add");
    QUERY_RULES(KERNEL, CL_KERNEL_FUNCTION_NAME, 4);
    QUERY_RULES(KERNEL, CL_KERNEL_NUM_ARGS, 4);
    QUERY_RULES(KERNEL, CL_KERNEL_REFERENCE_COUNT, 4);
    QUERY_RULES(KERNEL, CL_KERNEL_CONTEXT, sizeof(void *));
    QUERY_RULES(KERNEL, CL_KERNEL_PROGRAM, sizeof(void *));
    QUERY_RULES(KERNEL, CL_KERNEL_ATTRIBUTES, 1);
    OK(KERNEL(CL_KERNEL_NUM_ARGS, sizeof number, &number, NULL));
    TRUE_(number == 6);
    OK(clRetainKernel(kernel));
    OK(KERNEL(CL_KERNEL_REFERENCE_COUNT, sizeof number, &number, NULL));
    TRUE_(number == 2);
    OK(clReleaseKernel(kernel));
    QUERY_RULES(GROUP, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size_t));
    QUERY_RULES(GROUP, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, 3 * sizeof(size_t));
    QUERY_RULES(GROUP, CL_KERNEL_LOCAL_MEM_SIZE, 8);
    QUERY_RULES(GROUP, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(size_t));
    QUERY_RULES(GROUP, CL_KERNEL_PRIVATE_MEM_SIZE, 8);
    IS(CL_INVALID_VALUE, GROUP(CL_KERNEL_GLOBAL_WORK_SIZE, sizeof sizes, sizes, NULL));
    OK(clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    TRUE_(most >= 1);
    OK(clSetKernelArg(kernel, 5, 4096, NULL));
    OK(GROUP(CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    TRUE_(bytes >= 4096);

    static const struct {
        const char *name, *type;
        cl_kernel_arg_address_qualifier space;
        cl_kernel_arg_type_qualifier quals;
    } args[] = {
        {"a", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT},
        {"b", "int*", CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_TYPE_CONST},
        {"out", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL, 0},
        {"n", "int", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
        {"v", "float4", CL_KERNEL_ARG_ADDRESS_PRIVATE, 0},
        {"tmp", "int*", CL_KERNEL_ARG_ADDRESS_LOCAL, 0},
    };
    for (cl_uint i = 0; i < 6; i++) {
        cl_kernel_arg_address_qualifier space = 0;
        cl_kernel_arg_access_qualifier access = 0;
        cl_kernel_arg_type_qualifier quals = 99;
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof room, room, NULL));
        TRUE_(!strcmp(room, args[i].name));
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof room, room, NULL));
        TRUE_(!strcmp(room, args[i].type));
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof quals, &quals, NULL));
        TRUE_(space == args[i].space && access == CL_KERNEL_ARG_ACCESS_NONE && quals == args[i].quals);
    }
    QUERY_RULES(ARG, CL_KERNEL_ARG_ADDRESS_QUALIFIER, 4);
    QUERY_RULES(ARG, CL_KERNEL_ARG_NAME, 2);
    IS(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(kernel, 6, CL_KERNEL_ARG_NAME, sizeof room, room, NULL));
    OK(clReleaseKernel(kernel));

    kernel = make("sized");
    OK(GROUP(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, NULL));
    TRUE_(sizes[0] == 8 && sizes[1] == 2 && sizes[2] == 1);
    OK(KERNEL(CL_KERNEL_ATTRIBUTES, sizeof room, room, NULL));
    TRUE_(strstr(room, "reqd_work_group_size(8,2,1)") != NULL);
    OK(clReleaseKernel(kernel));
}

#define LAUNCH(dims, offset, global, local) \
    clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local, 0, NULL, NULL)

static void launches(void)
{
    size_t sizes[3] = {16, 4, 1}, zero[3] = {0}, one[3] = {1, 1, 1}, most[3] = {4096, 4096, 4096};
    size_t good[3] = {8, 2, 1}, bad[3] = {4, 4, 1}, ten[3] = {10, 4, 1}, end[3] = {SIZE_MAX, 0, 0}, local[3];
    size_t too_wide[3] = {4097, 1, 1}, vast[3] = {SIZE_MAX / 2, 64, 64};
    cl_int results[64];
    kernel = make("sized");
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    IS(CL_INVALID_WORK_DIMENSION, LAUNCH(0, NULL, sizes, NULL));
    IS(CL_INVALID_WORK_DIMENSION, LAUNCH(4, NULL, sizes, NULL));
    IS(CL_INVALID_GLOBAL_OFFSET, LAUNCH(1, end, sizes, NULL));
    IS(CL_INVALID_WORK_GROUP_SIZE, LAUNCH(2, NULL, sizes, bad));
    IS(CL_INVALID_WORK_GROUP_SIZE, LAUNCH(2, NULL, ten, good));
    IS(CL_INVALID_WORK_GROUP_SIZE, LAUNCH(2, NULL, ten, NULL));
    IS(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(LAUNCH(2, NULL, sizes, good));
    OK(LAUNCH(2, NULL, sizes, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
    TRUE_(results[0] == 82 && results[63] == 82);
    OK(clReleaseKernel(kernel));

    kernel = make("ids");
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    IS(CL_INVALID_WORK_GROUP_SIZE, LAUNCH(2, NULL, sizes, zero));
    IS(CL_INVALID_WORK_GROUP_SIZE, LAUNCH(2, NULL, most, most));
    IS(CL_INVALID_WORK_ITEM_SIZE, LAUNCH(1, NULL, too_wide, too_wide));
    IS(CL_INVALID_WORK_GROUP_SIZE, LAUNCH(2, NULL, ten, sizes));
    IS(CL_INVALID_GLOBAL_WORK_SIZE, LAUNCH(3, NULL, vast, NULL));
    OK(LAUNCH(2, NULL, zero, NULL));
    OK(LAUNCH(2, NULL, NULL, NULL));
    OK(LAUNCH(2, NULL, zero, one));
    size_t offset[3] = {3, 2, 1}, global[3] = {4, 3, 2};
    OK(LAUNCH(3, offset, global, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
    for (int i = 0; i < 24; i++)
        TRUE_(results[i] == i % 4 + 3 + 100 * (i / 4 % 3 + 2) + 10000 * (i / 12 + 1));
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof *local, local, NULL));
    typedef cl_int(CL_API_CALL * suggest_fn)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                                             size_t *);
    suggest_fn suggest =
        (suggest_fn)clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR");
    TRUE_(suggest);
    OK(suggest(queue, kernel, 3, NULL, global, local));
    for (int i = 0; i < 3; i++)
        TRUE_(local[i] >= 1 && global[i] % local[i] == 0);
    IS(CL_INVALID_VALUE, suggest(queue, kernel, 3, NULL, global, NULL));
    IS(CL_INVALID_GLOBAL_WORK_SIZE, suggest(queue, kernel, 3, NULL, NULL, local));
    IS(CL_INVALID_GLOBAL_WORK_SIZE, suggest(queue, kernel, 3, NULL, zero, local));
    IS(CL_INVALID_WORK_DIMENSION, suggest(queue, kernel, 4, NULL, global, local));
    IS(CL_INVALID_GLOBAL_OFFSET, suggest(queue, kernel, 1, end, global, local));

    cl_context elsewhere = MAKES(clCreateContext(NULL, 1, &device, NULL, NULL, &err));
    cl_command_queue other = MAKES(clCreateCommandQueue(elsewhere, device, 0, &err));
    cl_event foreign = MAKES(clCreateUserEvent(elsewhere, &err));
    IS(CL_INVALID_CONTEXT, clEnqueueNDRangeKernel(other, kernel, 1, NULL, sizes, NULL, 0, NULL, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueTask(other, kernel, 0, NULL, NULL));
    IS(CL_INVALID_CONTEXT, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, sizes, NULL, 1, &foreign, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, sizes, NULL, 1, NULL, NULL));
    IS(CL_INVALID_EVENT_WAIT_LIST, clEnqueueTask(queue, kernel, 1, NULL, NULL));
    OK(clReleaseEvent(foreign));
    OK(clReleaseCommandQueue(other));
    OK(clReleaseContext(elsewhere));
    OK(clReleaseKernel(kernel));

    /* More local memory than the device has. */
    cl_ulong local_memory = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local_memory, &local_memory, NULL));
    kernel = make("lots");
    OK(clSetKernelArg(kernel, 0, local_memory / 2, NULL));
    OK(clSetKernelArg(kernel, 1, local_memory / 2, NULL));
    OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 1, local_memory / 2 + 1, NULL));
    IS(CL_OUT_OF_RESOURCES, clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 1, SIZE_MAX, NULL));
    IS(CL_OUT_OF_RESOURCES, clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));

    /* Objects may be released while commands use them. */
    cl_mem brief = MAKES(clCreateBuffer(context, 0, 64, NULL, &err));
    cl_event gate = MAKES(clCreateUserEvent(context, &err)), ran;
    kernel = make("once");
    OK(clSetKernelArg(kernel, 0, sizeof brief, &brief));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, one, NULL, 1, &gate, &ran));
    OK(clReleaseMemObject(brief));
    OK(clReleaseKernel(kernel));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &ran));
    OK(clReleaseEvent(ran));
    OK(clReleaseEvent(gate));
}

/* Remainder groups need a program of OpenCL C 2.0 or newer, without -cl-uniform-work-group-size. */
static void non_uniform(void)
{
    static const struct {
        const char *options;
        cl_int code;
    } cases[] = {{NULL, CL_INVALID_WORK_GROUP_SIZE}, {"-cl-std=CL1.2", CL_INVALID_WORK_GROUP_SIZE},
                 {"-cl-std=CL3.0", CL_SUCCESS},
                 {"-cl-std=CL3.0 -cl-uniform-work-group-size", CL_INVALID_WORK_GROUP_SIZE}};
    const char *text = "kernel void k(global int *out) { out[get_global_id(0)] = get_local_size(0); }";
    size_t ten = 10, four = 4;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cl_program p = MAKES(clCreateProgramWithSource(context, 1, &text, NULL, &err));
        OK(clBuildProgram(p, 0, NULL, cases[i].options, NULL, NULL));
        kernel = MAKES(clCreateKernel(p, "k", &err));
        OK(clSetKernelArg(kernel, 0, sizeof out, &out));
        IS(cases[i].code, LAUNCH(1, NULL, &ten, &four));
        OK(LAUNCH(1, NULL, &ten, NULL));
        OK(clFinish(queue));
        if (cases[i].code == CL_SUCCESS) {
            cl_int results[10];
            OK(LAUNCH(1, NULL, &ten, &four));
            OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof results, results, 0, NULL, NULL));
            for (int j = 0; j < 10; j++)
                TRUE_(results[j] == (j < 8 ? 4 : 2));
        }
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(p));
    }
}

int main(void)
{
    cl_int numbers[64];
    set_up();
    for (int i = 0; i < 64; i++)
        numbers[i] = i;
    in = MAKES(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &err));
    out = MAKES(clCreateBuffer(context, 0, 1 << 20, NULL, &err));
    program = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    cl_int built = clBuildProgram(program, 0, NULL, "-cl-kernel-arg-info", NULL, NULL);
    if (built) {
        char log[4096];
        OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
        printf("build: %d\n%s\n", built, log);
        return 1;
    }
    arguments();
    queries();
    launches();
    non_uniform();
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(in));
    OK(clReleaseMemObject(out));
    tear_down();
    return done();
}
