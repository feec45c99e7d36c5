// Two tiles in local memory, a private accumulator across 2 barriers in each step; small integers, so float is exact.
// RUN: kernel=k global=16,16 local=4,4
// RUN: kernel=k global=32,32 local=8,8
// RUN: kernel=k global=32,32 local=16,16
// RUN: kernel=k global=8,8 local=1,1
// ARG: buffer float[G] = i*7%11
// ARG: buffer float[G] = i*5%13
// ARG: buffer float[G] out
// ARG: local 4*L
// ARG: local 4*L
// EXPECT: 2[i] = sum(k, 0, GX, a0[i/GX*GX+k] * a1[k*GX+i%GX])
kernel void k(global const float *a, global const float *b, global float *c, local float *ta, local float *tb) {
    int lx = get_local_id(0), ly = get_local_id(1), t = get_local_size(0), n = get_global_size(0);
    int x = get_global_id(0), y = get_global_id(1);
    float total = 0;
    for (int tile = 0; tile < n / t; tile++) {
        ta[ly * t + lx] = a[y * n + tile * t + lx];
        tb[ly * t + lx] = b[(tile * t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < t; j++)
            total += ta[ly * t + j] * tb[j * t + lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = total;
}
