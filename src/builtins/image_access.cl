// Reads and writes of images: from coordinates to texels (OpenCL C 3.0, 6.15.15.2 to 6.15.15.4, and 8.2 for the addressing
// and filter modes). `kind` is the number of dimensions, and 4 for an array, whose layer is the coordinate behind them.
//
// No coordinate leads out of an image's memory: with the addressing mode "none" they are clamped to the edge. Coordinates
// of texels that are next to each other for work-items that are neighbours stay so: only what lies outside is moved.

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

typedef struct {
    ulong data, row_pitch, slice_pitch;
    uint width, height, depth, layers, format;
} Image;

#define ADDRESSING(sampler) ((sampler) & 0xe)
enum { NORMALIZED = 1, NONE = 0, CLAMP_TO_EDGE = 2, CLAMP = 4, REPEAT = 6, MIRRORED_REPEAT = 8, LINEAR = 0x20 };
enum { ARRAY = 4, DIMENSIONS = 3 };

// Offsets in this image take more than 31 bits (ir::abi::IMAGE_LARGE).
#define LARGE (1 << 16)

uint OVERLOAD __clo_texel_size(uint format);
uint4 OVERLOAD __clo_texel_load(uint format, ulong address);
void OVERLOAD __clo_texel_store(uint format, ulong address, uint4 words);
uint OVERLOAD __clo_border_alpha(uint format);
float4 OVERLOAD __clo_texel_float(uint format, uint4 words);
int4 OVERLOAD __clo_texel_int(uint format, uint4 words);
uint4 OVERLOAD __clo_texel_uint(uint format, uint4 words);
uint4 OVERLOAD __clo_texel_of(uint format, float4 color);
uint4 OVERLOAD __clo_texel_of(uint format, int4 color);
uint4 OVERLOAD __clo_texel_of(uint format, uint4 color);

// Rows and slices of an image as its coordinates y and z count them.
uint OVERLOAD __clo_rows(__constant Image *image, uint kind)
{
    return kind == (1 | ARRAY) ? image->layers : (kind & DIMENSIONS) >= 2 ? image->height : 1;
}

uint OVERLOAD __clo_slices(__constant Image *image, uint kind)
{
    return kind == (2 | ARRAY) ? image->layers : (kind & DIMENSIONS) == 3 ? image->depth : 1;
}

bool OVERLOAD __clo_is_inside(__constant Image *image, uint kind, int x, int y, int z)
{
    bool inside = (uint)x < image->width;
    if (kind != 1)
        inside = inside & (uint)y < __clo_rows(image, kind);
    if (kind == 3 || kind == (2 | ARRAY))
        inside = inside & (uint)z < __clo_slices(image, kind);
    return inside;
}

ulong OVERLOAD __clo_address(__constant Image *image, uint kind, int x, int y, int z)
{
    ulong address = image->data + (long)x * __clo_texel_size(image->format);
    if (kind != 1)
        address += y * (kind == (1 | ARRAY) ? image->slice_pitch : image->row_pitch);
    if (kind == 3 || kind == (2 | ARRAY))
        address += z * image->slice_pitch;
    return address;
}

// The texel at any place: one beyond an edge is that on the edge.
uint4 OVERLOAD __clo_gather(__constant Image *image, uint kind, int x, int y, int z)
{
    x = clamp(x, 0, (int)image->width - 1);
    if (kind != 1)
        y = clamp(y, 0, (int)__clo_rows(image, kind) - 1);
    if (kind == 3 || kind == (2 | ARRAY))
        z = clamp(z, 0, (int)__clo_slices(image, kind) - 1);
    if (image->format & LARGE)
        return __clo_texel_load(image->format, __clo_address(image, kind, x, y, z));
    int offset = x * (int)__clo_texel_size(image->format);
    if (kind != 1)
        offset += y * (int)(kind == (1 | ARRAY) ? image->slice_pitch : image->row_pitch);
    if (kind == 3 || kind == (2 | ARRAY))
        offset += z * (int)image->slice_pitch;
    return __clo_texel_load(image->format, image->data + offset);
}

// 8.2.1: where the coordinate `s` of a dimension of `size` texels falls; -1 and `size` are beyond the edges.
int OVERLOAD __clo_nearest(uint sampler, float s, uint size)
{
    float n = convert_float((int)size);
    if (ADDRESSING(sampler) == REPEAT) {
        float u = (s - floor(s)) * n;
        return convert_int(fmin(fmax(floor(u), 0.0f), n)) % (int)size;
    }
    if (ADDRESSING(sampler) == MIRRORED_REPEAT) {
        float u = fabs(s - 2.0f * rint(0.5f * s)) * n;
        return convert_int(fmin(floor(u), n - 1.0f));
    }
    float u = sampler & NORMALIZED ? s * n : s;
    return convert_int(fmin(fmax(floor(u), -1.0f), n));
}

// 8.2.1: the first of the two texels between which the coordinate `s` falls, the second, and how near that is.
float OVERLOAD __clo_between(uint sampler, float s, uint size, int *first, int *second)
{
    float n = convert_float((int)size);
    float u = sampler & NORMALIZED ? s * n : s;
    if (ADDRESSING(sampler) == REPEAT)
        u = (s - floor(s)) * n;
    if (ADDRESSING(sampler) == MIRRORED_REPEAT)
        u = fabs(s - 2.0f * rint(0.5f * s)) * n;
    u = fmin(fmax(u - 0.5f, -2.0f), n + 1.0f);
    float below = floor(u);
    int i = convert_int(below), j = i + 1;
    if (ADDRESSING(sampler) == REPEAT) {
        i = i < 0 ? i + (int)size : i;
        j = j > (int)size - 1 ? j - (int)size : j;
    }
    *first = i;
    *second = j;
    return u - below;
}

// The layer of an array.
int OVERLOAD __clo_layer(float w, uint layers)
{
    return convert_int(fmin(fmax(rint(w), 0.0f), convert_float((int)layers - 1)));
}

#define ACCESS(READ, T, S, FETCH, NEAREST, TEXEL) \
    /* A texel anywhere; what is beyond an edge is the border's where the sampler says so. */ \
    T OVERLOAD FETCH(__constant Image *image, uint sampler, uint kind, int x, int y, int z) \
    { \
        T texel = TEXEL(image->format, __clo_gather(image, kind, x, y, z)); \
        if (ADDRESSING(sampler) == CLAMP) { \
            T border = (T)((S)0, (S)0, (S)0, (S)__clo_border_alpha(image->format)); \
            bool inside = __clo_is_inside(image, kind, x, y, z); \
            texel = (T)(inside ? texel.x : border.x, inside ? texel.y : border.y, inside ? texel.z : border.z, \
                        inside ? texel.w : border.w); \
        } \
        return texel; \
    } \
    T OVERLOAD READ(__constant void *descriptor, uint sampler, uint kind, int x, int y, int z) \
    { \
        __constant Image *image = (__constant Image *)descriptor; \
        if (kind == (1 | ARRAY)) \
            y = clamp(y, 0, (int)image->layers - 1); \
        if (kind == (2 | ARRAY)) \
            z = clamp(z, 0, (int)image->layers - 1); \
        uint4 words = (uint4)(0); \
        bool inside = __clo_is_inside(image, kind, x, y, z); \
        if (inside) \
            words = __clo_texel_load(image->format, __clo_address(image, kind, x, y, z)); \
        else if (ADDRESSING(sampler) != CLAMP) \
            words = __clo_gather(image, kind, x, y, z); \
        T texel = TEXEL(image->format, words); \
        if (ADDRESSING(sampler) == CLAMP) { \
            T border = (T)((S)0, (S)0, (S)0, (S)__clo_border_alpha(image->format)); \
            texel = (T)(inside ? texel.x : border.x, inside ? texel.y : border.y, inside ? texel.z : border.z, \
                        inside ? texel.w : border.w); \
        } \
        return texel; \
    } \
    T OVERLOAD NEAREST(__constant Image *image, uint sampler, uint kind, float x, float y, float z) \
    { \
        int i = __clo_nearest(sampler, x, image->width), j = 0, k = 0; \
        if (kind == (1 | ARRAY)) \
            j = __clo_layer(y, image->layers); \
        else if (kind != 1) \
            j = __clo_nearest(sampler, y, image->height); \
        if (kind == (2 | ARRAY)) \
            k = __clo_layer(z, image->layers); \
        else if (kind == 3) \
            k = __clo_nearest(sampler, z, image->depth); \
        return FETCH(image, sampler, kind, i, j, k); \
    } \
    void OVERLOAD __clo_write_image(__constant void *descriptor, uint kind, int x, int y, int z, T color) \
    { \
        /* 6.15.15.4: writes beyond the image are ignored. */ \
        __constant Image *image = (__constant Image *)descriptor; \
        uint4 words = __clo_texel_of(image->format, color); \
        if (__clo_is_inside(image, kind, x, y, z)) \
            __clo_texel_store(image->format, __clo_address(image, kind, x, y, z), words); \
    }

ACCESS(__clo_read_imagef, float4, float, __clo_fetchf, __clo_nearestf, __clo_texel_float)
ACCESS(__clo_read_imagei, int4, int, __clo_fetchi, __clo_nearesti, __clo_texel_int)
ACCESS(__clo_read_imageui, uint4, uint, __clo_fetchui, __clo_nearestui, __clo_texel_uint)

// 8.2.2: the mean of the nearest 2, 4 or 8 texels, each with the weight of its nearness.
float4 OVERLOAD __clo_filter(__constant Image *image, uint sampler, uint kind, float x, float y, float z)
{
    int i0, i1, j0 = 0, j1 = 0, k0 = 0, k1 = 0;
    float a = __clo_between(sampler, x, image->width, &i0, &i1), b = 0.0f, c = 0.0f;
    if (kind == (1 | ARRAY))
        j0 = __clo_layer(y, image->layers);
    else if (kind != 1)
        b = __clo_between(sampler, y, image->height, &j0, &j1);
    if (kind == (2 | ARRAY))
        k0 = __clo_layer(z, image->layers);
    else if (kind == 3)
        c = __clo_between(sampler, z, image->depth, &k0, &k1);
    float a0 = 1.0f - a, b0 = 1.0f - b, c0 = 1.0f - c;
#define FETCH(i, j, k) __clo_fetchf(image, sampler, kind, i, j, k)
    if ((kind & DIMENSIONS) == 1)
        return fma((float4)(a), FETCH(i1, j0, k0), a0 * FETCH(i0, j0, k0));
    float4 sum = a0 * b0 * FETCH(i0, j0, k0);
    if ((kind & DIMENSIONS) == 2) {
        sum = fma((float4)(a * b0), FETCH(i1, j0, k0), sum);
        sum = fma((float4)(a0 * b), FETCH(i0, j1, k0), sum);
        return fma((float4)(a * b), FETCH(i1, j1, k0), sum);
    }
    sum *= c0;
    sum = fma((float4)(a * b0 * c0), FETCH(i1, j0, k0), sum);
    sum = fma((float4)(a0 * b * c0), FETCH(i0, j1, k0), sum);
    sum = fma((float4)(a * b * c0), FETCH(i1, j1, k0), sum);
    sum = fma((float4)(a0 * b0 * c), FETCH(i0, j0, k1), sum);
    sum = fma((float4)(a * b0 * c), FETCH(i1, j0, k1), sum);
    sum = fma((float4)(a0 * b * c), FETCH(i0, j1, k1), sum);
    return fma((float4)(a * b * c), FETCH(i1, j1, k1), sum);
}

float4 OVERLOAD __clo_read_imagef(__constant void *descriptor, uint sampler, uint kind, float x, float y, float z)
{
    __constant Image *image = (__constant Image *)descriptor;
    if (sampler & LINEAR)
        return __clo_filter(image, sampler, kind, x, y, z);
    return __clo_nearestf(image, sampler, kind, x, y, z);
}

// Integers are not filtered (6.15.15.2).
int4 OVERLOAD __clo_read_imagei(__constant void *descriptor, uint sampler, uint kind, float x, float y, float z)
{
    return __clo_nearesti((__constant Image *)descriptor, sampler, kind, x, y, z);
}

uint4 OVERLOAD __clo_read_imageui(__constant void *descriptor, uint sampler, uint kind, float x, float y, float z)
{
    return __clo_nearestui((__constant Image *)descriptor, sampler, kind, x, y, z);
}
