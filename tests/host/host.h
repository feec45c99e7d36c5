/* What the C host programs share: checked calls, choosing a device by a part of its platform's name, building a
 * program from files, and times. Every failure ends the process with a message: these are test programs. */
#ifndef CLOTHO_TESTS_HOST_H
#define CLOTHO_TESTS_HOST_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(call)                                                                    \
    do {                                                                               \
        cl_int check_code = (call);                                                    \
        if (check_code != CL_SUCCESS) {                                                \
            fprintf(stderr, "%s:%d: %s answered %d\n", __FILE__, __LINE__, #call, check_code); \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)

#define FAIL(...)                                      \
    do {                                               \
        fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
        fprintf(stderr, __VA_ARGS__);                  \
        fputc('\n', stderr);                           \
        exit(1);                                       \
    } while (0)

struct host {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    char platform_name[256], device_name[256];
};

/* Does `text` have `part` in it, whatever the case? */
static inline int host_contains(const char *text, const char *part)
{
    for (; *text; text++) {
        size_t n = 0;
        while (part[n] && tolower((unsigned char)text[n]) == tolower((unsigned char)part[n]))
            n++;
        if (!part[n])
            return 1;
    }
    return !*part;
}

/* The first device of the first platform whose name contains `name`, with a profiling in-order queue. */
static inline struct host host_open(const char *name)
{
    struct host h = {0};
    cl_platform_id platforms[32];
    cl_uint count = 0;
    CHECK(clGetPlatformIDs(32, platforms, &count));
    for (cl_uint i = 0; i < count && i < 32 && !h.platform; i++) {
        CHECK(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof h.platform_name, h.platform_name, NULL));
        if (host_contains(h.platform_name, name))
            h.platform = platforms[i];
    }
    if (!h.platform)
        FAIL("no platform named \"%s\" among %u", name, count);
    CHECK(clGetDeviceIDs(h.platform, CL_DEVICE_TYPE_ALL, 1, &h.device, NULL));
    CHECK(clGetDeviceInfo(h.device, CL_DEVICE_NAME, sizeof h.device_name, h.device_name, NULL));
    cl_int code;
    h.context = clCreateContext(NULL, 1, &h.device, NULL, NULL, &code);
    CHECK(code);
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    h.queue = clCreateCommandQueueWithProperties(h.context, h.device, properties, &code);
    CHECK(code);
    return h;
}

static inline void host_close(struct host *h)
{
    CHECK(clReleaseCommandQueue(h->queue));
    CHECK(clReleaseContext(h->context));
}

/* The text of `folder/name`, with a NUL at its end; the caller frees it. */
static inline char *host_read(const char *folder, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        FAIL("%s can't be opened", path);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size)
        FAIL("%s can't be read", path);
    text[size] = 0;
    fclose(file);
    return text;
}

static inline cl_program host_build(struct host *h, const char *source, const char *options)
{
    cl_int code;
    cl_program program = clCreateProgramWithSource(h->context, 1, &source, NULL, &code);
    CHECK(code);
    code = clBuildProgram(program, 1, &h->device, options, NULL, NULL);
    if (code != CL_SUCCESS) {
        static char log[65536];
        clGetProgramBuildInfo(program, h->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        FAIL("clBuildProgram answered %d:\n%s", code, log);
    }
    return program;
}

static inline cl_kernel host_kernel(cl_program program, const char *name)
{
    cl_int code;
    cl_kernel kernel = clCreateKernel(program, name, &code);
    if (code != CL_SUCCESS)
        FAIL("clCreateKernel \"%s\" answered %d", name, code);
    return kernel;
}

static inline cl_mem host_buffer(struct host *h, cl_mem_flags flags, size_t size, void *data)
{
    cl_int code;
    cl_mem buffer = clCreateBuffer(h->context, flags, size, data, &code);
    CHECK(code);
    return buffer;
}

/* Seconds from an arbitrary start. */
static inline double host_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Milliseconds that the command of `event` ran for; releases the event. */
static inline double host_event_ms(cl_event event)
{
    cl_ulong start, end;
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
    CHECK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    CHECK(clReleaseEvent(event));
    return 1e-6 * (double)(end - start);
}

static inline int host_compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts `values` and answers the middle one. */
static inline double host_median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, host_compare_doubles);
    return count % 2 ? values[count / 2] : 0.5 * (values[count / 2 - 1] + values[count / 2]);
}

#endif
