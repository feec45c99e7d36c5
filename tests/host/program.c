/* Programs: from source and binaries; build, compile, link; queries and errors. */
#include "check.h"
#include <stdatomic.h>
#include <unistd.h>

static cl_program program;
#define PROGRAM(name, size, value, ret) clGetProgramInfo(program, name, size, value, ret)
#define BUILD(name, size, value, ret) clGetProgramBuildInfo(program, device, name, size, value, ret)

static const char *good = "kernel void first(global int *p) { *p = 1; }\n"
                          "kernel void second(global int *p, int n) { *p = n; }\n";
static const char *bad = "kernel void first(global int *p) { *p = undeclared; }\n";
static atomic_int notified;

static void CL_CALLBACK on_done(cl_program p, void *user)
{
    TRUE_(p != NULL && user == &notified);
    notified++;
}

static void wait_for_notice(int count)
{
    for (int i = 0; i < 10000 && notified < count; i++)
        usleep(1000);
    TRUE_(notified == count);
}

static cl_program from(const char *source)
{
    return MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
}

static cl_build_status status_of(cl_program p)
{
    cl_build_status status = 99;
    OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    return status;
}

static cl_program_binary_type type_of(cl_program p)
{
    cl_program_binary_type type = 99;
    OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    return type;
}

static const char *log_of(cl_program p)
{
    static char room[8192];
    OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof room, room, NULL));
    return room;
}

static void creation(void)
{
    const char *parts[] = {"kernel void ", "k() {}xxxx"}, *hole[] = {"a", NULL};
    size_t lengths[] = {0, 6};
    char room[256];
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithSource(context, 0, parts, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, NULL, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithSource(context, 2, hole, NULL, &err));
    program = MAKES(clCreateProgramWithSource(context, 2, parts, lengths, &err));
    OK(PROGRAM(CL_PROGRAM_SOURCE, sizeof room, room, NULL));
    TRUE_(!strcmp(room, "kernel void k() {}"));
    TRUE_(status_of(program) == CL_BUILD_NONE && type_of(program) == CL_PROGRAM_BINARY_TYPE_NONE);
    IS(CL_INVALID_PROGRAM_EXECUTABLE, PROGRAM(CL_PROGRAM_NUM_KERNELS, sizeof room, room, NULL));
    IS(CL_INVALID_PROGRAM_EXECUTABLE, PROGRAM(CL_PROGRAM_KERNEL_NAMES, sizeof room, room, NULL));
    REFUSES(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "k", &err));
    IS(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(program, 0, NULL, (cl_uint *)room));
    QUERY_RULES(PROGRAM, CL_PROGRAM_REFERENCE_COUNT, 4);
    QUERY_RULES(PROGRAM, CL_PROGRAM_CONTEXT, sizeof(void *));
    QUERY_RULES(PROGRAM, CL_PROGRAM_NUM_DEVICES, 4);
    QUERY_RULES(PROGRAM, CL_PROGRAM_DEVICES, sizeof(void *));
    QUERY_RULES(PROGRAM, CL_PROGRAM_SOURCE, 19);
    QUERY_RULES(PROGRAM, CL_PROGRAM_BINARY_SIZES, sizeof(size_t));
    QUERY_RULES(PROGRAM, CL_PROGRAM_IL, 0);
    QUERY_RULES(BUILD, CL_PROGRAM_BUILD_STATUS, 4);
    QUERY_RULES(BUILD, CL_PROGRAM_BUILD_OPTIONS, 1);
    QUERY_RULES(BUILD, CL_PROGRAM_BUILD_LOG, 1);
    QUERY_RULES(BUILD, CL_PROGRAM_BINARY_TYPE, 4);
    QUERY_RULES(BUILD, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof(size_t));
    OK(clRetainProgram(program));
    OK(clReleaseProgram(program));
    OK(clReleaseProgram(program));
}

static void builds(void)
{
    char room[256];
    size_t number = 0;
    cl_kernel kernel;
    program = from(good);
    IS(CL_INVALID_VALUE, clBuildProgram(program, 0, &device, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, clBuildProgram(program, 1, NULL, NULL, NULL, NULL));
    IS(CL_INVALID_VALUE, clBuildProgram(program, 0, NULL, NULL, NULL, room));
    IS(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, NULL, "-no-such-option", NULL, NULL));
    OK(clBuildProgram(program, 1, &device, "-DX=1", NULL, NULL));
    TRUE_(status_of(program) == CL_BUILD_SUCCESS && type_of(program) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    OK(PROGRAM(CL_PROGRAM_NUM_KERNELS, sizeof number, &number, NULL));
    TRUE_(number == 2);
    OK(PROGRAM(CL_PROGRAM_KERNEL_NAMES, sizeof room, room, NULL));
    TRUE_(!strcmp(room, "first;second"));
    OK(BUILD(CL_PROGRAM_BUILD_OPTIONS, sizeof room, room, NULL));
    TRUE_(!strcmp(room, "-DX=1"));
    cl_bool constructors = CL_TRUE;
    OK(PROGRAM(CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof constructors, &constructors, NULL));
    TRUE_(!constructors);

    /* No build while kernels are attached. */
    kernel = MAKES(clCreateKernel(program, "first", &err));
    IS(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    IS(CL_INVALID_OPERATION, clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    OK(clReleaseKernel(kernel));
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    REFUSES(CL_INVALID_VALUE, clCreateKernel(program, NULL, &err));
    REFUSES(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "third", &err));
    cl_kernel both[2] = {NULL, NULL};
    cl_uint count = 0;
    IS(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 1, both, &count));
    OK(clCreateKernelsInProgram(program, 0, NULL, &count));
    TRUE_(count == 2);
    OK(clCreateKernelsInProgram(program, 2, both, NULL));
    OK(clReleaseKernel(both[0]));
    OK(clReleaseKernel(both[1]));

    notified = 0;
    OK(clBuildProgram(program, 0, NULL, NULL, on_done, &notified));
    wait_for_notice(1);
    TRUE_(status_of(program) == CL_BUILD_SUCCESS);
    OK(clReleaseProgram(program));

    program = from(bad);
    IS(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    TRUE_(status_of(program) == CL_BUILD_ERROR && strstr(log_of(program), "undeclared"));
    TRUE_(type_of(program) == CL_PROGRAM_BINARY_TYPE_NONE);
    REFUSES(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "first", &err));
    OK(clBuildProgram(program, 0, NULL, "-Dundeclared=3", NULL, NULL));
    TRUE_(status_of(program) == CL_BUILD_SUCCESS);
    OK(clReleaseProgram(program));
    program = from(bad);
    cl_int code = clBuildProgram(program, 0, NULL, NULL, on_done, &notified);
    TRUE_(code == CL_SUCCESS || code == CL_BUILD_PROGRAM_FAILURE);
    wait_for_notice(2);
    TRUE_(status_of(program) == CL_BUILD_ERROR);
    OK(clReleaseProgram(program));
}

static void binaries(void)
{
    size_t size = 0, none = 0;
    unsigned char *bytes, *nowhere = NULL;
    const unsigned char *input;
    cl_int status = 99;
    program = from(good);
    OK(PROGRAM(CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    TRUE_(size == 0);
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    OK(PROGRAM(CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    TRUE_(size > 0);
    bytes = malloc(size + 1);
    bytes[size] = 0x5a;
    IS(CL_INVALID_VALUE, PROGRAM(CL_PROGRAM_BINARIES, sizeof bytes - 1, &bytes, NULL));
    OK(PROGRAM(CL_PROGRAM_BINARIES, sizeof bytes, &nowhere, NULL));
    OK(PROGRAM(CL_PROGRAM_BINARIES, sizeof bytes, &bytes, &none));
    TRUE_(none == sizeof bytes && bytes[size] == 0x5a);
    OK(clReleaseProgram(program));

    input = bytes;
    program = MAKES(clCreateProgramWithBinary(context, 1, &device, &size, &input, &status, &err));
    TRUE_(status == CL_SUCCESS && type_of(program) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    IS(CL_INVALID_OPERATION, clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    cl_kernel kernel = MAKES(clCreateKernel(program, "second", &err));
    OK(clReleaseKernel(kernel));
    size_t again = 0;
    OK(PROGRAM(CL_PROGRAM_BINARY_SIZES, sizeof again, &again, NULL));
    TRUE_(again == size);
    OK(clReleaseProgram(program));

    none = 0;
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 0, &device, &size, &input, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, NULL, &size, &input, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, NULL, &input, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, &size, NULL, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, &none, &input, &status, &err));
    TRUE_(status == CL_INVALID_VALUE);
    input = NULL;
    REFUSES(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, &size, &input, NULL, &err));
    for (size_t i = 0; i < size; i += size / 16 + 1) {
        input = bytes;
        bytes[i] ^= 1;
        REFUSES(CL_INVALID_BINARY, clCreateProgramWithBinary(context, 1, &device, &size, &input, &status, &err));
        TRUE_(status == CL_INVALID_BINARY);
        bytes[i] ^= 1;
        if (i)
            REFUSES(CL_INVALID_BINARY, clCreateProgramWithBinary(context, 1, &device, &i, &input, &status, &err));
    }
    free(bytes);
}

static void compile_and_link(void)
{
    cl_program header = from("#define VALUE 7\n");
    cl_program unit = from("#include \"value.h\"\nkernel void k(global int *p) { *p = VALUE; }\n"), linked, library;
    const char *name = "value.h";
    cl_context elsewhere = MAKES(clCreateContext(NULL, 1, &device, NULL, NULL, &err));
    const char *empty = "";
    cl_program foreign = MAKES(clCreateProgramWithSource(elsewhere, 1, &empty, NULL, &err));
    program = unit;
#define COMPILE(n, h, names) clCompileProgram(unit, 0, NULL, NULL, n, h, names, NULL, NULL)
    IS(CL_INVALID_VALUE, COMPILE(0, &header, NULL));
    IS(CL_INVALID_VALUE, COMPILE(0, NULL, &name));
    IS(CL_INVALID_VALUE, COMPILE(1, NULL, &name));
    IS(CL_INVALID_VALUE, COMPILE(1, &header, NULL));
    IS(CL_INVALID_CONTEXT, COMPILE(1, &foreign, &name));
    IS(CL_INVALID_COMPILER_OPTIONS, clCompileProgram(unit, 0, NULL, "-bogus", 1, &header, &name, NULL, NULL));
    IS(CL_INVALID_VALUE, clCompileProgram(unit, 1, NULL, NULL, 1, &header, &name, NULL, NULL));
    IS(CL_INVALID_VALUE, clCompileProgram(unit, 0, NULL, NULL, 1, &header, &name, NULL, &header));
    IS(CL_COMPILE_PROGRAM_FAILURE, COMPILE(0, NULL, NULL));
#define LINK(options, n, list) clLinkProgram(context, 0, NULL, options, n, list, NULL, NULL, &err)
    REFUSES(CL_INVALID_OPERATION, LINK(NULL, 1, &unit));
    OK(COMPILE(1, &header, &name));
    TRUE_(status_of(unit) == CL_BUILD_SUCCESS && type_of(unit) == CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    REFUSES(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(unit, "k", &err));
    REFUSES(CL_INVALID_VALUE, LINK(NULL, 0, &unit));
    REFUSES(CL_INVALID_VALUE, LINK(NULL, 1, NULL));
    REFUSES(CL_INVALID_LINKER_OPTIONS, LINK("-bogus", 1, &unit));
    REFUSES(CL_INVALID_LINKER_OPTIONS, LINK("-enable-link-options", 1, &unit));
    REFUSES(CL_INVALID_CONTEXT, LINK(NULL, 1, &foreign));
    REFUSES(CL_INVALID_VALUE, clLinkProgram(context, 1, NULL, NULL, 1, &unit, NULL, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clLinkProgram(context, 0, NULL, NULL, 1, &unit, NULL, &err, &err));
    linked = MAKES(LINK(NULL, 1, &unit));
    TRUE_(type_of(linked) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    cl_kernel kernel = MAKES(clCreateKernel(linked, "k", &err));
    OK(clReleaseKernel(kernel));
    IS(CL_INVALID_OPERATION, clBuildProgram(linked, 0, NULL, NULL, NULL, NULL));
    OK(clReleaseProgram(linked));
    library = MAKES(LINK("-create-library -enable-link-options", 1, &unit));
    TRUE_(type_of(library) == CL_PROGRAM_BINARY_TYPE_LIBRARY);
    linked = MAKES(LINK("-cl-fast-relaxed-math", 1, &library));
    TRUE_(type_of(linked) == CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    OK(clReleaseProgram(linked));

    /* A program of two sources, one of them in a library; and what is missing or there twice. */
    cl_program caller = from("int twice(int x); kernel void j(global int *p) { *p = twice(21); }"), pair[3];
    cl_program callee = from("static int two(void) { return 2; } int twice(int x) { return two() * x; }");
    OK(clCompileProgram(caller, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    OK(clCompileProgram(callee, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL));
    pair[0] = caller, pair[1] = callee, pair[2] = library;
    linked = LINK(NULL, 1, pair);
    IS(CL_LINK_PROGRAM_FAILURE, err);
    TRUE_(linked && strstr(log_of(linked), "twice") && status_of(linked) == CL_BUILD_ERROR);
    OK(clReleaseProgram(linked));
    linked = MAKES(LINK(NULL, 3, pair));
    kernel = MAKES(clCreateKernel(linked, "j", &err));
    cl_int result = 0;
    cl_mem out = MAKES(clCreateBuffer(context, 0, sizeof result, NULL, &err));
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL));
    TRUE_(result == 42);
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(linked));
    pair[2] = callee;
    linked = LINK(NULL, 3, pair);
    IS(CL_LINK_PROGRAM_FAILURE, err);
    OK(clReleaseProgram(linked));
    OK(clReleaseProgram(caller));
    OK(clReleaseProgram(callee));
    OK(clReleaseProgram(library));
    OK(clReleaseProgram(unit));
    OK(clReleaseProgram(header));
    OK(clReleaseProgram(foreign));
    OK(clReleaseContext(elsewhere));
}

/* What a program was compiled from is its own: the files may be gone when it is linked, or its binary is built again. */
static void compiled_with_files(void)
{
    char folder[] = "/tmp/clotho-host-XXXXXX", file[sizeof folder + 16], options[sizeof folder + 16];
    TRUE_(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/value.h", folder);
    snprintf(options, sizeof options, "-I%s", folder);
    FILE *header = fopen(file, "w");
    TRUE_(header && fputs("#define VALUE 42\n", header) >= 0 && fclose(header) == 0);
    cl_program unit = from("#include <value.h>\nkernel void k(global int *p) { *p = VALUE; }\n");
    OK(clCompileProgram(unit, 0, NULL, options, 0, NULL, NULL, NULL, NULL));
    TRUE_(unlink(file) == 0 && rmdir(folder) == 0);
    size_t size = 0;
    OK(clGetProgramInfo(unit, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = malloc(size);
    OK(clGetProgramInfo(unit, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    const unsigned char *binary = bytes;
    cl_program loaded = MAKES(clCreateProgramWithBinary(context, 1, &device, &size, &binary, NULL, &err));
    free(bytes);
    for (int i = 0; i < 2; i++) {
        cl_program linked = MAKES(LINK(NULL, 1, i ? &loaded : &unit));
        cl_kernel kernel = MAKES(clCreateKernel(linked, "k", &err));
        cl_int result = 0;
        cl_mem out = MAKES(clCreateBuffer(context, 0, sizeof result, NULL, &err));
        OK(clSetKernelArg(kernel, 0, sizeof out, &out));
        OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL));
        TRUE_(result == 42);
        OK(clReleaseMemObject(out));
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(linked));
    }
    OK(clReleaseProgram(loaded));
    OK(clReleaseProgram(unit));
}

int main(void)
{
    set_up();
    creation();
    builds();
    binaries();
    compile_and_link();
    compiled_with_files();
    tear_down();
    return done();
}
