// RUN: kernel=k local=64
// RUN: kernel=in_a_loop local=3
// ARG: buffer ulong[64*G] out
// ARG: buffer short[64] = 3*i+1
// EXPECT: 0[i] = 31*i + 3*(i%4)+1 where i < 64*NG

// LLVM 22 takes the index of the table for one that does not wrap, because that of the result does not.
kernel void k(global ulong *out, constant short *table)
{
    uint gid = get_group_id(0) * get_local_size(0) + get_local_id(0);
    out[gid] = gid * 31ul + table[(uchar)get_local_id(0) & 3];
}

kernel void in_a_loop(global ulong *out, constant short *table)
{
    uint base = 64 * get_group_id(0);
    for (uint i = 0; i < get_local_size(0) * 22 - 2; i++)
        out[base + i] = (base + i) * 31ul + table[i & 3];
}
