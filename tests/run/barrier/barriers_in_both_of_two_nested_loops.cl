// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L + 3*(2+4))%L
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0);
    for (int a = 0; a < 3; a++) {
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 2) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int b = 0; b < 4; b++) {
            tmp[l] = x;
            barrier(CLK_LOCAL_MEM_FENCE);
            x = tmp[(l + 1) % n];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    out[get_global_id(0)] = x;
}
