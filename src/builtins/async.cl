// Copies by a work-group (OpenCL C 3.0, 6.15.11): work-item k copies elements k, k + n, k + 2n... where n is the size of
// the group. Counts and strides are in elements.

#define COPY(DST, SRC, T) \
    void __attribute__((overloadable)) __async_copy(DST T *dst, SRC const T *src, size_t count, size_t dst_stride, \
                                                    size_t src_stride) \
    { \
        size_t step = get_local_size(0) * get_local_size(1) * get_local_size(2); \
        for (size_t i = get_local_linear_id(); i < count; i += step) \
            dst[i * dst_stride] = src[i * src_stride]; \
    }

#define BOTH_WAYS(T) COPY(__local, __global, T) COPY(__global, __local, T)

BOTH_WAYS(uchar)
BOTH_WAYS(ushort)
BOTH_WAYS(uint)
BOTH_WAYS(ulong)
BOTH_WAYS(ulong2)
BOTH_WAYS(ulong4)
BOTH_WAYS(ulong8)
BOTH_WAYS(ulong16)

// Lines of planes: each line is a row of bytes in both memories, of which work-item k copies k, k + n, k + 2n...
#define LINES(DST, SRC) \
    void __attribute__((overloadable)) __async_copy_lines( \
        DST void *dst, SRC const void *src, size_t line, size_t lines, size_t planes, size_t src_line, size_t src_plane, \
        size_t dst_line, size_t dst_plane) \
    { \
        size_t step = get_local_size(0) * get_local_size(1) * get_local_size(2); \
        for (size_t p = 0; p < planes; p++) \
            for (size_t l = 0; l < lines; l++) { \
                DST uchar *to = (DST uchar *)dst + p * dst_plane + l * dst_line; \
                SRC const uchar *from = (SRC const uchar *)src + p * src_plane + l * src_line; \
                for (size_t i = get_local_linear_id(); i < line; i += step) \
                    to[i] = from[i]; \
            } \
    }

LINES(__local, __global)
LINES(__global, __local)
