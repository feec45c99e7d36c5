// RUN: kernel=k local=1 groups=1
// ARG: buffer uchar[16] = i+1
// ARG: buffer int[3] out
// EXPECT: 1[i] = i == 0 ? 0x05040302 : i == 1 ? 7 : 32
typedef struct __attribute__((packed)) { uchar a; int b; ushort c; } tight;
typedef struct __attribute__((aligned(32))) { int a; } loose;
kernel void k(global const tight *in, global int *out) {
    out[0] = in->b;
    out[1] = sizeof(tight);
    out[2] = sizeof(loose);
}
