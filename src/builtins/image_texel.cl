// Texels of images in memory: where their channels stand, and what they mean (OpenCL API, 5.3.1.1; OpenCL C 3.0, 8.3 and
// 8.4). A format is the word of ir::abi::image_format: the low bytes of channel order and channel data type.
//
// Where a format is known when code is made, one arm of each switch is left.

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

#define ORDER(format) ((format) & 0xff)
#define TYPE(format) ((format) >> 8 & 0xff)

enum { R = 0xb0, A, RG, RA, RGB, RGBA, BGRA, ARGB, INTENSITY, LUMINANCE, Rx, RGx, RGBx, DEPTH, sRGBA = 0xc1, sBGRA, ABGR };

enum {
    SNORM_INT8 = 0xd0, SNORM_INT16, UNORM_INT8, UNORM_INT16, UNORM_SHORT_565, UNORM_SHORT_555, UNORM_INT_101010,
    SIGNED_INT8, SIGNED_INT16, SIGNED_INT32, UNSIGNED_INT8, UNSIGNED_INT16, UNSIGNED_INT32, HALF_FLOAT, FLOAT,
    UNORM_INT_101010_2 = 0xe0
};

float OVERLOAD __clo_srgb_decode(uint byte);
uint OVERLOAD __clo_srgb_encode(float c);

// Bytes of a texel.
uint OVERLOAD __clo_texel_size(uint format)
{
    uint channels = 4;
    switch (ORDER(format)) {
    case R: case A: case INTENSITY: case LUMINANCE: case DEPTH: case Rx: channels = 1; break;
    case RG: case RA: case RGx: channels = 2; break;
    }
    switch (TYPE(format)) {
    case SNORM_INT8: case UNORM_INT8: case SIGNED_INT8: case UNSIGNED_INT8: return channels;
    case SNORM_INT16: case UNORM_INT16: case SIGNED_INT16: case UNSIGNED_INT16: case HALF_FLOAT: return 2 * channels;
    case SIGNED_INT32: case UNSIGNED_INT32: case FLOAT: return 4 * channels;
    case UNORM_SHORT_565: case UNORM_SHORT_555: return 2;
    default: return 4;
    }
}

// The bytes of a texel as words, the first in x.
uint4 OVERLOAD __clo_texel_load(uint format, ulong address)
{
    switch (__clo_texel_size(format)) {
    case 1: return (uint4)(*(__global const uchar *)address, 0, 0, 0);
    case 2: return (uint4)(*(__global const ushort *)address, 0, 0, 0);
    case 4: return (uint4)(*(__global const uint *)address, 0, 0, 0);
    case 8: {
        __global const uint *words = (__global const uint *)address;
        return (uint4)(words[0], words[1], 0, 0);
    }
    default: {
        __global const uint *words = (__global const uint *)address;
        return (uint4)(words[0], words[1], words[2], words[3]);
    }
    }
}

void OVERLOAD __clo_texel_store(uint format, ulong address, uint4 words)
{
    switch (__clo_texel_size(format)) {
    case 1: *(__global uchar *)address = (uchar)words.x; break;
    case 2: *(__global ushort *)address = (ushort)words.x; break;
    case 4: *(__global uint *)address = words.x; break;
    case 8: {
        __global uint *to = (__global uint *)address;
        to[0] = words.x;
        to[1] = words.y;
        break;
    }
    default: {
        __global uint *to = (__global uint *)address;
        to[0] = words.x;
        to[1] = words.y;
        to[2] = words.z;
        to[3] = words.w;
    }
    }
}

// Channels of 8 and of 16 bits, one after the other.
uint4 OVERLOAD __clo_split8(uint4 words)
{
    return (uint4)(words.x & 0xff, words.x >> 8 & 0xff, words.x >> 16 & 0xff, words.x >> 24);
}

uint4 OVERLOAD __clo_split16(uint4 words)
{
    return (uint4)(words.x & 0xffff, words.x >> 16, words.y & 0xffff, words.y >> 16);
}

uint4 OVERLOAD __clo_join8(uint4 c)
{
    return (uint4)((c.x & 0xff) | (c.y & 0xff) << 8 | (c.z & 0xff) << 16 | c.w << 24, 0, 0, 0);
}

uint4 OVERLOAD __clo_join16(uint4 c)
{
    return (uint4)((c.x & 0xffff) | c.y << 16, (c.z & 0xffff) | c.w << 16, 0, 0);
}

int4 OVERLOAD __clo_signed8(uint4 c)
{
    return as_int4(c << 24) >> 24;
}

int4 OVERLOAD __clo_signed16(uint4 c)
{
    return as_int4(c << 16) >> 16;
}

// From the channels in memory to the components that a read gives, and back.
#define SWIZZLE(T, S) \
    T OVERLOAD __clo_components(uint order, T c) \
    { \
        switch (order) { \
        case R: case Rx: case DEPTH: return (T)(c.x, (S)0, (S)0, (S)1); \
        case A: return (T)((S)0, (S)0, (S)0, c.x); \
        case RG: case RGx: return (T)(c.x, c.y, (S)0, (S)1); \
        case RA: return (T)(c.x, (S)0, (S)0, c.y); \
        case RGB: case RGBx: return (T)(c.x, c.y, c.z, (S)1); \
        case BGRA: case sBGRA: return c.zyxw; \
        case ARGB: return c.yzwx; \
        case ABGR: return c.wzyx; \
        case INTENSITY: return c.xxxx; \
        case LUMINANCE: return (T)(c.x, c.x, c.x, (S)1); \
        default: return c; \
        } \
    } \
    T OVERLOAD __clo_channels(uint order, T c) \
    { \
        switch (order) { \
        case A: return c.wwww; \
        case RA: return c.xwzw; \
        case BGRA: case sBGRA: return c.zyxw; \
        case ARGB: return c.wxyz; \
        case ABGR: return c.wzyx; \
        default: return c; \
        } \
    }

SWIZZLE(float4, float)
SWIZZLE(int4, int)
SWIZZLE(uint4, uint)

// What lies beyond the edge of an image that is clamped (OpenCL C 3.0, table 42): its alpha, the rest is 0.
uint OVERLOAD __clo_border_alpha(uint format)
{
    switch (ORDER(format)) {
    case R: case RG: case RGB: case LUMINANCE: case DEPTH: return 1;
    default: return 0;
    }
}

float4 OVERLOAD __clo_texel_float(uint format, uint4 words)
{
    float4 c = (float4)(0.0f);
    switch (TYPE(format)) {
    case UNORM_INT8: {
        uint4 bytes = __clo_split8(words);
        if (ORDER(format) == sRGBA || ORDER(format) == sBGRA) {
            c = (float4)(__clo_srgb_decode(bytes.x), __clo_srgb_decode(bytes.y), __clo_srgb_decode(bytes.z),
                         convert_float(bytes.w) * (1.0f / 255.0f));
        } else {
            c = convert_float4(as_int4(bytes)) * (1.0f / 255.0f);
        }
        break;
    }
    case SNORM_INT8:
        c = fmax(convert_float4(__clo_signed8(__clo_split8(words))) * (1.0f / 127.0f), -1.0f);
        break;
    case UNORM_INT16: c = convert_float4(as_int4(__clo_split16(words))) * (1.0f / 65535.0f); break;
    case SNORM_INT16:
        c = fmax(convert_float4(__clo_signed16(__clo_split16(words))) * (1.0f / 32767.0f), -1.0f);
        break;
    case UNORM_SHORT_565:
        c = convert_float4((int4)(words.x >> 11, words.x >> 5 & 63, words.x & 31, 0)) *
            (float4)(1.0f / 31.0f, 1.0f / 63.0f, 1.0f / 31.0f, 0.0f);
        break;
    case UNORM_SHORT_555:
        c = convert_float4((int4)(words.x >> 10 & 31, words.x >> 5 & 31, words.x & 31, 0)) * (1.0f / 31.0f);
        break;
    case UNORM_INT_101010:
        c = convert_float4((int4)(words.x >> 20 & 1023, words.x >> 10 & 1023, words.x & 1023, 0)) * (1.0f / 1023.0f);
        break;
    case UNORM_INT_101010_2:
        c = convert_float4((int4)(words.x >> 22, words.x >> 12 & 1023, words.x >> 2 & 1023, words.x & 3)) *
            (float4)(1.0f / 1023.0f, 1.0f / 1023.0f, 1.0f / 1023.0f, 1.0f / 3.0f);
        break;
    case HALF_FLOAT: c = convert_float4(as_half4(convert_ushort4(__clo_split16(words)))); break;
    case FLOAT: c = as_float4(words); break;
    }
    return __clo_components(ORDER(format), c);
}

int4 OVERLOAD __clo_texel_int(uint format, uint4 words)
{
    int4 c = (int4)(0);
    switch (TYPE(format)) {
    case SIGNED_INT8: c = __clo_signed8(__clo_split8(words)); break;
    case SIGNED_INT16: c = __clo_signed16(__clo_split16(words)); break;
    case SIGNED_INT32: c = as_int4(words); break;
    }
    return __clo_components(ORDER(format), c);
}

uint4 OVERLOAD __clo_texel_uint(uint format, uint4 words)
{
    uint4 c = (uint4)(0);
    switch (TYPE(format)) {
    case UNSIGNED_INT8: c = __clo_split8(words); break;
    case UNSIGNED_INT16: c = __clo_split16(words); break;
    case UNSIGNED_INT32: c = words; break;
    }
    return __clo_components(ORDER(format), c);
}

// The nearest of 0 to `top`; what is no number is 0.
uint4 OVERLOAD __clo_unorm(float4 c, float4 top)
{
    return as_uint4(convert_int4_rte(fmin(fmax(c, 0.0f), 1.0f) * top));
}

uint4 OVERLOAD __clo_snorm(float4 c, float top)
{
    // fmin alone would make 1 of what is no number.
    c = (float4)(isnan(c.x) ? 0.0f : c.x, isnan(c.y) ? 0.0f : c.y, isnan(c.z) ? 0.0f : c.z, isnan(c.w) ? 0.0f : c.w);
    return as_uint4(convert_int4_rte(fmin(fmax(c, -1.0f), 1.0f) * top));
}

uint4 OVERLOAD __clo_texel_of(uint format, float4 color)
{
    float4 c = __clo_channels(ORDER(format), color);
    switch (TYPE(format)) {
    case UNORM_INT8:
        if (ORDER(format) == sRGBA || ORDER(format) == sBGRA) {
            return __clo_join8((uint4)(__clo_srgb_encode(c.x), __clo_srgb_encode(c.y), __clo_srgb_encode(c.z),
                                       __clo_unorm(c, (float4)(255.0f)).w));
        }
        return __clo_join8(__clo_unorm(c, (float4)(255.0f)));
    case SNORM_INT8: return __clo_join8(__clo_snorm(c, 127.0f));
    case UNORM_INT16: return __clo_join16(__clo_unorm(c, (float4)(65535.0f)));
    case SNORM_INT16: return __clo_join16(__clo_snorm(c, 32767.0f));
    case UNORM_SHORT_565: {
        uint4 q = __clo_unorm(c, (float4)(31.0f, 63.0f, 31.0f, 0.0f));
        return (uint4)(q.x << 11 | q.y << 5 | q.z, 0, 0, 0);
    }
    case UNORM_SHORT_555: {
        uint4 q = __clo_unorm(c, (float4)(31.0f));
        return (uint4)(q.x << 10 | q.y << 5 | q.z, 0, 0, 0);
    }
    case UNORM_INT_101010: {
        uint4 q = __clo_unorm(c, (float4)(1023.0f));
        return (uint4)(q.x << 20 | q.y << 10 | q.z, 0, 0, 0);
    }
    case UNORM_INT_101010_2: {
        uint4 q = __clo_unorm(c, (float4)(1023.0f, 1023.0f, 1023.0f, 3.0f));
        return (uint4)(q.x << 22 | q.y << 12 | q.z << 2 | q.w, 0, 0, 0);
    }
    case HALF_FLOAT: return __clo_join16(convert_uint4(as_ushort4(convert_half4(c))));
    default: return as_uint4(c);
    }
}

uint4 OVERLOAD __clo_texel_of(uint format, int4 color)
{
    int4 c = __clo_channels(ORDER(format), color);
    switch (TYPE(format)) {
    case SIGNED_INT8: return __clo_join8(as_uint4(clamp(c, -128, 127)));
    case SIGNED_INT16: return __clo_join16(as_uint4(clamp(c, -32768, 32767)));
    default: return as_uint4(c);
    }
}

uint4 OVERLOAD __clo_texel_of(uint format, uint4 color)
{
    uint4 c = __clo_channels(ORDER(format), color);
    switch (TYPE(format)) {
    case UNSIGNED_INT8: return __clo_join8(min(c, 255u));
    case UNSIGNED_INT16: return __clo_join16(min(c, 65535u));
    default: return c;
    }
}
