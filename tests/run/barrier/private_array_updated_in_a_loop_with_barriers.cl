// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = sum(s, 0, 8, (s+1) * ((i%L + s) % L))
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int history[8], total = 0;
    tmp[l] = l;
    for (int step = 0; step < 8; step++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        history[step] = tmp[(l + step) % n];
    }
    for (int step = 0; step < 8; step++)
        total += (step + 1) * history[step];
    out[get_global_id(0)] = total;
}
