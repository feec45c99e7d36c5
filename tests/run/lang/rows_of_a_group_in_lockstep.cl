// Rows of a group that share loads run several at once; small integers, so float is exact.
// RUN: kernel=k global=16,16 local=16,16
// RUN: kernel=k global=32,6 local=32,6
// RUN: kernel=k global=48,10 local=48,5
// RUN: kernel=k global=16,12 local=16,3
// RUN: kernel=k global=35,8 local=35,8
// RUN: kernel=k global=64,4 local=64,1
// RUN: kernel=k global=16,8,3 local=16,4,3
// ARG: buffer float[G] = i*7%11
// ARG: buffer float[G*GX] = i*5%13
// ARG: buffer float[G] out
// EXPECT: 2[i] = sum(k, 0, GX, a0[i/GX*GX+k] * a1[k*GX+i%GX])
kernel void k(global const float *a, global const float *b, global float *c) {
    int n = get_global_size(0), x = get_global_id(0);
    int y = get_global_id(1) + get_global_id(2) * get_global_size(1);
    float total = 0;
    for (int j = 0; j < n; j++)
        total += a[y * n + j] * b[j * n + x];
    c[y * n + x] = total;
}
