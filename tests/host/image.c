/* Images and samplers: creating them, what is wrong with them, every command, and kernels that use them. */
#include "check.h"

static const cl_image_format RGBA8 = {CL_RGBA, CL_UNORM_INT8};

static cl_image_desc shape(cl_mem_object_type kind, size_t w, size_t h, size_t d, size_t layers)
{
    cl_image_desc desc = {.image_type = kind, .image_width = w, .image_height = h, .image_depth = d};
    desc.image_array_size = layers;
    return desc;
}

static size_t number(cl_mem image, cl_image_info name)
{
    size_t value = 99;
    OK(clGetImageInfo(image, name, sizeof value, &value, NULL));
    return value;
}

static void formats(void)
{
    cl_image_format list[256];
    cl_uint count = 0, again = 0, both = 0;
    OK(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count));
    TRUE_(count > 40 && count < 256);
    OK(clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 256, list, &again));
    TRUE_(again == count);
    OK(clGetSupportedImageFormats(context, CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &both));
    TRUE_(both == count);
    /* Each can be made, and only those. */
    cl_image_desc desc = shape(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0);
    for (cl_uint n = 0; n < count; n++) {
        cl_mem image = MAKES(clCreateImage(context, 0, &list[n], &desc, NULL, &err));
        OK(clReleaseMemObject(image));
    }
    cl_image_format packed = {CL_RGB, CL_FLOAT}, none = {0, CL_FLOAT}, clash = {CL_R, CL_UNORM_SHORT_565};
    REFUSES(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage(context, 0, &packed, &desc, NULL, &err));
    REFUSES(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, &none, &desc, NULL, &err));
    REFUSES(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, &clash, &desc, NULL, &err));
    REFUSES(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, NULL, &desc, NULL, &err));
    IS(CL_INVALID_VALUE, clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_BUFFER, 0, NULL, &count));
    IS(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, list, &count));
    IS(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 1 << 20, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count));
}

static void creation(void)
{
    unsigned char host[4 * 8 * 8] = {0};
    cl_image_desc desc = shape(CL_MEM_OBJECT_IMAGE2D, 8, 8, 0, 0), bad;
    size_t limit;
    cl_mem_properties none[] = {0}, some[] = {1, 2, 0};
    OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE2D_MAX_WIDTH, sizeof limit, &limit, NULL));
    REFUSES(CL_INVALID_CONTEXT, clCreateImage(NULL, 0, &RGBA8, &desc, NULL, &err));
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &RGBA8, NULL, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &RGBA8, &desc, NULL, &err));
    REFUSES(CL_INVALID_HOST_PTR, clCreateImage(context, CL_MEM_USE_HOST_PTR, &RGBA8, &desc, NULL, &err));
    REFUSES(CL_INVALID_HOST_PTR, clCreateImage(context, 0, &RGBA8, &desc, host, &err));
    REFUSES(CL_INVALID_PROPERTY, clCreateImageWithProperties(context, some, 0, &RGBA8, &desc, NULL, &err));
    bad = shape(CL_MEM_OBJECT_IMAGE2D, limit + 1, 1, 0, 0);
    REFUSES(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &RGBA8, &bad, NULL, &err));
    bad = shape(CL_MEM_OBJECT_IMAGE3D, 4, 4, 0, 0);
    REFUSES(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &RGBA8, &bad, NULL, &err));
    bad = shape(CL_MEM_OBJECT_IMAGE2D_ARRAY, 4, 4, 0, 0);
    REFUSES(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &RGBA8, &bad, NULL, &err));
    bad = shape(CL_MEM_OBJECT_BUFFER, 4, 4, 0, 0);
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &RGBA8, &bad, NULL, &err));
    bad = shape(CL_MEM_OBJECT_IMAGE1D_BUFFER, 4, 0, 0, 0);
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &RGBA8, &bad, NULL, &err));
    bad = desc;
    bad.num_mip_levels = 1;
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &RGBA8, &bad, NULL, &err));
    bad = desc;
    bad.image_row_pitch = 32;
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &RGBA8, &bad, NULL, &err));
    bad.image_row_pitch = 31;
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, CL_MEM_COPY_HOST_PTR, &RGBA8, &bad, host, &err));
    bad.image_row_pitch = 34;
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, CL_MEM_COPY_HOST_PTR, &RGBA8, &bad, host, &err));

    cl_image_format format;
    cl_mem_object_type type;
    cl_mem image = MAKES(clCreateImageWithProperties(context, none, CL_MEM_READ_ONLY, &RGBA8, &desc, NULL, &err));
    OK(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, NULL));
    TRUE_(format.image_channel_order == CL_RGBA && format.image_channel_data_type == CL_UNORM_INT8);
    OK(clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL));
    TRUE_(type == CL_MEM_OBJECT_IMAGE2D);
    TRUE_(number(image, CL_IMAGE_ELEMENT_SIZE) == 4 && number(image, CL_IMAGE_WIDTH) == 8);
    TRUE_(number(image, CL_IMAGE_HEIGHT) == 8 && number(image, CL_IMAGE_DEPTH) == 0);
    TRUE_(number(image, CL_IMAGE_ROW_PITCH) == 32 && number(image, CL_IMAGE_SLICE_PITCH) == 0);
    TRUE_(number(image, CL_IMAGE_ARRAY_SIZE) == 0);
    IS(CL_INVALID_VALUE, clGetImageInfo(image, CL_IMAGE_WIDTH, 1, host, NULL));
    IS(CL_INVALID_VALUE, clGetImageInfo(image, 0x9999, 8, host, NULL));
    REFUSES(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(image, 0, CL_BUFFER_CREATE_TYPE_REGION, &(cl_buffer_region){0, 4}, &err));
    OK(clReleaseMemObject(image));
    image = MAKES(clCreateImage2D(context, 0, &RGBA8, 3, 5, 0, NULL, &err));
    TRUE_(number(image, CL_IMAGE_WIDTH) == 3 && number(image, CL_IMAGE_HEIGHT) == 5);
    OK(clReleaseMemObject(image));
    image = MAKES(clCreateImage3D(context, 0, &RGBA8, 3, 5, 2, 0, 0, NULL, &err));
    TRUE_(number(image, CL_IMAGE_DEPTH) == 2 && number(image, CL_IMAGE_SLICE_PITCH) == 60);
    OK(clReleaseMemObject(image));
}

/* Rows of the host's memory with gaps: used in place, or copied without them. */
static void host_memory(void)
{
    static unsigned char host[64 * 4], seen[16 * 4];
    size_t origin[3] = {0}, region[3] = {4, 4, 1};
    cl_image_desc desc = shape(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0);
    desc.image_row_pitch = 64;
    for (int n = 0; n < 256; n++)
        host[n] = (unsigned char)n;
    cl_mem in_place = MAKES(clCreateImage(context, CL_MEM_USE_HOST_PTR, &RGBA8, &desc, host, &err));
    cl_mem copied = MAKES(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &RGBA8, &desc, host, &err));
    TRUE_(number(in_place, CL_IMAGE_ROW_PITCH) == 64);
    TRUE_(number(copied, CL_IMAGE_ROW_PITCH) == 16);
    for (int which = 0; which < 2; which++) {
        memset(seen, 0xee, sizeof seen);
        OK(clEnqueueReadImage(queue, which ? copied : in_place, CL_TRUE, origin, region, 0, 0, seen, 0, NULL, NULL));
        for (int y = 0; y < 4; y++)
            TRUE_(memcmp(seen + 16 * y, host + 64 * y, 16) == 0);
    }
    size_t pitch = 0;
    void *mapped = clEnqueueMapImage(queue, in_place, CL_TRUE, CL_MAP_WRITE, origin, region, &pitch, NULL, 0, NULL, NULL, &err);
    TRUE_(err == CL_SUCCESS && mapped == host && pitch == 64);
    OK(clEnqueueUnmapMemObject(queue, in_place, mapped, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(in_place));
    OK(clReleaseMemObject(copied));
}

static void commands(void)
{
    cl_image_desc flat = shape(CL_MEM_OBJECT_IMAGE2D, 8, 4, 0, 0);
    cl_image_desc layered = shape(CL_MEM_OBJECT_IMAGE2D_ARRAY, 8, 4, 0, 3);
    cl_image_desc line = shape(CL_MEM_OBJECT_IMAGE1D_ARRAY, 8, 0, 0, 4);
    cl_image_format r32 = {CL_R, CL_UNSIGNED_INT32}, float1 = {CL_R, CL_FLOAT};
    size_t zero[3] = {0}, all[3] = {8, 4, 1}, part[3] = {2, 2, 1}, at[3] = {1, 1, 0}, layer[3] = {0, 0, 2};
    size_t deep[3] = {8, 4, 3}, empty[3] = {0, 1, 1}, beyond[3] = {7, 0, 0};
    cl_uint host[96], seen[96], color[4] = {7, 8, 9, 10};
    for (cl_uint n = 0; n < 96; n++)
        host[n] = n;
    cl_mem a = MAKES(clCreateImage(context, 0, &r32, &flat, NULL, &err));
    cl_mem b = MAKES(clCreateImage(context, 0, &r32, &layered, NULL, &err));
    cl_mem c = MAKES(clCreateImage(context, 0, &r32, &line, NULL, &err));
    cl_mem other = MAKES(clCreateImage(context, 0, &float1, &flat, NULL, &err));
    cl_mem buffer = MAKES(clCreateBuffer(context, 0, sizeof host, NULL, &err));

    OK(clEnqueueWriteImage(queue, a, CL_TRUE, zero, all, 0, 0, host, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, a, CL_TRUE, at, part, 12, 0, seen, 0, NULL, NULL));
    TRUE_(seen[0] == 9 && seen[1] == 10 && seen[3] == 17 && seen[4] == 18);
    OK(clEnqueueWriteImage(queue, b, CL_TRUE, zero, deep, 0, 0, host, 0, NULL, NULL));
    OK(clEnqueueCopyImage(queue, b, a, layer, zero, all, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, a, CL_TRUE, zero, all, 0, 0, seen, 0, NULL, NULL));
    TRUE_(memcmp(seen, host + 64, 128) == 0);
    /* The layers of lines are rows to a flat image. */
    OK(clEnqueueCopyImage(queue, a, c, zero, zero, all, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, c, CL_TRUE, zero, all, 0, 0, seen, 0, NULL, NULL));
    TRUE_(memcmp(seen, host + 64, 128) == 0);
    OK(clEnqueueFillImage(queue, b, color, layer, all, 0, NULL, NULL));
    OK(clEnqueueCopyImageToBuffer(queue, b, buffer, zero, deep, 0, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
    TRUE_(memcmp(seen, host, 256) == 0 && seen[64] == 7 && seen[95] == 7);
    OK(clEnqueueCopyBufferToImage(queue, buffer, a, 16, at, part, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, a, CL_TRUE, at, part, 0, 0, seen, 0, NULL, NULL));
    TRUE_(seen[0] == 4 && seen[1] == 5 && seen[2] == 6 && seen[3] == 7);

    IS(CL_INVALID_MEM_OBJECT, clEnqueueReadImage(queue, buffer, CL_TRUE, zero, all, 0, 0, seen, 0, NULL, NULL));
    IS(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 4, seen, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueReadImage(queue, a, CL_TRUE, zero, deep, 0, 0, seen, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueReadImage(queue, a, CL_TRUE, zero, empty, 0, 0, seen, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueReadImage(queue, a, CL_TRUE, beyond, part, 0, 0, seen, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueReadImage(queue, a, CL_TRUE, zero, all, 4, 0, seen, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueReadImage(queue, a, CL_TRUE, zero, all, 0, 0, NULL, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueReadImage(queue, a, CL_TRUE, NULL, all, 0, 0, seen, 0, NULL, NULL));
    IS(CL_IMAGE_FORMAT_MISMATCH, clEnqueueCopyImage(queue, a, other, zero, zero, all, 0, NULL, NULL));
    IS(CL_MEM_COPY_OVERLAP, clEnqueueCopyImage(queue, a, a, zero, at, part, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueCopyImageToBuffer(queue, b, buffer, zero, deep, 4, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueFillImage(queue, a, NULL, zero, all, 0, NULL, NULL));

    size_t row = 0, slice = 99;
    REFUSES(CL_INVALID_VALUE, clEnqueueMapImage(queue, a, CL_TRUE, CL_MAP_READ, zero, all, NULL, NULL, 0, NULL, NULL, &err));
    REFUSES(CL_INVALID_VALUE, clEnqueueMapImage(queue, b, CL_TRUE, CL_MAP_READ, zero, deep, &row, NULL, 0, NULL, NULL, &err));
    cl_uint *one = clEnqueueMapImage(queue, a, CL_TRUE, CL_MAP_WRITE, at, part, &row, &slice, 0, NULL, NULL, &err);
    TRUE_(err == CL_SUCCESS && one[0] == 4 && row == 32 && slice == 0);
    /* Regions side by side do not overlap, though their bytes are between each other. */
    size_t beside[3] = {4, 1, 0};
    cl_uint *two = clEnqueueMapImage(queue, a, CL_TRUE, CL_MAP_WRITE, beside, part, &row, NULL, 0, NULL, NULL, &err);
    TRUE_(err == CL_SUCCESS && two == one + 3);
    REFUSES(CL_INVALID_OPERATION,
            clEnqueueMapImage(queue, a, CL_TRUE, CL_MAP_WRITE, at, part, &row, NULL, 0, NULL, NULL, &err));
    OK(clEnqueueUnmapMemObject(queue, a, one, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, a, two, 0, NULL, NULL));
    IS(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, a, two, 0, NULL, NULL));
    OK(clFinish(queue));
    cl_mem all_objects[] = {a, b, c, other, buffer};
    for (int n = 0; n < 5; n++)
        OK(clReleaseMemObject(all_objects[n]));
}

static void samplers(void)
{
    cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    cl_sampler_properties seen[8];
    cl_addressing_mode mode = 0;
    size_t size = 0;
    REFUSES(CL_INVALID_VALUE, clCreateSampler(context, 0, 1, CL_FILTER_NEAREST, &err));
    REFUSES(CL_INVALID_VALUE, clCreateSampler(context, 0, CL_ADDRESS_CLAMP, 1, &err));
    REFUSES(CL_INVALID_VALUE, clCreateSampler(context, 2, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err));
    REFUSES(CL_INVALID_CONTEXT, clCreateSampler(NULL, 0, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err));
    REFUSES(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, twice, &err));
    cl_sampler sampler = MAKES(clCreateSamplerWithProperties(context, list, &err));
    OK(clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof mode, &mode, NULL));
    TRUE_(mode == CL_ADDRESS_CLAMP);
    OK(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof seen, seen, &size));
    TRUE_(size == sizeof list && memcmp(seen, list, size) == 0);
    IS(CL_INVALID_VALUE, clGetSamplerInfo(sampler, 0x9999, sizeof seen, seen, NULL));
    OK(clRetainSampler(sampler));
    OK(clReleaseSampler(sampler));
    OK(clReleaseSampler(sampler));
    IS(CL_INVALID_SAMPLER, clReleaseSampler(sampler));
}

static const char *SOURCE =
    "kernel void half_size(read_only image2d_t from, write_only image2d_t to, sampler_t sampler)\n"
    "{\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    float2 place = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(to));\n"
    "    write_imagef(to, at, read_imagef(from, sampler, place));\n"
    "}\n"
    "kernel void depth(read_only image2d_depth_t from, global float *to)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    to[i] = read_imagef(from, (int2)(i % 4, i / 4));\n"
    "}\n"
    "kernel void line(read_only image1d_buffer_t from, global int *to)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    to[i] = read_imagei(from, i).x;\n"
    "}\n";

static void kernels(void)
{
    cl_program program = MAKES(clCreateProgramWithSource(context, 1, &SOURCE, NULL, &err));
    OK(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
    cl_kernel kernel = MAKES(clCreateKernel(program, "half_size", &err));
    cl_image_desc large = shape(CL_MEM_OBJECT_IMAGE2D, 32, 16, 0, 0), small = shape(CL_MEM_OBJECT_IMAGE2D, 16, 8, 0, 0);
    cl_image_desc line = shape(CL_MEM_OBJECT_IMAGE1D, 16, 0, 0, 0);
    size_t zero[3] = {0}, region[3] = {32, 16, 1}, half[3] = {16, 8, 1}, global[2] = {16, 8};
    static unsigned char texels[32 * 16 * 4], seen[16 * 8 * 4];
    static float floats[32 * 16 * 4], seen_floats[16 * 8 * 4];
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 32; x++)
            for (int n = 0; n < 4; n++)
                floats[(y * 32 + x) * 4 + n] = texels[(y * 32 + x) * 4 + n] = (unsigned char)(2 * x + 4 * y + n);
    cl_sampler linear = MAKES(clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, &err));
    cl_image_format rgba32 = {CL_RGBA, CL_FLOAT};
    cl_mem from = MAKES(clCreateImage(context, CL_MEM_READ_ONLY, &RGBA8, &large, NULL, &err));
    cl_mem to = MAKES(clCreateImage(context, CL_MEM_WRITE_ONLY, &RGBA8, &small, NULL, &err));
    cl_mem from_floats = MAKES(clCreateImage(context, CL_MEM_READ_ONLY, &rgba32, &large, NULL, &err));
    cl_mem to_floats = MAKES(clCreateImage(context, CL_MEM_WRITE_ONLY, &rgba32, &small, NULL, &err));
    cl_mem flat = MAKES(clCreateImage(context, 0, &RGBA8, &line, NULL, &err));
    cl_mem buffer = MAKES(clCreateBuffer(context, 0, 64, NULL, &err));

    IS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &from));
    IS(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    IS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof to, &to));
    IS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 1, sizeof from, &from));
    IS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof flat, &flat));
    IS(CL_INVALID_SAMPLER, clSetKernelArg(kernel, 2, sizeof buffer, &buffer));
    IS(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 4, &linear));
    OK(clSetKernelArg(kernel, 0, sizeof from, &from));
    OK(clSetKernelArg(kernel, 1, sizeof to, &to));
    IS(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 2, sizeof linear, &linear));
    cl_kernel_arg_access_qualifier access;
    OK(clGetKernelArgInfo(kernel, 1, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access, NULL));
    TRUE_(access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
    char name[32];
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
    TRUE_(strcmp(name, "image2d_t") == 0);

    OK(clEnqueueWriteImage(queue, from, CL_FALSE, zero, region, 0, 0, texels, 0, NULL, NULL));
    OK(clEnqueueWriteImage(queue, from_floats, CL_FALSE, zero, region, 0, 0, floats, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, to, CL_TRUE, zero, half, 0, 0, seen, 0, NULL, NULL));
    /* The same kernel on other formats. */
    OK(clSetKernelArg(kernel, 0, sizeof from_floats, &from_floats));
    OK(clSetKernelArg(kernel, 1, sizeof to_floats, &to_floats));
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, to_floats, CL_TRUE, zero, half, 0, 0, seen_floats, 0, NULL, NULL));
    int wrong = 0;
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 16; x++)
            for (int n = 0; n < 4; n++) {
                int want = 4 * x + 1 + 8 * y + 2 + n, at = (y * 16 + x) * 4 + n;
                float off = seen_floats[at] - want;
                wrong += seen[at] != want || off > 1e-4f || off < -1e-4f;
            }
    TRUE_(wrong == 0);
    OK(clReleaseKernel(kernel));

    /* A buffer as an image. */
    kernel = MAKES(clCreateKernel(program, "line", &err));
    cl_image_desc on_buffer = shape(CL_MEM_OBJECT_IMAGE1D_BUFFER, 8, 0, 0, 0);
    on_buffer.buffer = buffer;
    cl_image_format shorts = {CL_RG, CL_SIGNED_INT16};
    cl_mem view = MAKES(clCreateImage(context, CL_MEM_READ_ONLY, &shorts, &on_buffer, NULL, &err));
    cl_mem result = MAKES(clCreateBuffer(context, 0, 32, NULL, &err));
    cl_mem parent;
    OK(clGetImageInfo(view, CL_IMAGE_BUFFER, sizeof parent, &parent, NULL));
    TRUE_(parent == buffer);
    /* The pitch of its only row is checked, but makes no difference. */
    on_buffer.image_row_pitch = 48;
    cl_mem pitched = MAKES(clCreateImage(context, CL_MEM_READ_ONLY, &shorts, &on_buffer, NULL, &err));
    OK(clReleaseMemObject(pitched));
    on_buffer.image_row_pitch = 28;
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &shorts, &on_buffer, NULL, &err));
    on_buffer.image_row_pitch = 0;
    on_buffer.image_width = 17;
    REFUSES(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &shorts, &on_buffer, NULL, &err));
    cl_short values[32];
    cl_int found[8];
    for (int n = 0; n < 32; n++)
        values[n] = (cl_short)(-100 * n);
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 64, values, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof view, &view));
    OK(clSetKernelArg(kernel, 1, sizeof result, &result));
    size_t eight = 8;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &eight, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, result, CL_TRUE, 0, sizeof found, found, 0, NULL, NULL));
    for (int n = 0; n < 8; n++)
        TRUE_(found[n] == -200 * n);
    OK(clReleaseMemObject(view));
    OK(clReleaseKernel(kernel));

    /* Rows of a buffer as an image, and that image as one of another order. */
    cl_image_desc rows = shape(CL_MEM_OBJECT_IMAGE2D, 3, 4, 0, 0);
    rows.buffer = buffer;
    rows.image_row_pitch = 16;
    cl_image_format depth32 = {CL_DEPTH, CL_FLOAT}, r32 = {CL_R, CL_FLOAT};
    view = MAKES(clCreateImage(context, 0, &r32, &rows, NULL, &err));
    TRUE_(number(view, CL_IMAGE_ROW_PITCH) == 16);
    rows.buffer = view;
    rows.image_row_pitch = 0;
    REFUSES(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, &RGBA8, &rows, NULL, &err));
    cl_mem as_depth = MAKES(clCreateImage(context, 0, &depth32, &rows, NULL, &err));
    kernel = MAKES(clCreateKernel(program, "depth", &err));
    IS(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof view, &view));
    OK(clSetKernelArg(kernel, 0, sizeof as_depth, &as_depth));
    OK(clSetKernelArg(kernel, 1, sizeof result, &result));
    float depths[16], read[8];
    for (int n = 0; n < 16; n++)
        depths[n] = n / 16.0f;
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 64, depths, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &eight, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, result, CL_TRUE, 0, sizeof read, read, 0, NULL, NULL));
    for (int n = 0; n < 8; n++)
        TRUE_(n % 4 == 3 || read[n] == n / 16.0f);

    cl_mem objects[] = {as_depth, view, from, to, from_floats, to_floats, flat, buffer, result};
    for (int n = 0; n < 9; n++)
        OK(clReleaseMemObject(objects[n]));
    OK(clReleaseSampler(linear));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

int main(void)
{
    cl_bool supported = CL_FALSE;
    set_up();
    OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof supported, &supported, NULL));
    TRUE_(supported);
    formats();
    creation();
    host_memory();
    commands();
    samplers();
    kernels();
    tear_down();
    return done();
}
