// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = i%2 ? i+7 - 1000 : i - 1007
kernel void k(global int *out) {
    int g = get_global_id(0), a = g, b = 1000;
    int *p = g % 2 ? &a : &b;
    barrier(CLK_LOCAL_MEM_FENCE);
    *p += 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a - b;
}
