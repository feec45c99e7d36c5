/* The cases of kernels/image.cl, and commands on images. Results are checked at some places against plain C. */
#include "bench.h"

static const char file[] = "image.cl";

enum { WIDE = 2048, SMALL = 1024, VOLUME = 128 };

/* A new image as the next argument: texels of `data`, or zeros. */
static cl_mem work_image(struct work *w, const cl_image_format *format, size_t x, size_t y, size_t z, void *data)
{
    cl_image_desc desc = {.image_type = z > 1 ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D};
    desc.image_width = x;
    desc.image_height = y;
    desc.image_depth = z;
    cl_int err;
    cl_mem image = clCreateImage(w->h.context, data ? CL_MEM_COPY_HOST_PTR : 0, format, &desc, data, &err);
    CHECK(err);
    if (w->steps)
        work_pass(w, image);
    return image;
}

static void *read_image(struct work *w, cl_mem image, size_t x, size_t y, size_t texel)
{
    void *copy = bench_alloc(x * y * texel);
    size_t origin[3] = {0}, region[3] = {x, y, 1};
    CHECK(clEnqueueReadImage(w->h.queue, image, CL_TRUE, origin, region, 0, 0, copy, 0, NULL, NULL));
    return copy;
}

static const cl_image_format rgba8 = {CL_RGBA, CL_UNORM_INT8}, rgba32 = {CL_RGBA, CL_FLOAT}, r32 = {CL_R, CL_FLOAT};

/* Random bytes, and what they stand for. */
static unsigned char *random_bytes(size_t count)
{
    return (unsigned char *)bench_numbers(count / 4);
}

static int clamped(int at, int size)
{
    return at < 0 ? 0 : at >= size ? size - 1 : at;
}

/* Channel `n` of the mean around (x, y), in texels. */
static float mean(const float *texels, int side, float x, float y, int n)
{
    float u = x - 0.5f, v = y - 0.5f, a = u - floorf(u), b = v - floorf(v), sum = 0;
    int i = (int)floorf(u), j = (int)floorf(v);
    for (int dy = 0; dy < 2; dy++)
        for (int dx = 0; dx < 2; dx++)
            sum += (dx ? a : 1 - a) * (dy ? b : 1 - b) *
                   texels[((size_t)clamped(j + dy, side) * side + clamped(i + dx, side)) * 4 + n];
    return sum;
}

static void resample(struct work *w, const cl_image_format *format, const char *name, int is_float)
{
    size_t count = (size_t)SMALL * SMALL * 4;
    unsigned char *bytes = random_bytes(count);
    float *texels = bench_alloc(count * sizeof *texels);
    for (size_t i = 0; i < count; i++)
        texels[i] = bytes[i] / 255.0f;
    work_kernel(w, file, "resample");
    work_image(w, format, SMALL, SMALL, 1, is_float ? (void *)texels : bytes);
    cl_mem out = work_image(w, format, WIDE, WIDE, 1, NULL);
    work_2d(w, WIDE, WIDE, 64, 4);
    work_once(w);
    void *found = read_image(w, out, WIDE, WIDE, is_float ? 16 : 4);
    for (size_t y = 0; y < WIDE; y += 31)
        for (size_t x = 0; x < WIDE; x += 17)
            for (int n = 0; n < 4; n++) {
                size_t at = (y * WIDE + x) * 4 + n;
                float wanted = mean(texels, SMALL, (x + 0.5f) / WIDE * SMALL, (y + 0.5f) / WIDE * SMALL, n);
                bench_check(name, is_float ? ((float *)found)[at] : ((unsigned char *)found)[at] / 255.0, wanted,
                            is_float ? 1e-2 : 1.2e-2);
            }
    w->bytes = (double)WIDE * WIDE * (is_float ? 16 : 4);
    work_time(w);
}

static void run_resample_float(struct work *w)
{
    resample(w, &rgba32, "image_resample_float", 1);
}

static void run_resample_unorm(struct work *w)
{
    resample(w, &rgba8, "image_resample_unorm8", 0);
}

static void run_blur(struct work *w)
{
    static const float weights[5] = {1.0f / 16, 4.0f / 16, 6.0f / 16, 4.0f / 16, 1.0f / 16};
    unsigned char *bytes = random_bytes((size_t)SMALL * SMALL * 4);
    work_kernel(w, file, "blur");
    work_image(w, &rgba8, SMALL, SMALL, 1, bytes);
    cl_mem out = work_image(w, &rgba8, SMALL, SMALL, 1, NULL);
    work_2d(w, SMALL, SMALL, 64, 4);
    work_once(w);
    unsigned char *found = read_image(w, out, SMALL, SMALL, 4);
    for (int y = 0; y < SMALL; y += 13)
        for (int x = 0; x < SMALL; x += 7) {
            float sum = 0;
            for (int dy = -2; dy <= 2; dy++)
                for (int dx = -2; dx <= 2; dx++) {
                    size_t at = (size_t)clamped(y + dy, SMALL) * SMALL + clamped(x + dx, SMALL);
                    sum += weights[dy + 2] * weights[dx + 2] * bytes[at * 4 + 1];
                }
            bench_check("image_blur", found[((size_t)y * SMALL + x) * 4 + 1], sum, 1);
        }
    w->bytes = (double)SMALL * SMALL * 8;
    work_time(w);
}

static void run_sobel(struct work *w)
{
    float *texels = bench_random((size_t)WIDE * WIDE, 0, 1);
    work_kernel(w, file, "sobel");
    work_image(w, &r32, WIDE, WIDE, 1, texels);
    cl_mem out = work_image(w, &r32, WIDE, WIDE, 1, NULL);
    work_2d(w, WIDE, WIDE, 64, 4);
    work_once(w);
    float *found = read_image(w, out, WIDE, WIDE, 4);
    for (int y = 0; y < WIDE; y += 13)
        for (int x = 0; x < WIDE; x += 7) {
            float p[3][3];
            for (int dy = 0; dy < 3; dy++)
                for (int dx = 0; dx < 3; dx++)
                    p[dy][dx] = texels[(size_t)clamped(y + dy - 1, WIDE) * WIDE + clamped(x + dx - 1, WIDE)];
            float gx = p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0];
            float gy = p[2][0] + 2 * p[2][1] + p[2][2] - p[0][0] - 2 * p[0][1] - p[0][2];
            bench_check("image_sobel", found[(size_t)y * WIDE + x], sqrtf(gx * gx + gy * gy), 1e-4);
        }
    w->bytes = (double)WIDE * WIDE * 8;
    work_time(w);
}

static void run_slice(struct work *w)
{
    size_t count = (size_t)VOLUME * VOLUME * VOLUME;
    float *texels = bench_alloc(count * sizeof *texels);
    for (size_t i = 0; i < count; i++)
        texels[i] = (float)(i % VOLUME) + 2 * (float)(i / VOLUME % VOLUME) + 4 * (float)(i / VOLUME / VOLUME);
    work_kernel(w, file, "slice");
    work_image(w, &r32, VOLUME, VOLUME, VOLUME, texels);
    cl_mem out = work_image(w, &r32, SMALL, SMALL, 1, NULL);
    work_2d(w, SMALL, SMALL, 64, 4);
    work_once(w);
    float *found = read_image(w, out, SMALL, SMALL, 4);
    /* Inside, the filter of a plane is the plane. */
    for (int y = 16; y < SMALL - 16; y += 13)
        for (int x = 16; x < SMALL - 16; x += 7) {
            float px = (x + 0.5f) / SMALL, py = (y + 0.5f) / SMALL, pz = 0.25f + 0.25f * px + 0.25f * py;
            float wanted = (px + 2 * py + 4 * pz) * VOLUME - 3.5f;
            bench_check("image_slice", found[(size_t)y * SMALL + x], wanted, 1e-2);
        }
    w->bytes = (double)SMALL * SMALL * 4;
    work_time(w);
}

static cl_mem from, to;

static void copy_image(struct work *w)
{
    size_t origin[3] = {0}, region[3] = {WIDE, WIDE, 1};
    CHECK(clEnqueueCopyImage(w->h.queue, from, to, origin, origin, region, 0, NULL, NULL));
}

static void fill_image(struct work *w)
{
    size_t origin[3] = {0}, region[3] = {WIDE, WIDE, 1};
    float color[4] = {0.25f, 0.5f, 0.75f, 1};
    CHECK(clEnqueueFillImage(w->h.queue, to, color, origin, region, 0, NULL, NULL));
}

static void run_copy(struct work *w)
{
    unsigned char *bytes = random_bytes((size_t)WIDE * WIDE * 4);
    from = work_image(w, &rgba8, WIDE, WIDE, 1, bytes);
    to = work_image(w, &rgba8, WIDE, WIDE, 1, NULL);
    w->enqueue = copy_image;
    work_once(w);
    if (memcmp(read_image(w, to, WIDE, WIDE, 4), bytes, (size_t)WIDE * WIDE * 4))
        FAIL("image_copy: wrong result");
    w->bytes = (double)WIDE * WIDE * 8;
    work_time(w);
}

static void run_fill(struct work *w)
{
    to = work_image(w, &rgba8, WIDE, WIDE, 1, NULL);
    w->enqueue = fill_image;
    work_once(w);
    unsigned char *found = read_image(w, to, WIDE, WIDE, 4);
    bench_check("image_fill", found[4 * WIDE + 1], 128, 1e-2);
    w->bytes = (double)WIDE * WIDE * 4;
    work_time(w);
}

const struct bench_case image_cases[] = {
    {"image_resample_float", "1024 to 2048, RGBA floats, linear", run_resample_float, NULL, 0},
    {"image_resample_unorm8", "1024 to 2048, RGBA bytes, linear", run_resample_unorm, NULL, 0},
    {"image_blur", "1024 x 1024, RGBA bytes, 5 x 5 weights", run_blur, NULL, 0},
    {"image_sobel", "2048 x 2048 floats, 3 x 3", run_sobel, NULL, 0},
    {"image_slice", "1024 x 1024 of a volume of 128^3 floats, linear", run_slice, NULL, 0},
    {"image_copy", "2048 x 2048, RGBA bytes", run_copy, NULL, 0},
    {"image_fill", "2048 x 2048, RGBA bytes", run_fill, NULL, 0},
    {NULL, NULL, NULL, NULL, 0},
};
