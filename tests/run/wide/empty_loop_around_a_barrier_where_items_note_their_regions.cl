// RUN: kernel=k local=20 std=CL3.0
// ARG: buffer ulong[G] out
// ARG: buffer int[64] = i%3
// ARG: scalar int 536870912
// ARG: scalar float 0.0
// EXPECT: 0 as interpreted

// The counter of the first loop is in scratch for all items, and is kept by a region in which no item does anything.
kernel void k(global ulong *out, global const int *in, int n, float f)
{
    const uint gid = get_global_id(0);
    const uint G = get_global_size(0);
    ulong h = gid;
    for (uint s = 64; s > 0; s >>= 1)
        barrier(CLK_LOCAL_MEM_FENCE);
    if (cbrt(f) == f)
        barrier(CLK_LOCAL_MEM_FENCE);
    if ((long)in[(G + G) & 63u] == (long)get_local_size(2)) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int i = 0;
        for (;;)
            if (i++ >= (n & 3))
                break;
    } else if (in[get_group_id(1) & 63u] > (short)n) {
        for (uint i = ((mad_hi(n, 0, n) & 1) != 0) & 3; i > 0 && (n & 8) != 0; i--)
            ;
    }
    out[gid] = h * 31 + as_uint(f);
}
