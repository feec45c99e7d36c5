// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = i+2
kernel void k(global int *out) {
    out[get_global_id(0)] = get_global_id(0) + 2;
    barrier(CLK_GLOBAL_MEM_FENCE);
}
