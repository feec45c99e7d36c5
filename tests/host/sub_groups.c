/* Sub-groups: what the host is told is what kernels see. */
#include "check.h"

static const char *source =
    "kernel void ids(global uint *out)\n"
    "{\n"
    "    size_t i = get_local_linear_id();\n"
    "    if (get_group_id(0) + get_group_id(1) + get_group_id(2) == 0) {\n"
    "        out[2 * i] = get_max_sub_group_size();\n"
    "        out[2 * i + 1] = get_num_sub_groups();\n"
    "    }\n"
    "}\n"
    "kernel __attribute__((intel_reqd_sub_group_size(8))) void eight(global uint *out)\n"
    "{\n"
    "    size_t i = get_local_linear_id();\n"
    "    out[2 * i] = get_max_sub_group_size();\n"
    "    out[2 * i + 1] = get_num_sub_groups();\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(64, 1, 1), intel_reqd_sub_group_size(16)))\n"
    "void sized(global uint *out) { out[0] = sub_group_reduce_add(1u); }\n"
    "kernel void plain(global float *out) { out[get_global_id(0)] *= 2; }\n";

static cl_program program;

static size_t ask(cl_kernel kernel, cl_uint name, size_t input_size, const void *input)
{
    size_t answer = 0, size = 0;
    OK(clGetKernelSubGroupInfo(kernel, device, name, input_size, input, sizeof answer, &answer, &size));
    TRUE_(size == sizeof answer);
    return answer;
}

/* One group of this shape sees what the host was told of it. */
static void agrees(cl_kernel kernel, cl_uint dimensions, size_t x, size_t y, size_t z)
{
    size_t local[] = {x, y, z}, items = x * y * z;
    size_t most = ask(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, dimensions * sizeof(size_t), local);
    size_t count = ask(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, dimensions * sizeof(size_t), local);
    cl_uint *seen = calloc(items, 8);
    cl_mem out = MAKES(clCreateBuffer(context, 0, items * 8, NULL, &err));
    TRUE_(count == (items + most - 1) / most);
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    OK(clEnqueueNDRangeKernel(queue, kernel, dimensions, NULL, local, local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, items * 8, seen, 0, NULL, NULL));
    for (size_t i = 0; i < items; i++)
        TRUE_(seen[2 * i] == most && seen[2 * i + 1] == count);
    OK(clReleaseMemObject(out));
    free(seen);
}

static void kernel_queries(const char *name, size_t reqd)
{
    cl_kernel kernel = MAKES(clCreateKernel(program, name, &err));
    size_t local[3] = {9, 9, 9}, one = 1, answer = 0, many = (size_t)1 << 40;
    size_t most = ask(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof one, &one);
    TRUE_(most >= 4 && most <= 32 && (reqd == 0 || most == reqd));
    TRUE_(ask(kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL) == 0);
    TRUE_(ask(kernel, 0x410A /* CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL */, 0, NULL) == reqd);
    TRUE_(ask(kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL) >= 1);
    for (size_t count = 1; count < 5; count++) {
        OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count, &count,
                                   sizeof local, local, NULL));
        TRUE_(local[0] == count * most && local[1] == 1 && local[2] == 1);
        TRUE_(ask(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof local, local) == count);
    }
    OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof many, &many,
                               sizeof local, local, NULL));
    TRUE_(local[0] == 0 && local[1] == 0 && local[2] == 0);
#define BAD(name, input_size, input, size) \
    IS(CL_INVALID_VALUE, clGetKernelSubGroupInfo(kernel, device, name, input_size, input, size, &answer, NULL))
    BAD(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof one, NULL, sizeof answer);
    BAD(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 0, &one, sizeof answer);
    BAD(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 4 * sizeof one, local, sizeof answer);
    BAD(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 7, &one, sizeof answer);
    BAD(CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, 2 * sizeof one, local, sizeof answer);
    BAD(CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, 4);
    BAD(0x1111, 0, NULL, sizeof answer);
    /* The loader itself reads a handle that is not NULL. */
    IS(CL_INVALID_KERNEL,
       clGetKernelSubGroupInfo(NULL, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof answer, &answer, NULL));
    IS(CL_INVALID_DEVICE, clGetKernelSubGroupInfo(kernel, GARBAGE(cl_device_id), CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
                                                  sizeof answer, &answer, NULL));
    OK(clReleaseKernel(kernel));
}

int main(void)
{
    cl_uint number = 0;
    cl_bool independent = CL_TRUE;
    size_t sizes[16], size = 0;
    char text[8192];
    set_up();
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof number, &number, NULL));
    TRUE_(number > 0);
    OK(clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, sizeof independent, &independent, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
    /* "This query must return CL_TRUE for devices that support the cl_khr_subgroups extension". */
    TRUE_(independent == (strstr(text, "cl_khr_subgroups") != NULL));
    OK(clGetDeviceInfo(device, 0x4108 /* CL_DEVICE_SUB_GROUP_SIZES_INTEL */, sizeof sizes, sizes, &size));
    TRUE_(size >= sizeof *sizes && size % sizeof *sizes == 0);

    program = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    cl_int built = clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL);
    if (built) {
        OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL));
        printf("build: %d\n%s\n", built, text);
        return 1;
    }
    kernel_queries("ids", 0);
    kernel_queries("eight", 8);
    kernel_queries("plain", 0);
    const char *names[] = {"ids", "eight"};
    for (int n = 0; n < 2; n++) {
        cl_kernel kernel = MAKES(clCreateKernel(program, names[n], &err));
        agrees(kernel, 1, 1, 1, 1);
        agrees(kernel, 1, 33, 1, 1);
        agrees(kernel, 1, 64, 1, 1);
        agrees(kernel, 2, 32, 2, 1);
        agrees(kernel, 2, 5, 3, 1);
        agrees(kernel, 3, 4, 3, 5);
        OK(clReleaseKernel(kernel));
    }
    /* A required work-group size leaves one number of sub-groups. */
    cl_kernel kernel = MAKES(clCreateKernel(program, "sized", &err));
    size_t count = 4, local = 0;
    TRUE_(ask(kernel, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL) == 4);
    OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count, &count,
                               sizeof local, &local, NULL));
    TRUE_(local == 64);
    count = 3;
    OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count, &count,
                               sizeof local, &local, NULL));
    TRUE_(local == 0);
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    tear_down();
    return done();
}
