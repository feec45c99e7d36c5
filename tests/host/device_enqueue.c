/* Device-side enqueue: blocks that are called and enqueued, captures, local arguments, events, markers, queries, profiling,
 * queues of the device with every error code, and that a launch ends only when all that it enqueued has ended. */
#include "check.h"
#include <unistd.h>

static const char *source =
    "int constant factor = 7;\n"
    "int (^constant at_program_scope)(int) = ^int(int n) { return factor * n * (1 + get_global_id(0)); };\n"
    "struct pair { short x; long y; };\n"
    "kernel void called(global int *out)\n"
    "{\n"
    "    int i = get_global_id(0), m = 3, array[3] = {1, 2, 3};\n"
    "    struct pair p = {4, 5};\n"
    "    int (^by_value)(int) = ^(int n) { return n * m; };\n"
    "    int (^nested)(int) = ^(int n) {\n"
    "        int (^inner)(int) = ^(int k) { return k * m + (int)p.y; };\n"
    "        return n + inner(10) + array[1];\n"
    "    };\n"
    "    m = 8;\n"
    "    array[1] = 9;\n"
    "    out[i] = by_value(7) - 21;\n"                                      /* captured as 3 */
    "    out[i] |= nested(1) != 1 + 35 + 9;\n"                              /* the array by reference */
    "    out[i] |= (^int(int n) { return m * n; }(11) != 88) << 1;\n"
    "    out[i] |= (at_program_scope(3) != 21 * (i + 1)) << 2;\n"
    "    void (^writes)(void) = ^{ out[i] |= 8; };\n"
    "    writes();\n"
    "    out[i] ^= 8;\n"
    "}\n"
    "kernel void one(global int *out)\n"
    "{\n"
    "    size_t i = get_global_id(0);\n"
    "    int m = 3;\n"
    "    void (^child)(void) = ^{ out[i] = m * 7 + get_global_id(0); };\n"
    "    m = 5;\n"
    "    out[i] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), child);\n"
    "}\n"
    "kernel void ranges(queue_t q, global int *out)\n"
    "{\n"
    "    if (get_global_id(0) != 0) return;\n"
    "    size_t whole[2] = {4, 6}, part[2] = {2, 3}, offset[2] = {1, 2}, cube[3] = {2, 3, 4};\n"
    "    int bad = 0;\n"
    "    bad |= enqueue_kernel(q, 0, ndrange_1D(5, 20, 10), ^{ atomic_add(out, get_global_id(0)); });\n"
    "    bad |= enqueue_kernel(q, 1, ndrange_2D(offset, whole, part), ^{\n"
    "        atomic_add(out + 1, get_global_id(0) + 10 * get_global_id(1) + 1000 * (get_local_size(0) == 2 && get_local_size(1) == 3));\n"
    "    });\n"
    "    bad |= enqueue_kernel(q, 2, ndrange_3D(cube), ^{ atomic_add(out + 2, get_global_size(0) + get_work_dim() * 100); });\n"
    "    out[3] = bad;\n"
    "}\n"
    "kernel void locals(queue_t q, global int *out)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    out[i] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(16, 16),\n"
    "        ^(local void *a, local void *b) {\n"
    "            local int *ints = a; local float4 *floats = b;\n"
    "            int l = get_local_id(0);\n"
    "            ints[l] = l * i;\n"
    "            floats[l] = (float4)(l);\n"
    "            barrier(CLK_LOCAL_MEM_FENCE);\n"
    "            if (l == 0) {\n"
    "                int sum = 0;\n"
    "                for (int k = 0; k < 16; k++) sum += ints[k] + (int)floats[k].w;\n"
    "                out[i] = sum;\n"
    "            }\n"
    "        }, 64u, 256u);\n"
    "}\n"
    "void down(queue_t q, global int *out, int depth)\n"
    "{\n"
    "    if (get_global_id(0) == 0) atomic_inc(out);\n"
    "}\n"
    "kernel void deep(queue_t q, global int *out)\n"
    "{\n"
    "    enqueue_kernel(q, 1, ndrange_1D(4), ^{\n"
    "        atomic_inc(out);\n"
    "        enqueue_kernel(q, 1, ndrange_1D(3), ^{\n"
    "            atomic_inc(out + 1);\n"
    "            enqueue_kernel(q, 1, ndrange_1D(2), ^{ down(q, out + 2, 3); });\n"
    "        });\n"
    "    });\n"
    "}\n"
    /* A chain by events: each child sees what the one before it has left; the first waits for a user event. */
    "kernel void chain(queue_t q, global int *out)\n"
    "{\n"
    "    clk_event_t start = create_user_event(), first, second, both, last;\n"
    "    int bad = 0;\n"
    "    bad |= enqueue_kernel(q, 0, ndrange_1D(64), 1, &start, &first, ^{ atomic_inc(out); });\n"
    "    bad |= enqueue_kernel(q, 0, ndrange_1D(1), 1, &first, &second, ^{ out[1] = out[0]; });\n"
    "    clk_event_t list[2] = {first, second};\n"
    "    bad |= enqueue_marker(q, 2, list, &both);\n"
    "    bad |= enqueue_kernel(q, 0, ndrange_1D(1), 1, &both, &last, ^{ out[2] = out[1] + 1; });\n"
    "    bad |= !is_valid_event(start) || !is_valid_event(both) || is_valid_event(CLK_NULL_EVENT);\n"
    "    retain_event(last); release_event(last);\n"
    "    set_user_event_status(start, CL_COMPLETE);\n"
    "    out[3] = bad;\n"
    "    release_event(start); release_event(first); release_event(second); release_event(both); release_event(last);\n"
    "}\n"
    "kernel void fails(queue_t q, global int *out)\n"
    "{\n"
    "    clk_event_t bad = create_user_event(), none;\n"
    "    out[0] = enqueue_kernel(CLK_NULL_QUEUE, 0, ndrange_1D(1), ^{ out[9] = 1; });\n"
    "    out[1] = enqueue_kernel(q, 0, ndrange_1D(0), ^{ out[9] = 1; });\n"
    "    out[2] = enqueue_kernel(q, 0, ndrange_1D(8, 1 << 20), ^{ out[9] = 1; });\n"
    "    out[3] = enqueue_kernel(q, 0, ndrange_1D(1), 1, NULL, &none, ^{ out[9] = 1; });\n"
    "    out[4] = enqueue_kernel(q, 0, ndrange_1D(1), ^(local void *p) { out[9] = 1; }, 0u);\n"
    "    out[5] = enqueue_kernel(q, 0, ndrange_1D(1), ^(local void *p) { out[9] = 1; }, 1u << 30);\n"
    "    out[6] = enqueue_marker(q, 0, NULL, NULL) + enqueue_marker(CLK_NULL_QUEUE, 1, &bad, &none);\n"
    "    release_event(bad);\n"
    "}\n"
    /* Handles are captured as arguments are passed; blocks within blocks get them through those between. */
    "kernel void pictures(queue_t q, global int *out, read_only image2d_t from, write_only image2d_t to, read_only image2d_t other,\n"
    "    sampler_t repeat)\n"
    "{\n"
    "    const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "    if (get_global_id(0) != 0) return;\n"
    "    clk_event_t written;\n"
    "    size_t sizes[2] = {8, 4};\n"
    "    out[0] = enqueue_kernel(q, 0, ndrange_2D(sizes), ^{\n"
    "        int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "        uint4 texel = read_imageui(from, nearest, at);\n"
    "        write_imageui(to, at, texel + 1u);\n"
    "        atomic_add(out + 1, (int)(100 * read_imagef(other, repeat, (float2)(0.125f * at.x + 1, 0.25f * at.y + 1)).y));\n"
    "        enqueue_kernel(q, 0, ndrange_1D(1), ^{ atomic_add(out + 2, read_imageui(from, nearest, at).x); });\n"
    "        enqueue_kernel(q, 0, ndrange_1D(1), ^{ ^{ atomic_add(out + 3, get_image_width(to)); }(); });\n"
    "    });\n"
    "}\n"
    "kernel void pipes(queue_t q, global int *out, write_only pipe int to)\n"
    "{\n"
    "    out[0] = enqueue_kernel(q, 0, ndrange_1D(64), ^{\n"
    "        int packet = get_global_id(0);\n"
    "        atomic_add(out + 1, write_pipe(to, &packet));\n"
    "    });\n"
    "}\n"
    "kernel void drains(read_only pipe int from, global int *out)\n"
    "{\n"
    "    int packet = -1;\n"
    "    while (!read_pipe(from, &packet)) out[packet] += 1;\n"
    "}\n"
    "kernel void broken(queue_t q, global int *out)\n"
    "{\n"
    "    clk_event_t bad = create_user_event();\n"
    "    out[0] = enqueue_kernel(q, 0, ndrange_1D(1), 1, &bad, NULL, ^{ out[1] = 1; });\n"
    "    set_user_event_status(bad, -42);\n"
    "    release_event(bad);\n"
    "}\n"
    "kernel void asks(queue_t q, global uint *out)\n"
    "{\n"
    "    void (^plain)(void) = ^{ out[9] = 1; };\n"
    "    out[0] = get_kernel_work_group_size(plain);\n"
    "    out[1] = get_kernel_preferred_work_group_size_multiple(plain);\n"
    "    out[2] = get_kernel_work_group_size(^(local void *p) { out[8] = *(local int *)p; });\n"
    "    out[3] = get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(64, 32), plain);\n"
    "    out[4] = get_kernel_sub_group_count_for_ndrange(ndrange_1D(64, 32), plain);\n"
    "}\n"
    "kernel void profiled(queue_t q, global ulong *out)\n"
    "{\n"
    "    clk_event_t done;\n"
    "    enqueue_kernel(q, 0, ndrange_1D(1000), 0, NULL, &done, ^{\n"
    "        ulong sum = 0;\n"
    "        for (int k = 0; k < 1000; k++) sum += k * get_global_id(0);\n"
    "        if (sum == 1) out[9] = 1;\n"
    "    });\n"
    "    capture_event_profiling_info(done, CLK_PROFILING_COMMAND_EXEC_TIME, out);\n"
    "    enqueue_kernel(q, 0, ndrange_1D(1), 1, &done, NULL, ^{ out[2] = out[0] > 0 && out[1] >= out[0]; });\n"
    "    release_event(done);\n"
    "}\n";

static cl_program program;
static cl_command_queue of_device;
static cl_mem out;
static cl_int seen[4096];

static void clear(void)
{
    cl_int zero = 0;
    OK(clEnqueueFillBuffer(queue, out, &zero, 4, 0, sizeof seen, 0, NULL, NULL));
}

/* Runs a kernel; what its command ends with. */
static cl_int run(const char *name, int with_queue, size_t items)
{
    cl_kernel kernel = MAKES(clCreateKernel(program, name, &err));
    cl_event event = NULL;
    cl_int status = 1;
    clear();
    if (with_queue)
        OK(clSetKernelArg(kernel, 0, sizeof of_device, &of_device));
    OK(clSetKernelArg(kernel, with_queue, sizeof out, &out));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event));
    OK(clReleaseKernel(kernel));
    clWaitForEvents(1, &event);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    OK(clReleaseEvent(event));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
    return status;
}

static void CL_CALLBACK on_end(cl_event event, cl_int status, void *ended)
{
    (void)event;
    TRUE_(status == CL_COMPLETE);
    *(_Atomic int *)ended = 1;
}

/* Nobody waits, and nobody flushes the queue of the device, also when it is known how short the launches are. */
static void told(void)
{
    cl_kernel kernel = MAKES(clCreateKernel(program, "one", &err));
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    for (int i = 0; i < 50; i++) {
        size_t items = 4;
        cl_event event = NULL;
        _Atomic int ended = 0;
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, &event));
        OK(clSetEventCallback(event, CL_COMPLETE, on_end, (void *)&ended));
        OK(clFlush(queue));
        for (int ms = 0; !ended && ms < 20000; ms++)
            usleep(1000);
        TRUE_(ended);
        OK(clReleaseEvent(event));
        if (!ended)
            exit(done());
    }
    OK(clReleaseKernel(kernel));
}

static void queues(void)
{
    enum { ORDER = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE };
    cl_queue_properties in_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0};
    cl_queue_properties default_of_host[] = {CL_QUEUE_PROPERTIES, ORDER | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
    cl_queue_properties sized[] = {CL_QUEUE_PROPERTIES, ORDER | CL_QUEUE_ON_DEVICE, CL_QUEUE_SIZE, 4096, 0};
    cl_queue_properties large[] = {CL_QUEUE_PROPERTIES, ORDER | CL_QUEUE_ON_DEVICE, CL_QUEUE_SIZE, 1u << 31, 0};
    cl_queue_properties size_of_host[] = {CL_QUEUE_SIZE, 4096, 0};
    cl_queue_properties first[] = {CL_QUEUE_PROPERTIES,
        ORDER | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue got = queue;
    cl_uint number = 0;
    cl_bitfield can = 0;
    size_t one = 1;
    OK(clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof can, &can, NULL));
    TRUE_(can == (CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT));
    OK(clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, sizeof can, &can, NULL));
    TRUE_(can == (ORDER | CL_QUEUE_PROFILING_ENABLE));
    OK(clGetDeviceInfo(device, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, sizeof number, &number, NULL));
    TRUE_(number >= 256 << 10);
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_ON_DEVICE_EVENTS, sizeof number, &number, NULL));
    TRUE_(number >= 1024);
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof got, &got, NULL));
    TRUE_(got == NULL);
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, in_order, &err));
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, default_of_host, &err));
    REFUSES(CL_INVALID_VALUE, clCreateCommandQueueWithProperties(context, device, size_of_host, &err));
    REFUSES(CL_INVALID_QUEUE_PROPERTIES, clCreateCommandQueueWithProperties(context, device, large, &err));
    cl_command_queue other = MAKES(clCreateCommandQueueWithProperties(context, device, sized, &err));
    OK(clGetCommandQueueInfo(other, CL_QUEUE_SIZE, sizeof number, &number, NULL));
    TRUE_(number == 4096);
    IS(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, sizeof number, &number, NULL));
    of_device = MAKES(clCreateCommandQueueWithProperties(context, device, first, &err));
    got = MAKES(clCreateCommandQueueWithProperties(context, device, first, &err)); /* the same, retained */
    TRUE_(got == of_device);
    OK(clReleaseCommandQueue(got));
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof got, &got, NULL));
    TRUE_(got == of_device);
    OK(clSetDefaultDeviceCommandQueue(context, device, other));
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof got, &got, NULL));
    TRUE_(got == other);
    OK(clSetDefaultDeviceCommandQueue(context, device, of_device));
    IS(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, queue));
    IS(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(NULL, device, other));
    IS(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, NULL, other));
    /* The host enqueues nothing there. */
    cl_kernel kernel = MAKES(clCreateKernel(program, "deep", &err));
    IS(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(kernel, 0, sizeof queue, &queue));
    IS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &other));
    OK(clSetKernelArg(kernel, 0, sizeof other, &other));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    IS(CL_INVALID_COMMAND_QUEUE, clEnqueueNDRangeKernel(other, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    IS(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(other, out, CL_TRUE, 0, 4, seen, 0, NULL, NULL));
    IS(CL_INVALID_COMMAND_QUEUE, clFinish(other));
    IS(CL_INVALID_COMMAND_QUEUE, clFlush(other));
    OK(clReleaseKernel(kernel));
    OK(clReleaseCommandQueue(other));
}

/* Kernels of a program that was loaded from a binary, and of one that was linked of two sources with blocks. */
static void other_ways_to_build(void)
{
    static const char *const sources[] = {
        "void other(queue_t q, global int *out);\n"
        "kernel void linked(queue_t q, global int *out)\n"
        "{\n"
        "    enqueue_kernel(q, 1, ndrange_1D(3), ^{ atomic_inc(out); });\n"
        "    other(q, out);\n"
        "}\n",
        "void other(queue_t q, global int *out)\n"
        "{\n"
        "    enqueue_kernel(q, 1, ndrange_1D(5), ^{ atomic_inc(out + 1); });\n"
        "    enqueue_kernel(q, 1, ndrange_1D(7), ^{ atomic_inc(out + 2); });\n"
        "}\n"};
    cl_program parts[2], whole = program;
    for (int i = 0; i < 2; i++) {
        parts[i] = MAKES(clCreateProgramWithSource(context, 1, (const char **)&sources[i], NULL, &err));
        OK(clCompileProgram(parts[i], 0, NULL, "-cl-std=CL3.0", 0, NULL, NULL, NULL, NULL));
    }
    program = MAKES(clLinkProgram(context, 0, NULL, NULL, 2, parts, NULL, NULL, &err));
    OK(run("linked", 1, 2));
    TRUE_(seen[0] == 6 && seen[1] == 10 && seen[2] == 14);
    OK(clReleaseProgram(program));
    OK(clReleaseProgram(parts[0]));
    OK(clReleaseProgram(parts[1]));

    size_t size = 0;
    cl_int status = 1;
    OK(clGetProgramInfo(whole, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *binary = malloc(size);
    OK(clGetProgramInfo(whole, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    program = MAKES(clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&binary, &status, &err));
    OK(status);
    OK(clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
    OK(run("deep", 1, 5));
    TRUE_(seen[0] == 20 && seen[1] == 60 && seen[2] == 60);
    OK(clReleaseProgram(program));
    free(binary);
    program = whole;
}

/* A buffer lives as long as a child needs it. */
static void lives(void)
{
    size_t items = 100;
    cl_kernel kernel = MAKES(clCreateKernel(program, "one", &err));
    cl_event gate = MAKES(clCreateUserEvent(context, &err)), event = NULL;
    cl_mem shortly = MAKES(clCreateBuffer(context, 0, 400, NULL, &err));
    cl_ulong times[3];
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue timed = MAKES(clCreateCommandQueueWithProperties(context, device, list, &err));
    OK(clSetKernelArg(kernel, 0, sizeof shortly, &shortly));
    OK(clEnqueueNDRangeKernel(timed, kernel, 1, NULL, &items, NULL, 1, &gate, &event));
    OK(clReleaseMemObject(shortly));
    OK(clReleaseKernel(kernel));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clWaitForEvents(1, &event));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, 8, times, NULL));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 8, times + 1, NULL));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_COMPLETE, 8, times + 2, NULL));
    TRUE_(times[0] < times[1] && times[1] < times[2]);
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(gate));
    OK(clReleaseCommandQueue(timed));
}

/* Images, samplers and pipes in blocks; the images are released while the children wait. */
static void captures(void)
{
    cl_image_format bytes = {CL_RGBA, CL_UNSIGNED_INT8}, halves = {CL_RG, CL_UNORM_INT16};
    cl_image_desc desc = {CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4};
    cl_uchar texels[4][8][4];
    cl_ushort others[4][8][2];
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 8; x++) {
            texels[y][x][0] = (cl_uchar)(10 * y + x);
            others[y][x][1] = 65535;
        }
    cl_mem images[] = {MAKES(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &bytes, &desc, texels, &err)),
        MAKES(clCreateImage(context, 0, &bytes, &desc, NULL, &err)),
        MAKES(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &halves, &desc, others, &err))};
    cl_sampler sampler = MAKES(clCreateSampler(context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &err));
    cl_kernel kernel = MAKES(clCreateKernel(program, "pictures", &err));
    cl_event gate = MAKES(clCreateUserEvent(context, &err));
    size_t items = 4, origin[3] = {0}, region[3] = {8, 4, 1};
    clear();
    OK(clSetKernelArg(kernel, 0, sizeof of_device, &of_device));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    for (int i = 0; i < 3; i++)
        OK(clSetKernelArg(kernel, 2 + i, sizeof images[i], &images[i]));
    OK(clSetKernelArg(kernel, 5, sizeof sampler, &sampler));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 1, &gate, NULL));
    OK(clReleaseKernel(kernel));
    OK(clReleaseSampler(sampler));
    OK(clReleaseMemObject(images[0]));
    OK(clReleaseMemObject(images[2]));
    OK(clSetUserEventStatus(gate, CL_COMPLETE));
    OK(clReleaseEvent(gate));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
    TRUE_(seen[0] == 0 && seen[1] == 3200 && seen[2] == 8 * 60 + 4 * 28 && seen[3] == 32 * 8);
    OK(clEnqueueReadImage(queue, images[1], CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 8; x++)
            TRUE_(texels[y][x][0] == 10 * y + x + 1);
    OK(clReleaseMemObject(images[1]));

    cl_mem pipe = MAKES(clCreatePipe(context, 0, sizeof(cl_int), 64, NULL, &err));
    cl_kernel drains = MAKES(clCreateKernel(program, "drains", &err));
    kernel = MAKES(clCreateKernel(program, "pipes", &err));
    size_t one = 1;
    clear();
    OK(clSetKernelArg(kernel, 0, sizeof of_device, &of_device));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    OK(clSetKernelArg(kernel, 2, sizeof pipe, &pipe));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
    TRUE_(seen[0] == 0 && seen[1] == 0);
    clear();
    OK(clSetKernelArg(drains, 0, sizeof pipe, &pipe));
    OK(clSetKernelArg(drains, 1, sizeof out, &out));
    OK(clEnqueueNDRangeKernel(queue, drains, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
    for (int i = 0; i < 64; i++)
        TRUE_(seen[i] == 1);
    OK(clReleaseKernel(drains));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(pipe));
}

/* A kernel that enqueues kernels in a command buffer: the next command waits for its children, each time. */
static void recorded(void)
{
#define FUNCTION(name, ...)                                                                                   \
    cl_int(CL_API_CALL *name##_)(__VA_ARGS__) = clGetExtensionFunctionAddressForPlatform(platform, #name); \
    TRUE_(name##_ != NULL)
    void *(CL_API_CALL *create)(cl_uint, const cl_command_queue *, const cl_properties *, cl_int *) =
        clGetExtensionFunctionAddressForPlatform(platform, "clCreateCommandBufferKHR");
    FUNCTION(clFinalizeCommandBufferKHR, void *);
    FUNCTION(clReleaseCommandBufferKHR, void *);
    FUNCTION(clEnqueueCommandBufferKHR, cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *, cl_event *);
    FUNCTION(clCommandNDRangeKernelKHR, void *, cl_command_queue, const cl_properties *, cl_kernel, cl_uint, const size_t *,
        const size_t *, const size_t *, cl_uint, const cl_uint *, cl_uint *, void **);
    FUNCTION(clCommandCopyBufferKHR, void *, cl_command_queue, const cl_properties *, cl_mem, cl_mem, size_t, size_t, size_t,
        cl_uint, const cl_uint *, cl_uint *, void **);
    cl_queue_properties loose[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    size_t items = 5;
    for (int in_order = 0; in_order < 2; in_order++) {
        cl_command_queue q = MAKES(clCreateCommandQueueWithProperties(context, device, in_order ? NULL : loose, &err));
        cl_kernel kernel = MAKES(clCreateKernel(program, "deep", &err));
        cl_mem copy = MAKES(clCreateBuffer(context, 0, 12, NULL, &err));
        void *buffer = MAKES(create(1, &q, NULL, &err));
        cl_uint point = 0;
        cl_int got[3];
        clear();
        OK(clFinish(queue));
        OK(clSetKernelArg(kernel, 0, sizeof of_device, &of_device));
        OK(clSetKernelArg(kernel, 1, sizeof out, &out));
        OK(clCommandNDRangeKernelKHR_(buffer, NULL, NULL, kernel, 1, NULL, &items, NULL, 0, NULL, &point, NULL));
        OK(clCommandCopyBufferKHR_(buffer, NULL, NULL, out, copy, 0, 0, 12, 1, &point, NULL, NULL));
        OK(clReleaseKernel(kernel));
        OK(clFinalizeCommandBufferKHR_(buffer));
        for (int round = 1; round < 4; round++) {
            cl_event event;
            OK(clEnqueueCommandBufferKHR_(0, NULL, buffer, 0, NULL, &event));
            OK(clEnqueueReadBuffer(queue, copy, CL_TRUE, 0, 12, got, 1, &event, NULL));
            TRUE_(got[0] == 20 * round && got[1] == 60 * round && got[2] == 60 * round);
            OK(clReleaseEvent(event));
        }
        OK(clReleaseCommandBufferKHR_(buffer));
        OK(clReleaseMemObject(copy));
        OK(clReleaseCommandQueue(q));
    }
}

int main(void)
{
    set_up();
    program = MAKES(clCreateProgramWithSource(context, 1, &source, NULL, &err));
    cl_int built = clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL);
    if (built != CL_SUCCESS) {
        static char log[1 << 16];
        OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
        printf("%s\n", log);
    }
    OK(built);
    size_t kernels = 0;
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL));
    TRUE_(kernels == 13);
    out = MAKES(clCreateBuffer(context, 0, sizeof seen, NULL, &err));
    OK(run("called", 0, 100));
    for (int i = 0; i < 100; i++)
        TRUE_(seen[i] == 0);
    OK(run("one", 0, 100)); /* there is no default queue yet */
    for (int i = 0; i < 100; i++)
        TRUE_(seen[i] == -101);
    queues();
    for (size_t items = 1; items <= 1000; items *= 10) {
        OK(run("one", 0, items));
        for (size_t i = 0; i < items; i++)
            TRUE_(seen[i] == 21);
    }
    told();
    OK(run("ranges", 1, 4));
    TRUE_(seen[3] == 0 && seen[0] == 20 * 5 + 190 && seen[2] == 24 * 302);
    TRUE_(seen[1] == 24 * 1000 + 6 * (1 + 2 + 3 + 4) + 10 * 4 * (2 + 3 + 4 + 5 + 6 + 7));
    OK(run("locals", 1, 20));
    for (int i = 0; i < 20; i++)
        TRUE_(seen[i] == 120 * i + 120);
    OK(run("deep", 1, 5));
    TRUE_(seen[0] == 20 && seen[1] == 60 && seen[2] == 60);
    OK(run("chain", 1, 1));
    TRUE_(seen[3] == 0 && seen[0] == 64 && seen[1] == 64 && seen[2] == 65);
    OK(run("fails", 1, 1));
    for (int i = 0; i < 6; i++)
        TRUE_(seen[i] == -101);
    TRUE_(seen[6] == -101 && seen[9] == 0);
    IS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, run("broken", 1, 1));
    TRUE_(seen[0] == 0 && seen[1] == 0);
    OK(run("asks", 1, 1));
    TRUE_(seen[0] >= 256 && seen[1] >= 1 && seen[2] == seen[0] && seen[3] >= 4 && seen[4] * seen[3] >= 32 && seen[9] == 0);
    OK(run("profiled", 1, 1));
    TRUE_(((cl_ulong *)seen)[2] == 1);
    lives();
    captures();
    recorded();
    other_ways_to_build();
    OK(clReleaseMemObject(out));
    OK(clReleaseCommandQueue(of_device));
    OK(clReleaseProgram(program));
    tear_down();
    return done();
}
