/* cl_khr_command_buffer_mutable_dispatch: launches whose arguments and sizes change between enqueues, arguments that are
 * set only after recording, what the handle tells, and every error code, after each of which nothing has changed. */
#include "check.h"

/* Version 0.9.5: headers of distributions may have an earlier one, with other arguments. */
struct arg { cl_uint index; size_t size; const void *value; };
struct info { cl_uint name; size_t size; const void *value; };
struct config {
    void *command;
    cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
    const struct arg *args, *svm_args;
    const struct info *exec_infos;
    const size_t *offset, *global, *local;
};
enum {
    DEVICE_CAPABILITIES = 0x12B0, UPDATABLE_FIELDS = 0x12B1, ASSERTS = 0x12B8, BUFFER_ASSERTS = 0x12B7, FLAGS = 0x1293,
    OFFSET = 1, GLOBAL = 2, LOCAL = 4, ARGUMENTS = 8, EXEC_INFO = 16, ALL = 31, SIMULTANEOUS = 1, MUTABLE = 2,
    QUEUE = 0x12A0, BUFFER = 0x12A1, PROPERTIES = 0x12A2, KERNEL = 0x12A3, DIMENSIONS = 0x12A4, WORK_OFFSET = 0x12A5,
    WORK_SIZE = 0x12A6, LOCAL_SIZE = 0x12A7, TYPE = 0x12AD, RECORDING = 0, EXECUTABLE = 1, FINALIZED = 2, BUFFER_STATE = 0x1297,
    INVALID_MUTABLE_COMMAND = -1141, COUNT = 1000
};

static void *(CL_API_CALL *create)(cl_uint, const cl_command_queue *, const cl_properties *, cl_int *);
static cl_int(CL_API_CALL *finalize)(void *);
static cl_int(CL_API_CALL *release)(void *);
static cl_int(CL_API_CALL *enqueue)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *, cl_event *);
static cl_int(CL_API_CALL *buffer_info)(void *, cl_uint, size_t, void *, size_t *);
static cl_int(CL_API_CALL *nd_range)(void *, cl_command_queue, const cl_properties *, cl_kernel, cl_uint, const size_t *,
    const size_t *, const size_t *, cl_uint, const cl_uint *, cl_uint *, void **);
static cl_int(CL_API_CALL *update)(void *, cl_uint, const cl_uint *, const void **);
static cl_int(CL_API_CALL *command_info)(void *, cl_uint, size_t, void *, size_t *);

static cl_program program;
static cl_mem a, b;
static cl_int data[COUNT];

static void *make(cl_properties flags)
{
    cl_properties list[] = {FLAGS, flags, 0};
    return MAKES(create(1, &queue, list, &err));
}

static cl_kernel kernel_with(cl_mem p, cl_int add)
{
    cl_kernel kernel = MAKES(clCreateKernel(program, "add", &err));
    OK(clSetKernelArg(kernel, 0, sizeof p, &p));
    OK(clSetKernelArg(kernel, 1, sizeof add, &add));
    return kernel;
}

static cl_int change(void *buffer, const struct config *config)
{
    cl_uint type = 0;
    const void *configs[] = {config};
    return update(buffer, 1, &type, configs);
}

static void clear(void)
{
    cl_int zero = 0;
    OK(clEnqueueFillBuffer(queue, a, &zero, 4, 0, sizeof data, 0, NULL, NULL));
    OK(clEnqueueFillBuffer(queue, b, &zero, 4, 0, sizeof data, 0, NULL, NULL));
}

/* Elements from `from` up to `to` are `want`, the others 0. */
static int holds(cl_mem p, int from, int to, cl_int want)
{
    OK(clEnqueueReadBuffer(queue, p, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    for (int i = 0; i < COUNT; i++)
        if (data[i] != (i >= from && i < to ? want : 0))
            return 0;
    return 1;
}

static cl_uint state(void *buffer)
{
    cl_uint answer = 99;
    OK(buffer_info(buffer, BUFFER_STATE, sizeof answer, &answer, NULL));
    return answer;
}

/* Arguments, by value, by buffer and by pointer; sizes; all in one call; and enqueues that are not yet done keep theirs. */
static void updates(void)
{
    void *buffer = make(MUTABLE | SIMULTANEOUS), *command = NULL;
    cl_kernel kernel = kernel_with(a, 1);
    size_t items = COUNT, local = 10, few = 500, offset = 100, other_local = 20;
    cl_int two = 2, three = 3;
    struct arg add2[] = {{1, 4, &two}}, to_b[] = {{0, sizeof b, &b}, {1, 4, &three}};
    OK(nd_range(buffer, NULL, NULL, kernel, 1, NULL, &items, &local, 0, NULL, NULL, &command));
    OK(finalize(buffer));
    TRUE_(command != NULL && state(buffer) == EXECUTABLE);

    clear();
    cl_event gate = MAKES(clCreateUserEvent(context, &err));
    OK(enqueue(0, NULL, buffer, 1, &gate, NULL));
    struct config config = {.command = command, .num_args = 1, .args = add2};
    OK(change(buffer, &config));
    OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    TRUE_(holds(a, 0, COUNT, 3)); /* 1 as recorded, then 2 */
    OK(clReleaseEvent(gate));

    clear();
    struct config second = {.command = command, .num_args = 2, .work_dim = 1, .args = to_b, .offset = &offset, .global = &few, .local = &other_local};
    OK(change(buffer, &second));
    OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
    OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
    TRUE_(holds(a, 0, 0, 0) && holds(b, 100, 600, 6));
    size_t sizes[3] = {0}, size = 0;
    OK(command_info(command, WORK_OFFSET, sizeof sizes, sizes, &size));
    TRUE_(size == sizeof(size_t) && sizes[0] == 100);
    OK(command_info(command, WORK_SIZE, sizeof sizes, sizes, &size));
    TRUE_(size == sizeof(size_t) && sizes[0] == 500);
    OK(command_info(command, LOCAL_SIZE, sizeof sizes, sizes, &size));
    TRUE_(size == sizeof(size_t) && sizes[0] == 20);

    /* The kernel's own arguments stay what they are, and the buffer's do not follow them. */
    clear();
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    TRUE_(holds(a, 0, COUNT, 1));
    OK(clSetKernelArg(kernel, 1, sizeof two, &two));
    clear();
    OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
    TRUE_(holds(b, 100, 600, 3));

    /* Shared memory, and two changes of one command in one call, the last of which counts. */
    static cl_int plain[COUNT];
    struct arg svm[] = {{0, 0, plain}};
    cl_bool yes = CL_TRUE;
    struct info fine[] = {{CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes}};
    struct config third = {.command = command, .num_args = 0, .num_svm_args = 1, .num_exec_infos = 1, .svm_args = svm, .exec_infos = fine};
    cl_uint types[] = {0, 0};
    const void *configs[] = {&config, &third};
    OK(update(buffer, 2, types, configs));
    OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
    OK(clFinish(queue));
    TRUE_(plain[99] == 0 && plain[100] == 2 && plain[599] == 2 && plain[600] == 0);

    /* A buffer that only the recorded command knew may go once another has taken its place. */
    size_t all = COUNT, nothing = 0;
    cl_mem gone = MAKES(clCreateBuffer(context, 0, sizeof data, NULL, &err));
    struct arg to_gone[] = {{0, sizeof gone, &gone}}, back[] = {{0, sizeof a, &a}};
    struct config fourth = {.command = command, .num_args = 1, .args = to_gone}, fifth = {.command = command, .num_args = 1, .args = back, .offset = &nothing, .global = &all};
    OK(change(buffer, &fourth));
    OK(change(buffer, &fifth));
    OK(clReleaseMemObject(gone));
    clear();
    OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
    TRUE_(holds(a, 0, COUNT, 2));
    /* No work-items, and none changed. */
    struct config none = {.command = command, .global = &nothing};
    OK(change(buffer, &none));
    OK(update(buffer, 0, NULL, NULL));
    OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
    TRUE_(holds(a, 0, COUNT, 2));
    OK(clReleaseKernel(kernel));
    OK(release(buffer));
    IS(INVALID_MUTABLE_COMMAND, command_info(command, WORK_SIZE, sizeof sizes, sizes, &size));
}

static void arguments_set_late(void)
{
    void *buffer = make(MUTABLE), *command = NULL;
    cl_kernel kernel = MAKES(clCreateKernel(program, "add", &err));
    cl_properties late[] = {UPDATABLE_FIELDS, ARGUMENTS, 0}, fixed[] = {UPDATABLE_FIELDS, GLOBAL, 0};
    size_t items = COUNT;
    cl_int four = 4;
    OK(clSetKernelArg(kernel, 0, sizeof a, &a));
    IS(CL_INVALID_KERNEL_ARGS, nd_range(buffer, NULL, NULL, kernel, 1, NULL, &items, NULL, 0, NULL, NULL, &command));
    IS(CL_INVALID_KERNEL_ARGS, nd_range(buffer, NULL, fixed, kernel, 1, NULL, &items, NULL, 0, NULL, NULL, &command));
    OK(nd_range(buffer, NULL, late, kernel, 1, NULL, &items, NULL, 0, NULL, NULL, &command));
    TRUE_(state(buffer) == RECORDING);
    OK(finalize(buffer));
    TRUE_(state(buffer) == FINALIZED);
    IS(CL_INVALID_OPERATION, enqueue(0, NULL, buffer, 0, NULL, NULL));
    IS(CL_INVALID_OPERATION, finalize(buffer));
    struct arg args[] = {{1, 4, &four}};
    struct config config = {.command = command, .num_args = 1, .args = args};
    OK(change(buffer, &config));
    TRUE_(state(buffer) == EXECUTABLE);
    clear();
    OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
    TRUE_(holds(a, 0, COUNT, 4));
    OK(clReleaseKernel(kernel));
    OK(release(buffer));
}

static void queries(void)
{
    void *buffer = make(0), *command = NULL, *got = NULL;
    cl_kernel kernel = kernel_with(a, 1), seen = NULL;
    cl_command_queue where = NULL;
    cl_properties list[] = {UPDATABLE_FIELDS, ARGUMENTS | GLOBAL, 0}, back[4];
    cl_bitfield fields = 0;
    cl_uint number = 0;
    size_t items[] = {10, 20, 5}, offset[] = {1, 2, 3}, sizes[4], size = 0;
    OK(clGetDeviceInfo(device, DEVICE_CAPABILITIES, sizeof fields, &fields, &size));
    TRUE_(fields == ALL && size == sizeof fields);
    OK(nd_range(buffer, NULL, list, kernel, 3, offset, items, NULL, 0, NULL, NULL, &command));
#define ASK(name, size) QUERY_RULES(ASK_ONE, name, size)
#define ASK_ONE(...) command_info(command, __VA_ARGS__)
    ASK(QUEUE, sizeof where);
    ASK(BUFFER, sizeof got);
    ASK(TYPE, sizeof number);
    ASK(PROPERTIES, sizeof list);
    ASK(KERNEL, sizeof seen);
    ASK(DIMENSIONS, sizeof number);
    ASK(WORK_OFFSET, 3 * sizeof *sizes);
    ASK(WORK_SIZE, 3 * sizeof *sizes);
    ASK(LOCAL_SIZE, 3 * sizeof *sizes);
    OK(command_info(command, QUEUE, sizeof where, &where, NULL));
    OK(command_info(command, BUFFER, sizeof got, &got, NULL));
    OK(command_info(command, KERNEL, sizeof seen, &seen, NULL));
    TRUE_(where == queue && got == buffer && seen == kernel);
    OK(command_info(command, TYPE, sizeof number, &number, NULL));
    TRUE_(number == CL_COMMAND_NDRANGE_KERNEL);
    OK(command_info(command, DIMENSIONS, sizeof number, &number, NULL));
    TRUE_(number == 3);
    OK(command_info(command, PROPERTIES, sizeof back, back, NULL));
    TRUE_(!memcmp(back, list, sizeof list));
    OK(command_info(command, WORK_OFFSET, sizeof sizes, sizes, NULL));
    TRUE_(!memcmp(sizes, offset, sizeof offset));
    OK(command_info(command, WORK_SIZE, sizeof sizes, sizes, NULL));
    TRUE_(!memcmp(sizes, items, sizeof items));
    OK(command_info(command, LOCAL_SIZE, sizeof sizes, sizes, NULL));
    TRUE_(sizes[0] == 0 && sizes[1] == 0 && sizes[2] == 0);
    OK(nd_range(buffer, NULL, NULL, kernel, 1, NULL, NULL, NULL, 0, NULL, NULL, &command));
    ASK(PROPERTIES, 0);
    OK(command_info(command, WORK_SIZE, sizeof sizes, sizes, &size));
    TRUE_(size == sizeof *sizes && sizes[0] == 0);
    IS(INVALID_MUTABLE_COMMAND, command_info(NULL, QUEUE, sizeof where, &where, NULL));
    IS(INVALID_MUTABLE_COMMAND, command_info(buffer, QUEUE, sizeof where, &where, NULL));
    OK(clReleaseKernel(kernel));
    OK(release(buffer));
}

static void creation_and_recording_errors(void)
{
    cl_properties asserts[] = {BUFFER_ASSERTS, 1, 0}, bad_asserts[] = {BUFFER_ASSERTS, 2, 0};
    cl_properties both[] = {FLAGS, MUTABLE, BUFFER_ASSERTS, 1, 0}, twice[] = {BUFFER_ASSERTS, 1, BUFFER_ASSERTS, 1, 0};
    REFUSES(CL_INVALID_VALUE, create(1, &queue, bad_asserts, &err));
    REFUSES(CL_INVALID_VALUE, create(1, &queue, twice, &err));
    void *asserting = MAKES(create(1, &queue, both, &err)), *alone = MAKES(create(1, &queue, asserts, &err));
    void *buffer = make(MUTABLE);
    cl_kernel kernel = kernel_with(a, 1);
    size_t items = COUNT, local = 10;
    IS(CL_INVALID_VALUE, nd_range(asserting, NULL, NULL, kernel, 1, NULL, &items, NULL, 0, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, nd_range(alone, NULL, NULL, kernel, 1, NULL, &items, NULL, 0, NULL, NULL, NULL));
    OK(nd_range(asserting, NULL, NULL, kernel, 1, NULL, &items, &local, 0, NULL, NULL, NULL));
    cl_properties no_more[] = {ASSERTS, 1, 0}, unknown[] = {ASSERTS, 4, 0}, fields[] = {UPDATABLE_FIELDS, 32, 0};
    cl_properties repeated[] = {UPDATABLE_FIELDS, 1, UPDATABLE_FIELDS, 1, 0}, other[] = {0x1234, 1, 0};
    IS(CL_INVALID_VALUE, nd_range(buffer, NULL, no_more, kernel, 1, NULL, &items, NULL, 0, NULL, NULL, NULL));
    OK(nd_range(buffer, NULL, no_more, kernel, 1, NULL, &items, &local, 0, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, nd_range(buffer, NULL, unknown, kernel, 1, NULL, &items, &local, 0, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, nd_range(buffer, NULL, repeated, kernel, 1, NULL, &items, &local, 0, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, nd_range(buffer, NULL, other, kernel, 1, NULL, &items, &local, 0, NULL, NULL, NULL));
    IS(CL_INVALID_OPERATION, nd_range(buffer, NULL, fields, kernel, 1, NULL, &items, &local, 0, NULL, NULL, NULL));
    OK(clReleaseKernel(kernel));
    OK(release(buffer));
    OK(release(asserting));
    OK(release(alone));
}

static void update_errors(void)
{
    void *buffer = make(MUTABLE), *fixed = make(0), *strange = make(MUTABLE);
    void *command = NULL, *of_fixed = NULL, *of_other = NULL, *only[5];
    cl_kernel kernel = kernel_with(a, 1);
    size_t items = COUNT, local = 10, three = 3, huge = SIZE_MAX, zero[3] = {0}, offset = 1;
    cl_int five = 5;
    struct arg good[] = {{1, 4, &five}}, wide[] = {{1, 8, &five}}, beyond[] = {{2, 4, &five}}, null[] = {{1, 4, NULL}};
    struct arg no_buffer[] = {{0, sizeof(cl_mem), &kernel}}, svm[] = {{0, 0, data}}, bad_svm[] = {{1, 0, data}};
    struct info odd[] = {{0x1234, 4, &five}};
    OK(nd_range(buffer, NULL, NULL, kernel, 1, NULL, &items, &local, 0, NULL, NULL, &command));
    OK(nd_range(fixed, NULL, NULL, kernel, 1, NULL, &items, NULL, 0, NULL, NULL, &of_fixed));
    OK(nd_range(strange, NULL, NULL, kernel, 1, NULL, &items, NULL, 0, NULL, NULL, &of_other));
    for (int i = 0; i < 5; i++) { /* all fields but one */
        cl_properties list[] = {UPDATABLE_FIELDS, ALL & ~(1 << i), 0};
        OK(nd_range(buffer, NULL, list, kernel, 1, NULL, &items, &local, 0, NULL, NULL, &only[i]));
    }
    struct config config = {.command = command, .num_args = 1, .args = good};
    IS(CL_INVALID_OPERATION, change(buffer, &config)); /* not yet finalized */
    OK(finalize(buffer));
    OK(finalize(fixed));
    struct config its = {.command = of_fixed, .num_args = 1, .args = good};
    IS(CL_INVALID_OPERATION, change(fixed, &its));
    cl_uint type = 0, unknown = 7;
    const void *configs[] = {&config}, *missing[] = {NULL};
    IS(CL_INVALID_COMMAND_BUFFER_KHR, update(NULL, 1, &type, configs));
    IS(CL_INVALID_VALUE, update(buffer, 1, NULL, configs));
    IS(CL_INVALID_VALUE, update(buffer, 1, &type, NULL));
    IS(CL_INVALID_VALUE, update(buffer, 0, &type, NULL));
    IS(CL_INVALID_VALUE, update(buffer, 0, NULL, configs));
    IS(CL_INVALID_VALUE, update(buffer, 1, &unknown, configs));
    IS(CL_INVALID_VALUE, update(buffer, 1, &type, missing));
#define BAD(code, ...)                                                                             \
    do {                                                                                           \
        /* A change that would be good stands first: it must not count either. */                  \
        struct config good_ = {.command = command, .num_args = 1, .args = good}, bad_ = {__VA_ARGS__};                    \
        cl_uint types_[] = {0, 0};                                                                 \
        const void *both_[] = {&good_, &bad_};                                                     \
        IS(code, update(buffer, 2, types_, both_));                                                \
    } while (0)
    BAD(INVALID_MUTABLE_COMMAND, .command = NULL, .num_args = 1, .args = good);
    BAD(INVALID_MUTABLE_COMMAND, .command = buffer, .num_args = 1, .args = good);
    BAD(INVALID_MUTABLE_COMMAND, .command = of_other, .num_args = 1, .args = good);
    BAD(CL_INVALID_OPERATION, .command = command, .work_dim = 2, .global = zero);
    BAD(CL_INVALID_OPERATION, .command = only[0], .offset = &offset);
    BAD(CL_INVALID_OPERATION, .command = only[1], .global = &items);
    BAD(CL_INVALID_OPERATION, .command = only[2], .local = &local);
    BAD(CL_INVALID_OPERATION, .command = only[3], .num_args = 1, .args = good);
    BAD(CL_INVALID_OPERATION, .command = only[3], .num_args = 0, .num_svm_args = 1, .svm_args = svm);
    BAD(CL_INVALID_OPERATION, .command = only[4], .num_args = 0, .num_svm_args = 0, .num_exec_infos = 1, .exec_infos = odd);
    BAD(CL_INVALID_VALUE, .command = command, .num_args = 1);
    BAD(CL_INVALID_VALUE, .command = command, .args = good);
    BAD(CL_INVALID_VALUE, .command = command, .num_args = 0, .num_svm_args = 1);
    BAD(CL_INVALID_VALUE, .command = command, .svm_args = svm);
    BAD(CL_INVALID_VALUE, .command = command, .num_args = 0, .num_svm_args = 0, .num_exec_infos = 1);
    BAD(CL_INVALID_VALUE, .command = command, .exec_infos = odd);
    BAD(CL_INVALID_VALUE, .command = command, .num_args = 0, .num_svm_args = 0, .num_exec_infos = 1, .exec_infos = odd);
    BAD(CL_INVALID_ARG_SIZE, .command = command, .num_args = 1, .args = wide);
    BAD(CL_INVALID_ARG_INDEX, .command = command, .num_args = 1, .args = beyond);
    BAD(CL_INVALID_ARG_VALUE, .command = command, .num_args = 1, .args = null);
    BAD(CL_INVALID_MEM_OBJECT, .command = command, .num_args = 1, .args = no_buffer);
    BAD(CL_INVALID_ARG_VALUE, .command = command, .num_args = 0, .num_svm_args = 1, .svm_args = bad_svm);
    BAD(CL_INVALID_WORK_GROUP_SIZE, .command = command, .local = &three); /* 1000 is no multiple of it, and the kernel is of OpenCL C 1.2 */
    BAD(CL_INVALID_WORK_GROUP_SIZE, .command = command, .local = zero);
    BAD(CL_INVALID_GLOBAL_OFFSET, .command = command, .offset = &huge);
    clear();
    OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
    TRUE_(holds(a, 0, COUNT, 6)); /* six launches that add 1 */

    /* Groups that have all one size stay so, and others others. */
    const char *source = "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n";
    cl_program newer = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    OK(clBuildProgram(newer, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
    cl_kernel uneven = MAKES(clCreateKernel(newer, "add", &err));
    void *own = make(MUTABLE), *even = NULL;
    OK(clSetKernelArg(uneven, 0, sizeof a, &a));
    OK(clSetKernelArg(uneven, 1, sizeof five, &five));
    OK(nd_range(own, NULL, NULL, uneven, 1, NULL, &items, &local, 0, NULL, NULL, &even));
    OK(finalize(own));
    struct config to_uneven = {.command = even, .local = &three};
    IS(CL_INVALID_OPERATION, change(own, &to_uneven));
    size_t nine = 9;
    struct config still_even = {.command = even, .global = &nine, .local = &three};
    OK(change(own, &still_even));
    OK(clReleaseKernel(uneven));
    OK(clReleaseProgram(newer));
    OK(clReleaseKernel(kernel));
    OK(release(own));
    OK(release(buffer));
    OK(release(fixed));
    OK(release(strange));
}

int main(void)
{
    const char *source = "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n";
    set_up();
#define LOAD(pointer, name) TRUE_((pointer = clGetExtensionFunctionAddressForPlatform(platform, name)) != NULL)
    LOAD(create, "clCreateCommandBufferKHR");
    LOAD(finalize, "clFinalizeCommandBufferKHR");
    LOAD(release, "clReleaseCommandBufferKHR");
    LOAD(enqueue, "clEnqueueCommandBufferKHR");
    LOAD(buffer_info, "clGetCommandBufferInfoKHR");
    LOAD(nd_range, "clCommandNDRangeKernelKHR");
    LOAD(update, "clUpdateMutableCommandsKHR");
    LOAD(command_info, "clGetMutableCommandInfoKHR");
    program = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    a = MAKES(clCreateBuffer(context, 0, sizeof data, NULL, &err));
    b = MAKES(clCreateBuffer(context, 0, sizeof data, NULL, &err));
    updates();
    arguments_set_late();
    queries();
    creation_and_recording_errors();
    update_errors();
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseProgram(program));
    tear_down();
    return done();
}
