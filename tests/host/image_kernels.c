/* Images of every kind, order and type in kernels: what a kernel writes stands in the host's memory as the commands would
 * leave it, in place and between gaps; what it reads is what was written. */
#include "check.h"
#include <math.h>

static cl_program program;

static const char *SOURCE =
    "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
    "kernel void colour_f(write_only image2d_t to, read_only image2d_t from, float4 color, global float4 *seen)\n"
    "{\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imagef(to, at, color);\n"
    "    seen[at.y * get_global_size(0) + at.x] = read_imagef(from, at);\n"
    "}\n"
    "kernel void colour_i(write_only image2d_t to, read_only image2d_t from, int4 color, global int4 *seen)\n"
    "{\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imagei(to, at, color);\n"
    "    seen[at.y * get_global_size(0) + at.x] = read_imagei(from, at);\n"
    "}\n"
    "kernel void colour_u(write_only image2d_t to, read_only image2d_t from, uint4 color, global uint4 *seen)\n"
    "{\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imageui(to, at, color);\n"
    "    seen[at.y * get_global_size(0) + at.x] = read_imageui(from, at);\n"
    "}\n"
    "kernel void colour_d(write_only image2d_depth_t to, read_only image2d_depth_t from, float4 color, global float4 *seen)\n"
    "{\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imagef(to, at, color.x);\n"
    "    seen[at.y * get_global_size(0) + at.x] = (float4)(read_imagef(from, at), 0, 0, 1);\n"
    "}\n"
    "#define X get_global_id(0)\n"
    "#define Y get_global_id(1)\n"
    "#define Z get_global_id(2)\n"
    "#define N (uint4)(X + 100 * Y + 10000 * Z)\n"
    "kernel void kind_1d(read_write image1d_t a) { write_imageui(a, X, read_imageui(a, (int)X) + N); }\n"
    "kernel void kind_1db(read_write image1d_buffer_t a) { write_imageui(a, X, read_imageui(a, (int)X) + N); }\n"
    "kernel void kind_1da(read_write image1d_array_t a)\n"
    "{ write_imageui(a, (int2)(X, Y), read_imageui(a, (int2)(X, Y)) + N); }\n"
    "kernel void kind_2d(read_write image2d_t a)\n"
    "{ write_imageui(a, (int2)(X, Y), read_imageui(a, (int2)(X, Y)) + N); }\n"
    "kernel void kind_2da(read_write image2d_array_t a)\n"
    "{ write_imageui(a, (int4)(X, Y, Z, 0), read_imageui(a, (int4)(X, Y, Z, 0)) + N); }\n"
    "kernel void kind_3d(read_write image3d_t a)\n"
    "{ write_imageui(a, (int4)(X, Y, Z, 0), read_imageui(a, (int4)(X, Y, Z, 0)) + N); }\n"
    "kernel void sample(read_only image3d_t from, sampler_t sampler, global const float *places, global float *to)\n"
    "{\n"
    "    float4 at = (float4)(places[3 * X], places[3 * X + 1], places[3 * X + 2], 0);\n"
    "    to[X] = read_imagef(from, sampler, at).x;\n"
    "}\n"
    "kernel void view(read_only image2d_t as_srgb, read_only image2d_t plain, global float4 *to)\n"
    "{\n"
    "    int2 at = (int2)(X, 0);\n"
    "    to[2 * X] = read_imagef(as_srgb, at);\n"
    "    to[2 * X + 1] = read_imagef(plain, at);\n"
    "}\n";

static cl_image_desc shape(cl_mem_object_type kind, size_t w, size_t h, size_t d, size_t layers)
{
    cl_image_desc desc = {.image_type = kind, .image_width = w, .image_height = h, .image_depth = d};
    desc.image_array_size = layers;
    return desc;
}

static int is_float(cl_channel_type type)
{
    return type < CL_SIGNED_INT8 || type > CL_UNSIGNED_INT32;
}

static int is_signed(cl_channel_type type)
{
    return type >= CL_SIGNED_INT8 && type <= CL_SIGNED_INT32;
}

/* What is read where `color` was written (OpenCL API, table of channel orders): components that memory does not hold. */
static void as_read(cl_channel_order order, const double color[4], double out[4])
{
    double r = color[0], g = color[1], b = color[2], a = color[3];
    double rgba[4] = {r, g, b, a};
    switch (order) {
    case CL_R: case CL_DEPTH: rgba[1] = rgba[2] = 0, rgba[3] = 1; break;
    case CL_A: rgba[0] = rgba[1] = rgba[2] = 0; break;
    case CL_RG: rgba[2] = 0, rgba[3] = 1; break;
    case CL_RA: rgba[1] = rgba[2] = 0; break;
    case CL_RGB: rgba[3] = 1; break;
    case CL_INTENSITY: rgba[1] = rgba[2] = rgba[3] = r; break;
    case CL_LUMINANCE: rgba[1] = rgba[2] = r, rgba[3] = 1; break;
    }
    memcpy(out, rgba, sizeof rgba);
}

/* Half a step of the type, and what the sRGB curve makes of it. */
static double tolerance(const cl_image_format *format)
{
    if (format->image_channel_order == CL_sRGBA || format->image_channel_order == CL_sBGRA)
        return 0.006;
    switch (format->image_channel_data_type) {
    case CL_UNORM_INT8: return 0.5 / 255 + 1e-6;
    case CL_SNORM_INT8: return 0.5 / 127 + 1e-6;
    case CL_UNORM_INT16: case CL_SNORM_INT16: return 0.5 / 32767 + 1e-6;
    case CL_UNORM_SHORT_565: case CL_UNORM_SHORT_555: return 0.5 / 31 + 1e-6;
    case CL_UNORM_INT_101010: return 0.5 / 1023 + 1e-6;
    case CL_UNORM_INT_101010_2: return 0.5 / 3 + 1e-6;
    case CL_HALF_FLOAT: return 0.5 / 1024;
    default: return 0;
    }
}

/* One format: a kernel's write and clEnqueueFillImage leave the same bytes, and a kernel reads what it should. */
static void one_format(const cl_image_format *format)
{
    enum { W = 5, H = 3, GAP = 16 };
    static unsigned char host[H * (W * 16 + 4 * GAP)];
    const cl_channel_type type = format->image_channel_data_type;
    const int depth = format->image_channel_order == CL_DEPTH;
    const double color[4] = {0.25, 0.625, 0.875, 0.75}, whole[4] = {7, 100, 3, 55};
    cl_float floats[4], seen_floats[4 * W * H];
    cl_int ints[4];
    for (int n = 0; n < 4; n++)
        floats[n] = (cl_float)color[n], ints[n] = (cl_int)(is_signed(type) && n == 1 ? -whole[n] : whole[n]);
    size_t zero[3] = {0}, region[3] = {W, H, 1}, global[2] = {W, H}, element = 0;
    cl_image_desc desc = shape(CL_MEM_OBJECT_IMAGE2D, W, H, 0, 0);
    cl_mem from = MAKES(clCreateImage(context, 0, format, &desc, NULL, &err));
    OK(clGetImageInfo(from, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL));
    const size_t pitch = W * element + GAP * (element > GAP ? 2 : 1);
    desc.image_row_pitch = pitch;
    memset(host, 0xcd, sizeof host);
    cl_mem to = MAKES(clCreateImage(context, CL_MEM_USE_HOST_PTR, format, &desc, host, &err));
    cl_mem seen = MAKES(clCreateBuffer(context, 0, sizeof seen_floats, NULL, &err));
    const char *name = depth ? "colour_d" : is_float(type) ? "colour_f" : is_signed(type) ? "colour_i" : "colour_u";
    cl_kernel kernel = MAKES(clCreateKernel(program, name, &err));
    const void *given = is_float(type) ? (const void *)floats : (const void *)ints;
    OK(clEnqueueFillImage(queue, from, given, zero, region, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof to, &to));
    OK(clSetKernelArg(kernel, 1, sizeof from, &from));
    OK(clSetKernelArg(kernel, 2, 16, given));
    OK(clSetKernelArg(kernel, 3, sizeof seen, &seen));
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, NULL, 0, NULL, NULL));
    unsigned char filled[W * H * 16];
    OK(clEnqueueReadImage(queue, from, CL_TRUE, zero, region, 0, 0, filled, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, seen, CL_TRUE, 0, sizeof seen_floats, seen_floats, 0, NULL, NULL));
    size_t row;
    void *mapped = clEnqueueMapImage(queue, to, CL_TRUE, CL_MAP_READ, zero, region, &row, NULL, 0, NULL, NULL, &err);
    TRUE_(err == CL_SUCCESS && mapped == host && row == pitch);
    int bytes = 1, gaps = 1;
    for (int y = 0; y < H; y++) {
        bytes &= memcmp(host + y * pitch, filled + y * W * element, W * element) == 0;
        for (size_t n = W * element; y < H - 1 && n < pitch; n++)
            gaps &= host[y * pitch + n] == 0xcd;
    }
    OK(clEnqueueUnmapMemObject(queue, to, mapped, 0, NULL, NULL));
    double given_color[4], want[4];
    for (int n = 0; n < 4; n++)
        given_color[n] = is_float(type) ? color[n] : ints[n];
    as_read(format->image_channel_order, given_color, want);
    int read = 1;
    for (int n = 0; n < 4 * W * H; n++) {
        cl_int whole_seen;
        memcpy(&whole_seen, &seen_floats[n], 4);
        double got = is_float(type) ? seen_floats[n] : whole_seen;
        read &= fabs(got - want[n % 4]) <= tolerance(format);
    }
    if (!bytes || !gaps || !read)
        printf("order %x type %x:\n", format->image_channel_order, type);
    TRUE_(bytes);
    TRUE_(gaps);
    TRUE_(read);
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(seen));
    OK(clReleaseMemObject(from));
    OK(clReleaseMemObject(to));
}

static int has(const cl_image_format *list, cl_uint count, cl_channel_order order, cl_channel_type type)
{
    for (cl_uint n = 0; n < count; n++)
        if (list[n].image_channel_order == order && list[n].image_channel_data_type == type)
            return 1;
    return 0;
}

static void every_format(void)
{
    static const cl_channel_order orders[] = {CL_R, CL_A, CL_RG, CL_RA, CL_RGB, CL_RGBA, CL_BGRA, CL_ARGB, CL_ABGR,
                                              CL_INTENSITY, CL_LUMINANCE, CL_DEPTH, CL_sRGBA, CL_sBGRA};
    static const cl_mem_object_type kinds[] = {CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                               CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
                                               CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
    static cl_image_format list[256];
    cl_uint count = 0;
    /* What is told is what can be made: each order with each type, of each kind. */
    cl_mem buffer = MAKES(clCreateBuffer(context, 0, 1024, NULL, &err));
    for (int k = 0; k < 6; k++) {
        OK(clGetSupportedImageFormats(context, 0, kinds[k], 256, list, &count));
        int wrong = 0;
        for (cl_channel_order order = CL_R; order <= CL_ABGR; order++)
            for (cl_channel_type type = CL_SNORM_INT8; type <= CL_UNORM_INT_101010_2; type++) {
                cl_image_format format = {order, type};
                cl_image_desc desc = shape(kinds[k], 3, 2, 2, 2);
                desc.buffer = kinds[k] == CL_MEM_OBJECT_IMAGE1D_BUFFER ? buffer : NULL;
                cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &err);
                wrong += (image != NULL) != has(list, count, order, type);
                if (image)
                    clReleaseMemObject(image);
            }
        TRUE_(wrong == 0);
    }
    OK(clReleaseMemObject(buffer));
    OK(clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 256, list, &count));
    int present = 0;
    for (int n = 0; n < (int)(sizeof orders / sizeof *orders); n++)
        for (cl_uint m = 0; m < count; m++)
            if (list[m].image_channel_order == orders[n]) {
                present++;
                break;
            }
    TRUE_(present == (int)(sizeof orders / sizeof *orders));
    TRUE_(has(list, count, CL_RGB, CL_UNORM_SHORT_565) && has(list, count, CL_RGB, CL_UNORM_SHORT_555));
    TRUE_(has(list, count, CL_RGB, CL_UNORM_INT_101010) && has(list, count, CL_DEPTH, CL_UNORM_INT16));
    for (cl_uint n = 0; n < count; n++)
        one_format(&list[n]);
}

/* The host's memory used in place, with gaps behind rows and slices. */
static void one_kind(const char *name, cl_mem_object_type kind, int w, int h, int d)
{
    enum { ROW = 8, SLICE = 32 };
    static cl_uint host[SLICE * 4];
    const int layered = kind == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const int row = layered ? SLICE : ROW;
    for (int n = 0; n < SLICE * 4; n++)
        host[n] = 1000000u + n;
    cl_image_format r32 = {CL_R, CL_UNSIGNED_INT32};
    cl_image_desc desc = shape(kind, w, h, d, layered ? h : d);
    cl_mem buffer = NULL;
    if (kind == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        desc.buffer = buffer = MAKES(clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof host, host, &err));
    } else if (kind != CL_MEM_OBJECT_IMAGE1D) {
        desc.image_row_pitch = ROW * sizeof *host;
        desc.image_slice_pitch = kind == CL_MEM_OBJECT_IMAGE2D ? 0 : SLICE * sizeof *host;
    }
    cl_mem image = buffer ? MAKES(clCreateImage(context, 0, &r32, &desc, NULL, &err))
                          : MAKES(clCreateImage(context, CL_MEM_USE_HOST_PTR, &r32, &desc, host, &err));
    cl_kernel kernel = MAKES(clCreateKernel(program, name, &err));
    size_t global[3] = {w, h, d}, zero[3] = {0}, region[3] = {w, h, d}, pitches[2];
    OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    OK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, NULL, 0, NULL, NULL));
    void *mapped = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, zero, region, &pitches[0], &pitches[1], 0, NULL,
                                     NULL, &err);
    TRUE_(err == CL_SUCCESS && mapped == host);
    int wrong = 0;
    for (int n = 0; n < SLICE * 4; n++) {
        int z = layered ? 0 : n / SLICE, y = layered ? n / row : n % SLICE / row, x = n % row;
        cl_uint want = 1000000u + n + (x < w && y < h && z < d ? x + 100 * y + 10000 * z : 0);
        wrong += host[n] != want;
    }
    if (wrong)
        printf("%s:\n", name);
    TRUE_(wrong == 0);
    OK(clEnqueueUnmapMemObject(queue, image, mapped, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(image));
    if (buffer)
        OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
}

static void every_kind(void)
{
    one_kind("kind_1d", CL_MEM_OBJECT_IMAGE1D, 7, 1, 1);
    one_kind("kind_1db", CL_MEM_OBJECT_IMAGE1D_BUFFER, 7, 1, 1);
    one_kind("kind_1da", CL_MEM_OBJECT_IMAGE1D_ARRAY, 7, 3, 1);
    one_kind("kind_2d", CL_MEM_OBJECT_IMAGE2D, 5, 3, 1);
    one_kind("kind_2da", CL_MEM_OBJECT_IMAGE2D_ARRAY, 5, 3, 4);
    one_kind("kind_3d", CL_MEM_OBJECT_IMAGE3D, 5, 3, 4);
}

/* 8.2: the texel at a place of one dimension, -1 for the border. */
static int texel(cl_addressing_mode mode, int at, int size)
{
    switch (mode) {
    case CL_ADDRESS_CLAMP_TO_EDGE: return at < 0 ? 0 : at >= size ? size - 1 : at;
    case CL_ADDRESS_REPEAT: return ((at % size) + size) % size;
    case CL_ADDRESS_MIRRORED_REPEAT:
        at = ((at % (2 * size)) + 2 * size) % (2 * size);
        return at < size ? at : 2 * size - 1 - at;
    default: return at < 0 || at >= size ? -1 : at;
    }
}

/* A volume at normalised places in and around it, under every addressing mode, at the nearest texel and between eight. */
static void volume(void)
{
    enum { W = 4, H = 3, D = 5, N = 500 };
    static const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                               CL_ADDRESS_MIRRORED_REPEAT};
    static const int size[3] = {W, H, D};
    static float texels[D][H][W], places[N][3], seen[N];
    for (int n = 0; n < W * H * D; n++)
        (&texels[0][0][0])[n] = (float)((n * 37 + 11) % 101);
    unsigned state = 1;
    for (int n = 0; n < 3 * N; n++) {
        state = state * 1664525u + 1013904223u;
        /* An odd number of 1/64 texels: never between two. */
        (&places[0][0])[n] = (float)((2 * (int)((state >> 16) % (size[n % 3] * 32 * 5)) + 1 - size[n % 3] * 128) /
                                     (64.0 * size[n % 3]));
    }
    cl_image_format r = {CL_R, CL_FLOAT};
    cl_image_desc desc = shape(CL_MEM_OBJECT_IMAGE3D, W, H, D, 0);
    cl_mem image = MAKES(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &r, &desc, texels, &err));
    cl_mem at = MAKES(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof places, places, &err));
    cl_mem to = MAKES(clCreateBuffer(context, 0, sizeof seen, NULL, &err));
    cl_kernel kernel = MAKES(clCreateKernel(program, "sample", &err));
    for (int mode = 0; mode < 4; mode++)
        for (int linear = 0; linear < 2; linear++) {
            cl_sampler sampler =
                MAKES(clCreateSampler(context, CL_TRUE, modes[mode], linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &err));
            size_t global = N;
            OK(clSetKernelArg(kernel, 0, sizeof image, &image));
            OK(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
            OK(clSetKernelArg(kernel, 2, sizeof at, &at));
            OK(clSetKernelArg(kernel, 3, sizeof to, &to));
            OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
            OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
            int wrong = 0;
            for (int n = 0; n < N; n++) {
                double want = 0;
                for (int corner = 0; corner < (linear ? 8 : 1); corner++) {
                    double weight = 1;
                    int index[3], outside = 0;
                    for (int axis = 0; axis < 3; axis++) {
                        double u = (double)places[n][axis] * size[axis] - (linear ? 0.5 : 0), below = floor(u);
                        int second = corner >> axis & 1;
                        if (linear)
                            weight *= second ? u - below : 1 - (u - below);
                        index[axis] = texel(modes[mode], (int)below + second, size[axis]);
                        outside |= index[axis] < 0;
                    }
                    want += outside ? 0 : weight * texels[index[2]][index[1]][index[0]];
                }
                /* Coordinates are rounded to floats. */
                wrong += fabs(seen[n] - want) > (linear ? 1e-3 : 0);
            }
            if (wrong)
                printf("mode %d, linear %d: %d of %d\n", mode, linear, wrong, N);
            TRUE_(wrong == 0);
            OK(clReleaseSampler(sampler));
        }
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(at));
    OK(clReleaseMemObject(to));
}

/* An image as one of another order (5.3.1.3): the same texels as linear light. */
static void views(void)
{
    enum { W = 256 };
    static const cl_channel_order orders[2][2] = {{CL_RGBA, CL_sRGBA}, {CL_BGRA, CL_sBGRA}};
    static unsigned char texels[W][4];
    static float seen[W][2][4];
    for (int n = 0; n < W; n++)
        texels[n][0] = texels[n][1] = texels[n][2] = texels[n][3] = (unsigned char)n;
    for (int pair = 0; pair < 2; pair++)
        for (int way = 0; way < 2; way++) {
            cl_image_format own = {orders[pair][way], CL_UNORM_INT8}, other = {orders[pair][!way], CL_UNORM_INT8};
            cl_image_desc desc = shape(CL_MEM_OBJECT_IMAGE2D, W, 1, 0, 0);
            cl_mem image = MAKES(clCreateImage(context, CL_MEM_COPY_HOST_PTR, &own, &desc, texels, &err));
            desc.buffer = image;
            cl_mem view = MAKES(clCreateImage(context, 0, &other, &desc, NULL, &err));
            cl_mem to = MAKES(clCreateBuffer(context, 0, sizeof seen, NULL, &err));
            cl_kernel kernel = MAKES(clCreateKernel(program, "view", &err));
            size_t global = W;
            OK(clSetKernelArg(kernel, 0, sizeof view, way ? &image : &view));
            OK(clSetKernelArg(kernel, 1, sizeof view, way ? &view : &image));
            OK(clSetKernelArg(kernel, 2, sizeof to, &to));
            /* The view lives on when the image is released. */
            OK(clReleaseMemObject(image));
            OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
            OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
            int wrong = 0;
            for (int n = 0; n < W; n++)
                for (int c = 0; c < 4; c++) {
                    double plain = n / 255.0;
                    double linear = plain <= 0.04045 ? plain / 12.92 : pow((plain + 0.055) / 1.055, 2.4);
                    wrong += fabs(seen[n][0][c] - (c == 3 ? plain : linear)) > 1e-6;
                    wrong += fabs(seen[n][1][c] - plain) > 1e-6;
                }
            TRUE_(wrong == 0);
            OK(clReleaseMemObject(view));
            OK(clReleaseMemObject(to));
            OK(clReleaseKernel(kernel));
        }
}

int main(void)
{
    set_up();
    program = MAKES(clCreateProgramWithSource(context, 1, &SOURCE, NULL, &err));
    OK(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
    every_format();
    every_kind();
    volume();
    views();
    OK(clReleaseProgram(program));
    tear_down();
    return done();
}
