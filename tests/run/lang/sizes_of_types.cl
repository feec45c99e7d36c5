// RUN: kernel=k local=1 groups=1
// ARG: buffer int[16] out
// EXPECT: 0[i] = i == 0 ? 1 : i == 1 ? 2 : i == 2 ? 4 : i == 3 ? 8 : i == 4 ? 4 : i == 5 ? 8 : i == 6 ? 16 : i == 7 ? 128 : i == 8 ? 2 : i == 9 ? 8 : i == 10 ? 8 : i == 11 ? 40 : i == 12 ? 4 : i == 13 ? 3 : i == 14 ? 1 : 16
kernel void k(global int *out) {
    int a[10];
    out[0] = sizeof(char);
    out[1] = sizeof(short);
    out[2] = sizeof(int);
    out[3] = sizeof(long);
    out[4] = sizeof(float);
    out[5] = sizeof(double);
    out[6] = sizeof(int3);
    out[7] = sizeof(double16);
    out[8] = sizeof(half);
    out[9] = sizeof(size_t);
    out[10] = sizeof(global int *);
    out[11] = sizeof a;
    out[12] = vec_step(int4);
    out[13] = sizeof("ab");
    out[14] = sizeof(uchar);
    out[15] = sizeof(float4);
}
