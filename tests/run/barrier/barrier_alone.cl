// A kernel that does nothing but synchronise.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = i
// EXPECT: 0[i] = i
kernel void k(global int *out) {
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}
