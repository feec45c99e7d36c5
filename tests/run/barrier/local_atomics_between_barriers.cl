// A histogram of eight bins in local memory.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = i*i
// ARG: buffer int[8*NG] out
// EXPECT: 1[i] = sum(k, i/8*L, (i/8+1)*L, k*k%8 == i%8)
kernel void k(global const int *in, global int *out) {
    local int bins[8];
    uint l = get_local_id(0), n = get_local_size(0);
    for (uint b = l; b < 8; b += n)
        bins[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bins[in[get_global_id(0)] % 8]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = l; b < 8; b += n)
        out[8 * get_group_id(0) + b] = bins[b];
}
