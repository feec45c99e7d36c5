// RUN: kernel=k local=37 groups=2
// RUN: kernel=k local=64 groups=2
// ARG: buffer int[G] = 7*i
// ARG: buffer int[G] out
// EXPECT: 1 as interpreted
kernel void k(global const int *in, global int *out) {
    local int shared[64];
    int a[9], l = get_local_id(0), g = get_global_id(0);
    for (int i = 0; i < 9; i++)
        a[i] = in[g] * i;
    shared[l] = a[l % 9];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l % 5] += shared[(l + 1) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a[0] + 3 * a[l % 5] + a[8];
}
