// Scan of flags, then a scatter whose place comes from another work-item's count.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = i
// ARG: buffer int[G] = -1
// ARG: local 4*L
// EXPECT: 1[i] = i%L < (L+1)/2 ? i/L*L + 2*(i%L) : -1
kernel void k(global const int *in, global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    bool keep = l % 2 == 0;
    tmp[l] = keep;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint stride = 1; stride < n; stride <<= 1) {
        int x = tmp[l];
        if (l >= stride)
            x += tmp[l - stride];
        barrier(CLK_LOCAL_MEM_FENCE);
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (keep)
        out[get_group_id(0) * n + tmp[l] - 1] = in[get_global_id(0)];
}
