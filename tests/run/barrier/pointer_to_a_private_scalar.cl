// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = i+1
kernel void k(global int *out) {
    int x = get_global_id(0);
    int *p = &x;
    barrier(CLK_LOCAL_MEM_FENCE);
    *p += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = x;
}
