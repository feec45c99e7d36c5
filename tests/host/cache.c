/* Builds a program of some kernels, runs each and checks what it says of itself; prints the build log. The tests of the
 * cache run it several times, with different environments.
 *     cache NUMBER KERNELS [OPTIONS]     from a source that differs for each NUMBER
 *     cache save FILE | load FILE        as `cache 0 3`; writes the program's binary, or makes the program of it
 *     cache rows SIZE...                 runs one kernel in groups of these sizes
 *     cache exit KERNELS                 ends while machine code is made
 *     cache fork KERNELS                 has a child run what was built before the fork
 *     cache image FORMAT...              builds a kernel that reads an image, and runs it on images of these formats
 *     cache image-save FILE FORMAT...    the same, and writes the program's binary after that
 *     cache image-load FILE FORMAT...    the same with the program's binary
 *     cache image-fork -                 runs it on one format, and on another one in a child */
#include "binary.h"
#include <sys/wait.h>
#include <unistd.h>

static struct host h;

static char *source_of(int number, int kernels)
{
    size_t room = 1024 * (size_t)(kernels + 1), at = 0;
    char *text = malloc(room);
    if (!text)
        FAIL("out of memory");
    /* The division has a warning. */
    at += (size_t)snprintf(text, room, "#ifdef FROM_FILE\n#include FROM_FILE\n#else\n#define ADD 0\n#endif\n"
                                       "int divided(int x) { return x ? x : 1 / 0; }\n");
    for (int k = 0; k < kernels; k++)
        at += (size_t)snprintf(text + at, room - at,
                               "kernel __attribute__((reqd_work_group_size(4, 1, 1))) void k%d(global int *out, const float f) {\n"
                               "    local int t[4];\n"
                               "    int l = get_local_id(0);\n"
                               "    t[l] = %d + (int)exp(f);\n"
                               "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                               "    out[l] = t[3 - l] + %d + ADD;\n"
                               "}\n",
                               k, number, k);
    return text;
}

static void run(cl_program program, int number, int kernels, int add)
{
    int out[4];
    float zero = 0;
    size_t four = 4, sizes[3];
    char text[64];
    cl_mem buffer = host_buffer(&h, CL_MEM_READ_WRITE, sizeof out, NULL);
    for (int k = 0; k < kernels; k++) {
        snprintf(text, sizeof text, "k%d", k);
        cl_kernel kernel = host_kernel(program, text);
        CHECK(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
        if (strcmp(text, "float"))
            FAIL("argument 1 of k%d is a %s", k, text);
        CHECK(clGetKernelWorkGroupInfo(kernel, h.device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes, NULL));
        if (sizes[0] != 4 || sizes[1] != 1 || sizes[2] != 1)
            FAIL("k%d wants groups of %zu", k, sizes[0]);
        CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
        CHECK(clSetKernelArg(kernel, 1, sizeof zero, &zero));
        CHECK(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &four, &four, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(h.queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
        for (int i = 0; i < 4; i++)
            if (out[i] != number + 1 + k + add)
                FAIL("k%d of %d gave %d", k, number, out[i]);
        CHECK(clReleaseKernel(kernel));
    }
    CHECK(clReleaseMemObject(buffer));
}

static void print_log(cl_program program)
{
    char log[4096];
    CHECK(clGetProgramBuildInfo(program, h.device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    fputs(log, stdout);
}

static void save(const char *name)
{
    char *source = source_of(0, 3);
    cl_program program = host_build(&h, source, "");
    save_binary(name, program);
    print_log(program);
    run(program, 0, 3, 0);
    CHECK(clReleaseProgram(program));
    free(source);
}

static void load(const char *name)
{
    static unsigned char bytes[1 << 20];
    const unsigned char *start = bytes;
    size_t size = read_file(name, bytes, sizeof bytes);
    cl_int code, status;
    /* Damage is found, wherever it is. */
    for (size_t at = 0; at < size; at += 1 + size / 97) {
        bytes[at] ^= 4;
        clCreateProgramWithBinary(h.context, 1, &h.device, &size, &start, &status, &code);
        if (code != CL_INVALID_BINARY || status != CL_INVALID_BINARY)
            FAIL("a damaged binary: %d", code);
        bytes[at] ^= 4;
    }
    cl_program program = load_binary(&h, name);
    print_log(program);
    run(program, 0, 3, 0);
    CHECK(clReleaseProgram(program));
}

/* Rows that are full chunks of work-items have code of their own; the other code is made when it is wanted. */
static void rows(char **sizes)
{
    cl_program program = host_build(&h,
                                    "kernel void rows(global int *out) {\n"
                                    "    local int t[256];\n"
                                    "    int l = get_local_id(0), n = get_local_size(0);\n"
                                    "    t[l] = l % 5 ? l * l : -l;\n"
                                    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                                    "    out[l] = t[n - 1 - l];\n"
                                    "}\n",
                                    "");
    for (; *sizes; sizes++) {
        int out[256];
        size_t n = (size_t)atoi(*sizes);
        cl_mem buffer = host_buffer(&h, CL_MEM_READ_WRITE, sizeof out, NULL);
        cl_kernel kernel = host_kernel(program, "rows");
        CHECK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
        CHECK(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &n, &n, 0, NULL, NULL));
        CHECK(clEnqueueReadBuffer(h.queue, buffer, CL_TRUE, 0, n * sizeof *out, out, 0, NULL, NULL));
        for (int i = 0; i < (int)n; i++) {
            int l = (int)n - 1 - i;
            if (out[i] != (l % 5 ? l * l : -l))
                FAIL("item %d of %zu gave %d", i, n, out[i]);
        }
        CHECK(clReleaseKernel(kernel));
        CHECK(clReleaseMemObject(buffer));
    }
    CHECK(clReleaseProgram(program));
}

/* A child whose parent's threads are still at work on what it needs. */
static void in_child(int kernels)
{
    char *source = source_of(1, 1);
    cl_program program = host_build(&h, source, "");
    run(program, 1, 1, 0);
    CHECK(clReleaseProgram(program));
    free(source);
    source = source_of(2, kernels);
    program = host_build(&h, source, "");
    pid_t child = fork();
    if (!child) {
        alarm(60);
        run(program, 2, kernels, 0);
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        FAIL("the child ended with %x", status);
    run(program, 2, kernels, 0);
    CHECK(clReleaseProgram(program));
    free(source);
}

/* The kernel that reads an image; `binary` holds its program if it is given. */
static cl_program reader(const char *binary)
{
    if (binary)
        return load_binary(&h, binary);
    return host_build(&h,
                      "kernel void reader(read_only image1d_t from, global float *to) {\n"
                      "    int i = get_global_id(0);\n"
                      "    to[i] = read_imagef(from, i).x + 3;\n"
                      "}\n",
                      "");
}

/* Runs it on an image of the format. */
static void read_format(cl_program program, const char *name)
{
    enum { COUNT = 16 };
    int is_float = !strcmp(name, "float");
    cl_image_format format = {CL_R, is_float ? CL_FLOAT : CL_UNORM_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = COUNT};
    float floats[COUNT], seen[COUNT];
    unsigned char bytes[COUNT];
    for (int i = 0; i < COUNT; i++) {
        floats[i] = (float)i;
        bytes[i] = i % 2 ? 255 : 0;
    }
    cl_int code;
    size_t count = COUNT;
    void *texels = is_float ? (void *)floats : (void *)bytes;
    cl_mem image = clCreateImage(h.context, CL_MEM_COPY_HOST_PTR, &format, &desc, texels, &code);
    CHECK(code);
    cl_mem buffer = host_buffer(&h, CL_MEM_READ_WRITE, sizeof seen, NULL);
    cl_kernel kernel = host_kernel(program, "reader");
    CHECK(clSetKernelArg(kernel, 0, sizeof image, &image));
    CHECK(clSetKernelArg(kernel, 1, sizeof buffer, &buffer));
    CHECK(clEnqueueNDRangeKernel(h.queue, kernel, 1, NULL, &count, &count, 0, NULL, NULL));
    CHECK(clEnqueueReadBuffer(h.queue, buffer, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
    for (int i = 0; i < COUNT; i++)
        if (seen[i] != (is_float ? i : i % 2) + 3)
            FAIL("texel %d of %s gave %g", i, name, seen[i]);
    CHECK(clReleaseKernel(kernel));
    CHECK(clReleaseMemObject(buffer));
    CHECK(clReleaseMemObject(image));
}

static void image(const char *mode, char **arguments)
{
    int saves = !strcmp(mode, "image-save"), loads = !strcmp(mode, "image-load");
    int forks = !strcmp(mode, "image-fork");
    cl_program program = reader(loads ? arguments[0] : NULL);
    for (char **format = arguments + (saves || loads || forks); *format; format++)
        read_format(program, *format);
    if (saves)
        save_binary(arguments[0], program);
    if (forks) {
        read_format(program, "float");
        pid_t child = fork();
        if (!child) {
            alarm(60);
            read_format(program, "float");
            read_format(program, "byte");
            exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status))
            FAIL("the child ended with %x", status);
        read_format(program, "byte");
    }
    CHECK(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
    if (argc < 3)
        FAIL("see the head of cache.c for the arguments");
    h = host_open("");
    if (!strcmp(argv[1], "save")) {
        save(argv[2]);
    } else if (!strcmp(argv[1], "load")) {
        load(argv[2]);
    } else if (!strcmp(argv[1], "rows")) {
        rows(argv + 2);
    } else if (!strcmp(argv[1], "exit")) {
        host_build(&h, source_of(3, atoi(argv[2])), "");
        exit(0);
    } else if (!strcmp(argv[1], "fork")) {
        in_child(atoi(argv[2]));
    } else if (!strncmp(argv[1], "image", 5)) {
        image(argv[1], argv + 2);
    } else {
        int number = atoi(argv[1]), kernels = atoi(argv[2]);
        char *source = source_of(number, kernels);
        cl_program program = host_build(&h, source, argc > 3 ? argv[3] : "");
        print_log(program);
        run(program, number, kernels, argc > 4 ? atoi(argv[4]) : 0);
        CHECK(clReleaseProgram(program));
        free(source);
    }
    host_close(&h);
    return 0;
}
