/* The library opened by its path, used, closed and opened again, as loaders and plug-ins do. Its threads and what LLVM keeps
 * for ever outlive a dlclose, so that it stays in the process on purpose (linked with -z nodelete): handles and callbacks
 * go on working after the close, and opening it again gives the same library.
 *     dl_reopen PATH */
#define _GNU_SOURCE
#include "host.h"
#include <CL/cl_icd.h>
#include <dirent.h>
#include <dlfcn.h>
#include <unistd.h>

enum { N = 4096 };

static const char *SOURCE = "kernel void sums(global const uint *in, global uint *out, local uint *t) {\n"
                            "    uint l = get_local_id(0);\n"
                            "    t[l] = in[get_global_id(0)] * BY;\n"
                            "    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {\n"
                            "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                            "        if (l < s) t[l] += t[l + s];\n"
                            "    }\n"
                            "    if (l == 0) out[get_group_id(0)] = t[0];\n"
                            "}\n";

struct library {
    void *handle;
    const struct _cl_icd_dispatch *cl;
    cl_platform_id platform;
};

/* As an ICD loader: by the one name that it asks for, and the platform's table. */
static struct library open_library(const char *path)
{
    struct library l = {.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!l.handle)
        FAIL("%s", dlerror());
    void *(CL_API_CALL *find)(const char *) = dlsym(l.handle, "clGetExtensionFunctionAddress");
    cl_int(CL_API_CALL * platforms)(cl_uint, cl_platform_id *, cl_uint *) = find ? find("clIcdGetPlatformIDsKHR") : NULL;
    if (!platforms)
        FAIL("no clIcdGetPlatformIDsKHR");
    cl_uint count = 0;
    CHECK(platforms(1, &l.platform, &count));
    if (count != 1)
        FAIL("%u platforms", count);
    l.cl = *(const struct _cl_icd_dispatch **)l.platform;
    return l;
}

static void close_library(struct library *l)
{
    if (dlclose(l->handle))
        FAIL("%s", dlerror());
}

struct work {
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem in, out;
};

static cl_uint numbers[N];

/* Makes everything and builds with options of its own, so that each time machine code is made. */
static struct work make(const struct library *l, int by)
{
    struct work w;
    cl_int code;
    cl_device_id device;
    char options[32];
    snprintf(options, sizeof options, "-DBY=%d", by);
    CHECK(l->cl->clGetDeviceIDs(l->platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    w.context = l->cl->clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    CHECK(code);
    w.queue = l->cl->clCreateCommandQueueWithProperties(w.context, device, NULL, &code);
    CHECK(code);
    w.program = l->cl->clCreateProgramWithSource(w.context, 1, &SOURCE, NULL, &code);
    CHECK(code);
    CHECK(l->cl->clBuildProgram(w.program, 0, NULL, options, NULL, NULL));
    w.kernel = l->cl->clCreateKernel(w.program, "sums", &code);
    CHECK(code);
    w.in = l->cl->clCreateBuffer(w.context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &code);
    CHECK(code);
    w.out = l->cl->clCreateBuffer(w.context, 0, N / 64 * sizeof(cl_uint), NULL, &code);
    CHECK(code);
    return w;
}

static void run(const struct _cl_icd_dispatch *cl, const struct work *w, int by)
{
    cl_uint sums[N / 64];
    size_t global = N, local = 64;
    CHECK(cl->clSetKernelArg(w->kernel, 0, sizeof w->in, &w->in));
    CHECK(cl->clSetKernelArg(w->kernel, 1, sizeof w->out, &w->out));
    CHECK(cl->clSetKernelArg(w->kernel, 2, local * sizeof(cl_uint), NULL));
    CHECK(cl->clEnqueueNDRangeKernel(w->queue, w->kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(cl->clEnqueueReadBuffer(w->queue, w->out, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL));
    for (size_t g = 0; g < N / 64; g++) {
        cl_uint sum = 0;
        for (size_t i = 0; i < 64; i++)
            sum += numbers[g * 64 + i] * (cl_uint)by;
        if (sums[g] != sum)
            FAIL("group %zu gave %u, not %u", g, sums[g], sum);
    }
}

static void unmake(const struct _cl_icd_dispatch *cl, const struct work *w)
{
    CHECK(cl->clReleaseMemObject(w->in));
    CHECK(cl->clReleaseMemObject(w->out));
    CHECK(cl->clReleaseKernel(w->kernel));
    CHECK(cl->clReleaseProgram(w->program));
    CHECK(cl->clReleaseCommandQueue(w->queue));
    CHECK(cl->clReleaseContext(w->context));
}

static int threads(void)
{
    int count = 0;
    DIR *tasks = opendir("/proc/self/task");
    while (readdir(tasks))
        count++;
    closedir(tasks);
    return count - 2;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        FAIL("usage: dl_reopen PATH");
    for (cl_uint i = 0; i < N; i++)
        numbers[i] = i * 2654435761u;
    struct library first = open_library(argv[1]);
    struct work kept = make(&first, 1);
    run(first.cl, &kept, 1);
    int most = 0;
    for (int round = 2; round < 8; round++) {
        struct library again = open_library(argv[1]);
        if (again.handle != first.handle || again.platform != first.platform || again.cl != first.cl)
            FAIL("round %d: another copy of the library", round);
        struct work w = make(&again, round);
        run(again.cl, &w, round);
        unmake(again.cl, &w);
        /* Idle threads sleep, some have gone: either way the code that they return to must be there. */
        if (round % 2)
            usleep(300000);
        close_library(&again);
        int now = threads();
        if (round == 3)
            most = now;
        else if (round > 3 && now > most + 4)
            FAIL("round %d: %d threads, %d before", round, now, most);
    }
    /* The last close but for the library's own wish to stay. */
    close_library(&first);
    void *resident = dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD);
    if (!resident)
        FAIL("the library has left the process, its threads have not");
    usleep(300000);
    /* What was made before the close is as good as ever. */
    run(first.cl, &kept, 1);
    unmake(first.cl, &kept);
    struct library last = open_library(argv[1]);
    struct work w = make(&last, 9);
    run(last.cl, &w, 9);
    unmake(last.cl, &w);
    close_library(&last);
    return 0;
}
