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
