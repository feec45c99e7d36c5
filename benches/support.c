/* Setting up a case: programs, arguments, launches, times. */
#include "bench.h"

cl_kernel work_kernel(struct work *w, const char *file, const char *name)
{
    if (!w->file || strcmp(w->file, file)) {
        size_t size;
        char options[128] = "", extensions[8192] = "";
        cl_bool collectives = CL_FALSE;
        cl_uint subgroups = 0;
        /* Where the device has no such query, it does not have the feature. */
        clGetDeviceInfo(w->h.device, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof collectives, &collectives, &size);
        clGetDeviceInfo(w->h.device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof subgroups, &subgroups, &size);
        clGetDeviceInfo(w->h.device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL);
        if (collectives)
            strcat(options, "-cl-std=CL3.0 -DCOLLECTIVES ");
        if (subgroups)
            strcat(options, "-cl-std=CL3.0 -DSUBGROUPS ");
        char *source = host_read(w->kernels, file);
        w->program = host_build(&w->h, source, options);
        w->file = file;
        free(source);
    }
    struct step *step = &w->step[w->steps++];
    step->kernel = host_kernel(w->program, name);
    w->argument = 0;
    return step->kernel;
}

void work_value(struct work *w, size_t size, const void *value)
{
    CHECK(clSetKernelArg(w->step[w->steps - 1].kernel, w->argument++, size, value));
}

void work_pass(struct work *w, cl_mem buffer)
{
    work_value(w, sizeof buffer, &buffer);
}

cl_mem work_buffer(struct work *w, size_t size, const void *data)
{
    cl_mem buffer = host_buffer(&w->h, CL_MEM_READ_WRITE, size, NULL);
    cl_uchar zero = 0;
    if (data)
        CHECK(clEnqueueWriteBuffer(w->h.queue, buffer, CL_TRUE, 0, size, data, 0, NULL, NULL));
    else
        CHECK(clEnqueueFillBuffer(w->h.queue, buffer, &zero, 1, 0, size, 0, NULL, NULL));
    CHECK(clFinish(w->h.queue));
    work_pass(w, buffer);
    return buffer;
}

void work_int(struct work *w, cl_int value)
{
    work_value(w, sizeof value, &value);
}

void work_float(struct work *w, cl_float value)
{
    work_value(w, sizeof value, &value);
}

void work_local(struct work *w, size_t size)
{
    work_value(w, size, NULL);
}

void work_3d(struct work *w, size_t x, size_t y, size_t z, size_t lx, size_t ly, size_t lz)
{
    struct step *step = &w->step[w->steps - 1];
    size_t global[3] = {x, y, z}, local[3] = {lx, ly, lz};
    memcpy(step->global, global, sizeof global);
    memcpy(step->local, local, sizeof local);
    step->dim = z > 1 ? 3 : y > 1 ? 2 : 1;
}

void work_2d(struct work *w, size_t x, size_t y, size_t lx, size_t ly)
{
    work_3d(w, x, y, 1, lx, ly, 1);
}

void work_1d(struct work *w, size_t global, size_t local)
{
    work_3d(w, global, 1, 1, local, 1, 1);
}

void work_once(struct work *w)
{
    if (w->enqueue)
        w->enqueue(w);
    else
        for (struct step *s = w->step; s < w->step + w->steps; s++)
            CHECK(clEnqueueNDRangeKernel(w->h.queue, s->kernel, s->dim, NULL, s->global, s->local, 0, NULL, NULL));
    CHECK(clFinish(w->h.queue));
}

static void again(void *data)
{
    work_once(data);
}

void work_time(struct work *w)
{
    w->ms = bench_repeat(again, w);
}

void *work_read(struct work *w, cl_mem buffer, size_t size)
{
    void *to = bench_alloc(size);
    CHECK(clEnqueueReadBuffer(w->h.queue, buffer, CL_TRUE, 0, size, to, 0, NULL, NULL));
    return to;
}

/* Seconds of the clock that counts: CPU time of all threads when BENCH_CPU is set, else wall-clock time. */
static double seconds(void)
{
    struct timespec now;
    if (!getenv("BENCH_CPU"))
        return host_seconds();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Waits until the process has nothing to do any more: platforms build other kernels of a program in the background. */
static void settle(void)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    struct timespec before, after;
    for (int n = 0; n < 500; n++) {
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
        nanosleep(&pause, NULL);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
        if (after.tv_sec == before.tv_sec && after.tv_nsec - before.tv_nsec < 500000)
            return;
    }
}

double bench_repeat(void (*body)(void *data), void *data)
{
    enum { MOST = 400 };
    double times[MOST], start;
    size_t count = 0;
    body(data);
    settle();
    start = host_seconds();
    do {
        double before = seconds();
        body(data);
        times[count++] = 1e3 * (seconds() - before);
    } while (count < 3 || (count < MOST && host_seconds() - start < 0.25));
    return host_median(times, count);
}

void *bench_alloc(size_t size)
{
    void *data = malloc(size);
    if (!data)
        FAIL("out of memory");
    return data;
}

uint32_t *bench_numbers(size_t count)
{
    uint32_t *values = bench_alloc(count * sizeof *values), state = 12345;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = state >> 8;
    }
    return values;
}

float *bench_random(size_t count, float low, float high)
{
    static uint32_t state = 12345;
    float *values = bench_alloc(count * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        values[i] = low + (high - low) * (float)(state >> 8) / 16777216.0f;
    }
    return values;
}
