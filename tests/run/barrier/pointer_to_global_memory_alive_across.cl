// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = i*i
// ARG: buffer int[G] out
// EXPECT: 1[i] = (G-1-i)*(G-1-i)
kernel void k(global const int *in, global int *out) {
    global const int *from = in + (get_global_size(0) - 1 - get_global_id(0));
    global int *to = out + get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    *to = *from;
}
