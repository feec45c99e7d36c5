// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer uchar[G] = i%18
// ARG: buffer int[G] out
// EXPECT: 1[i] = a0[i] < 16 ? a0[i]*a0[i]*a0[i] % 101 : -1
#define C(n) case n: x = n * n * n % 101; break;
kernel void k(global const uchar *in, global int *out) {
    int x;
    switch (in[get_global_id(0)]) {
        C(0) C(1) C(2) C(3) C(4) C(5) C(6) C(7) C(8) C(9) C(10) C(11) C(12) C(13) C(14) C(15)
    default: x = -1;
    }
    out[get_global_id(0)] = x;
}
