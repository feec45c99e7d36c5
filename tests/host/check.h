/* Checks for host programs: each prints what failed and goes on; `done()` at the end gives the exit status. */
#ifndef CHECK_H
#define CHECK_H
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Callbacks and threads check, too. */
static _Atomic int failures, checks;
static cl_int err;

#define TRUE_(condition) check_true((condition) != 0, #condition, __FILE__, __LINE__)
/* A call that returns a status. */
#define IS(code, call) check_code(call, code, #code, #call, __FILE__, __LINE__)
#define OK(call) IS(CL_SUCCESS, call)
/* A call that returns an object and takes `&err`; on failure the object must be NULL. */
#define MAKES(call) check_made(call, __FILE__, __LINE__, #call)
#define REFUSES(code, call) check_refused(call, code, #code, #call, __FILE__, __LINE__)

static void check_true(int ok, const char *what, const char *file, int line)
{
    checks++;
    if (!ok) {
        failures++;
        printf("%s:%d: %s does not hold\n", file, line, what);
    }
}

static void check_code(cl_int got, cl_int want, const char *name, const char *call, const char *file, int line)
{
    checks++;
    if (got != want) {
        failures++;
        printf("%s:%d: %s gives %d, not %s (%d)\n", file, line, call, got, name, want);
    }
}

static void *check_made(void *object, const char *file, int line, const char *call)
{
    checks++;
    if (!object || err != CL_SUCCESS) {
        failures++;
        printf("%s:%d: %s gives %p and %d\n", file, line, call, object, err);
    }
    err = 12345;
    return object;
}

static void check_refused(void *object, cl_int want, const char *name, const char *call, const char *file, int line)
{
    check_code(err, want, name, call, file, line);
    if (object) {
        failures++;
        printf("%s:%d: %s gives an object all the same\n", file, line, call);
    }
    err = 12345;
}

static int done(void)
{
    printf("%d checks, %d failures\n", checks, failures);
    return failures != 0;
}

/* What most programs need. */
static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static void set_up(void)
{
    cl_uint count = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    OK(clGetPlatformIDs(1, &platform, &count));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = MAKES(clCreateContext(NULL, 1, &device, NULL, NULL, &err));
    queue = MAKES(clCreateCommandQueueWithProperties(context, device, NULL, &err));
    if (!queue)
        exit(2);
}

static void tear_down(void)
{
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
}

/* A pointer that is no object. */
#define GARBAGE(type) ((type)(uintptr_t)0xdeadbee0)

/* Checks the rules that hold for every clGet*Info function; `call(name, size, value, ret)` is that function. */
#define QUERY_RULES(call, name, size)                                      \
    do {                                                                   \
        char room_[4096];                                                  \
        size_t ret_ = 0;                                                   \
        OK(call(name, 0, NULL, &ret_));                                    \
        TRUE_(ret_ == (size));                                             \
        OK(call(name, sizeof room_, room_, NULL));                         \
        if (ret_) {                                                        \
            OK(call(name, ret_, room_, &ret_));                            \
            IS(CL_INVALID_VALUE, call(name, ret_ - 1, room_, NULL));       \
        }                                                                  \
        IS(CL_INVALID_VALUE, call(0x7ffffff0, sizeof room_, room_, NULL)); \
    } while (0)
#endif
