/* Variables at program scope: they live as long as the program, and all its kernels share them. */
#include "check.h"

static const char *const source =
    "int counter = 10;\n"
    "global int *where = &counter;\n"
    "kernel void add(int n) { atomic_fetch_add((volatile global atomic_int *)&counter, n); }\n"
    "kernel void read(global int *out) { *out = *where; }\n"
    "kernel void each(global int *out) { static int last = 100; int g = get_global_id(0); out[g] = last + g;\n"
    "    if (g == 0) last = 200; }\n";

static cl_mem buffer;

static cl_program build(const char *text, cl_context where)
{
    cl_program program = MAKES(clCreateProgramWithSource(where, 1, &text, NULL, &err));
    OK(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
    return program;
}

static void add(cl_program program, cl_int n)
{
    size_t one = 1;
    cl_kernel kernel = MAKES(clCreateKernel(program, "add", &err));
    OK(clSetKernelArg(kernel, 0, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));
}

static cl_int value(cl_program program)
{
    size_t one = 1;
    cl_int found = -1;
    cl_kernel kernel = MAKES(clCreateKernel(program, "read", &err));
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));
    return found;
}

static size_t total_size(cl_program program)
{
    size_t size = 0;
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof size, &size, NULL));
    return size;
}

/* Code for full rows and for others has one block. */
static void rows(cl_program program)
{
    cl_int found[64];
    cl_kernel kernel = MAKES(clCreateKernel(program, "each", &err));
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    const size_t sizes[] = {64, 3};
    for (int n = 0; n < 2; n++) {
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &sizes[n], &sizes[n], 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
        TRUE_(found[1] == (n ? 201 : 101) || n == 0);
    }
    OK(clReleaseKernel(kernel));
}

static void binaries(cl_program program)
{
    static unsigned char bytes[1 << 20];
    unsigned char *to = bytes;
    const unsigned char *from = bytes;
    size_t size = 0;
    cl_int status;
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    TRUE_(size > 0 && size < sizeof bytes);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof to, &to, NULL));
    cl_program again = MAKES(clCreateProgramWithBinary(context, 1, &device, &size, &from, &status, &err));
    OK(clBuildProgram(again, 1, &device, "-cl-std=CL3.0", NULL, NULL));
    TRUE_(value(again) == 10);
    add(again, 1);
    TRUE_(value(again) == 11);
    TRUE_(total_size(again) == total_size(program));
    rows(again);
    OK(clReleaseProgram(again));
}

static cl_program compiled(const char *text)
{
    cl_program program = MAKES(clCreateProgramWithSource(context, 1, &text, NULL, &err));
    OK(clCompileProgram(program, 1, &device, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL));
    return program;
}

static void linked(void)
{
    cl_program parts[] = {
        compiled("extern global int shared; extern constant int step;\n"
                 "kernel void add(int n) { shared += n * step; }\n"),
        compiled("global int shared = 5; static int step = 1000; constant int unrelated = 0;\n"
                 "kernel void read(global int *out) { *out = shared; step++; }\n"),
        compiled("constant int step = 2;\n"),
    };
    cl_program program = MAKES(clLinkProgram(context, 1, &device, NULL, 3, parts, NULL, NULL, &err));
    add(program, 4);
    TRUE_(value(program) == 13);
    OK(clReleaseProgram(program));
    /* Without the definitions there is a program all the same, with a log. */
    cl_program broken = clLinkProgram(context, 1, &device, NULL, 1, parts, NULL, NULL, &err);
    IS(CL_LINK_PROGRAM_FAILURE, err);
    OK(clReleaseProgram(broken));
    for (int n = 0; n < 3; n++)
        OK(clReleaseProgram(parts[n]));
}

int main(void)
{
    set_up();
    size_t largest = 0, preferred = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof largest, &largest, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, sizeof preferred, &preferred, NULL));
    TRUE_(largest >= 64 * 1024 && preferred >= largest);
    buffer = MAKES(clCreateBuffer(context, CL_MEM_READ_WRITE, 4096, NULL, &err));
    cl_program program = build(source, context);
    TRUE_(value(program) == 10);
    add(program, 5);
    add(program, 7);
    TRUE_(value(program) == 22);
    TRUE_(total_size(program) >= 16);
    rows(program);
    binaries(program);
    TRUE_(value(program) == 22);
    /* Another program of the same source has its own; so has the same one built again. */
    cl_program other = build(source, context);
    TRUE_(value(other) == 10);
    OK(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
    TRUE_(value(program) == 10);
    OK(clReleaseProgram(other));
    OK(clReleaseProgram(program));
    linked();
    char text[200];
    snprintf(text, sizeof text, "global uchar a[%zu]; kernel void read(global int *out) { *out = a[%zu - 1] + 3; }", largest,
             largest);
    program = build(text, context);
    TRUE_(value(program) == 3);
    TRUE_(total_size(program) >= largest);
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(buffer));
    tear_down();
    return done();
}
