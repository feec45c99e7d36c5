// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L + 1+2+3+4)%L
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0);
    for (uint by = 4; by > 0; by--) {
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + by) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}
