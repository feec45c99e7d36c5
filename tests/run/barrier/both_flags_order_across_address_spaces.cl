// An index published in local memory points at data published in global memory.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 1[i] = 100 + i/L*L + (i%L+2)%L
kernel void k(global int *work, global int *out, local int *where) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    work[g] = 100 + g;
    where[(l + n - 2 % n) % n] = g;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[g] = work[where[l]];
}
