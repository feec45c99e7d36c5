// Each lane's operation at an address of its own, with equal ones among them; in a loop that lanes leave one by one, and
// with and without a look at the results.
// RUN: kernel=k local=37 groups=2
// RUN: kernel=k local=64 groups=2
// RUN: kernel=k local=32 groups=3
// ARG: buffer uchar[5*G] = i*i*7 + i/3
// ARG: buffer int[16*NG] out
// ARG: buffer int[4*G] out
// ARG: scalar uint 5*G - 11
// EXPECT: 1 as interpreted
// EXPECT: 2 as interpreted
kernel void k(global const uchar *in, global int *out, global int *seen, uint size) {
    local int bins[16];
    uint l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    for (uint b = l; b < 16; b += n)
        bins[b] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
    int last = 0;
    for (uint i = g; i < size; i += get_global_size(0)) {
        atomic_inc(&bins[in[i] & 15]);
        atomic_add(&bins[in[i] >> 4], l);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    seen[4 * g] = atomic_add(&bins[l & 7], 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    seen[4 * g + 1] = atomic_xor(&bins[l * l & 15], l);
    barrier(CLK_LOCAL_MEM_FENCE);
    seen[4 * g + 2] = atomic_cmpxchg(&bins[l & 3], 7, l);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[g] & 4)
        last = atomic_max(&bins[in[g] & 15], g * 3);
    seen[4 * g + 3] = last;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = l; b < 16; b += n)
        out[16 * get_group_id(0) + b] = bins[b];
}
