// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: scalar int 7
// EXPECT: 0[i] = i/L*L + (i%L+7)%L
kernel void k(global int *out, local int *tmp, int steps) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0);
    for (;;) {
        if (steps-- == 0)
            break;
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}
