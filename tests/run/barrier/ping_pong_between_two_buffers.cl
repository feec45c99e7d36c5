// Pointers to the two halves are exchanged in every iteration.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 8*L
// EXPECT: 0[i] = i/L*L + (i%L+5)%L
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    local int *from = tmp, *to = tmp + n;
    from[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 0; step < 5; step++) {
        to[l] = from[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        local int *old = from;
        from = to;
        to = old;
    }
    out[get_global_id(0)] = from[l];
}
