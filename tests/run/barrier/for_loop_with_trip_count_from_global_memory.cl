// RUN: kernel=k local=* groups=5
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: buffer int[NG] = i*i%7
// EXPECT: 0[i] = i/L*L + (i%L + a2[i/L])%L
kernel void k(global int *out, local int *tmp, global const int *steps) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0);
    for (int step = 0; step < steps[get_group_id(0)]; step++) {
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}
