// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = i + 2*(i+1) + 3*(i*i)
kernel void k(global int *out) {
    int g = get_global_id(0), a[3];
    a[0] = g;
    a[1] = g + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[2] = g * g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a[0] + 2 * a[1] + 3 * a[2];
}
