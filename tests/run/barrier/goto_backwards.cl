// A loop made of goto.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: scalar int 5
// EXPECT: 0[i] = i/L*L + (i%L+5)%L
kernel void k(global int *out, local int *tmp, int steps) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0);
again:
    tmp[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = tmp[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (--steps > 0)
        goto again;
    out[get_global_id(0)] = x;
}
