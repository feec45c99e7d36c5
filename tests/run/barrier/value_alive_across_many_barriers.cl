// Written before the first and read after the last of several regions.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = i*3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 1[i] = i*3 + (i%L+4)%L
kernel void k(global const int *in, global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    int first = in[get_global_id(0)], x = l;
    for (int step = 0; step < 2; step++) {
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = first + x;
}
