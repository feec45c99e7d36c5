/* What the device advertises of the language is there: each extension and feature has its macro, and works. */
#include "check.h"

static const char *source =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
    "kernel void doubles(global double *p, double x) { p[get_global_id(0)] = x / 3.0 + get_global_id(0); }\n"
    "kernel void bytes(global uchar *p, global ushort *q)\n"
    "{\n"
    "    p[get_global_id(0)] = get_global_id(0) * 3;\n"
    "    q[get_global_id(0)] = get_global_id(0) * 300;\n"
    "}\n"
    "kernel void atomics32(global int *g, local int *l)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    if (get_local_id(0) == 0) { l[0] = 0; l[1] = 0; }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    atomic_add(g, i); atomic_inc(g + 1); atomic_max(g + 2, i); atomic_or(g + 3, 1 << (i & 15)); atomic_sub(g + 4, 2);\n"
    "    atomic_add(l, 1); atomic_max(l + 1, i);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0) == 0) { atomic_add(g + 5, l[0]); atomic_max(g + 6, l[1]); }\n"
    "}\n"
    "#ifdef cl_khr_int64_base_atomics\n"
    "kernel void atomics64(global long *g, local long *l)\n"
    "{\n"
    "    long i = get_global_id(0);\n"
    "    if (get_local_id(0) == 0) { l[0] = 0; }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    atom_add(g, i << 32); atom_inc(g + 1); atom_max(g + 2, i << 40); atom_or(g + 3, 1L << (i & 63)); atom_sub(g + 4, 2L);\n"
    "    atom_add(l, 1L << 33);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (get_local_id(0) == 0) atom_add(g + 5, l[0]);\n"
    "}\n"
    "#endif\n";

enum { ITEMS = 256, LOCAL = 64 };
static cl_program program;
static cl_mem memory, more;

static void run(const char *name, int with_local, size_t second)
{
    cl_kernel kernel = MAKES(clCreateKernel(program, name, &err));
    cl_long zero = 0;
    size_t items = ITEMS, local = LOCAL;
    double x = 2.0;
    OK(clEnqueueFillBuffer(queue, memory, &zero, sizeof zero, 0, ITEMS * 8, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    OK(clSetKernelArg(kernel, 1, second, with_local ? NULL : second == sizeof x && name[0] == 'd' ? (void *)&x : &more));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));
}

/* Every name of the list is a macro of the language. */
static void macros(const char *names, const char *separator, const char *options)
{
    char *list = strdup(names), *rest = list, *name;
    while ((name = strtok_r(rest, separator, &rest))) {
        /* These are of the API and have no macro that the specification asks for. */
        static const char *const api[] = {"cl_intel_unified_shared_memory", "cl_khr_command_buffer",
            "cl_khr_command_buffer_mutable_dispatch",
            "cl_khr_create_command_queue", "cl_khr_device_uuid", "cl_khr_extended_versioning",
            "cl_khr_image2d_from_buffer", "cl_khr_priority_hints", "cl_khr_semaphore",
            "cl_khr_suggested_local_work_size", "cl_khr_throttle_hints"};
        int of_api = 0;
        for (size_t i = 0; i < sizeof api / sizeof *api; i++)
            of_api |= !strcmp(name, api[i]);
        if (of_api)
            continue;
        char text[256];
        const char *pointer = text;
        sprintf(text, "#ifndef %s\n#error %s\n#endif\nkernel void k() {}\n", name, name);
        cl_program p = MAKES(clCreateProgramWithSource(context, 1, &pointer, NULL, &err));
        OK(clBuildProgram(p, 0, NULL, options, NULL, NULL));
        OK(clReleaseProgram(p));
    }
    free(list);
}

int main(void)
{
    char names[4096];
    cl_name_version features[64];
    size_t size = 0;
    set_up();
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
    macros(names, " ", NULL);
    OK(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof features, features, &size));
    for (size_t i = 0; i < size / sizeof *features; i++)
        macros(features[i].name, " ", "-cl-std=CL3.0");

    /* CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR has a bit for each feature: device, work-group, sub-group. */
    cl_bitfield clocks = 0;
    OK(clGetDeviceInfo(device, 0x1076, sizeof clocks, &clocks, &size));
    TRUE_(clocks == 7 && size == sizeof clocks);

    program = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    memory = MAKES(clCreateBuffer(context, 0, ITEMS * 8, NULL, &err));
    more = MAKES(clCreateBuffer(context, 0, ITEMS * 8, NULL, &err));
    static double doubles[ITEMS];
    static unsigned char bytes[ITEMS];
    static unsigned short shorts[ITEMS];
    cl_int ints[7];
    cl_long longs[6];
    run("doubles", 0, sizeof(double));
    OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof doubles, doubles, 0, NULL, NULL));
    run("bytes", 0, sizeof more);
    OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof bytes, bytes, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, more, CL_TRUE, 0, sizeof shorts, shorts, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++)
        TRUE_(doubles[i] == 2.0 / 3.0 + i && bytes[i] == (unsigned char)(i * 3) && shorts[i] == (unsigned short)(i * 300));
    run("atomics32", 1, 8);
    OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof ints, ints, 0, NULL, NULL));
    TRUE_(ints[0] == ITEMS * (ITEMS - 1) / 2 && ints[1] == ITEMS && ints[2] == ITEMS - 1 && ints[3] == 0xffff);
    TRUE_(ints[4] == -2 * ITEMS && ints[5] == ITEMS && ints[6] == ITEMS - 1);
    if (strstr(names, "cl_khr_int64_base_atomics")) {
        run("atomics64", 1, 8);
        OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof longs, longs, 0, NULL, NULL));
        TRUE_(longs[0] == (cl_long)(ITEMS * (ITEMS - 1) / 2) << 32 && longs[1] == ITEMS && longs[3] == -1);
        TRUE_(longs[2] == (cl_long)(ITEMS - 1) << 40 && longs[4] == -2 * ITEMS && longs[5] == (cl_long)ITEMS << 33);
    }
    OK(clReleaseMemObject(memory));
    OK(clReleaseMemObject(more));
    OK(clReleaseProgram(program));
    tear_down();
    return done();
}
