// CLK_GLOBAL_MEM_FENCE orders global memory: the group's slice is reversed through a buffer.
// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] out
// ARG: buffer int[G] out
// EXPECT: 1[i] = 7*(i/L*L + (L-1-i%L))
kernel void k(global int *work, global int *out) {
    size_t l = get_local_id(0), n = get_local_size(0), base = get_group_id(0) * n;
    work[base + l] = 7 * (int)get_global_id(0);
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[base + l] = work[base + n - 1 - l];
}
