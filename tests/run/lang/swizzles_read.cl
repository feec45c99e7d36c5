// RUN: kernel=k local=1 groups=1
// ARG: buffer int[28] out
// EXPECT: 0[i] = i < 4 ? 3-i : i < 8 ? i%4/2*2 : i < 12 ? (i-8)*2 : i < 16 ? (i-12)*2+1 : i < 20 ? 12+i-16 : i < 24 ? (i-20)*5 : 0
kernel void k(global int4 *out) {
    int16 v = (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    int4 w = v.s0123;
    out[0] = w.wzyx;
    out[1] = w.xxzz;
    out[2] = v.lo.even;
    out[3] = v.lo.odd;
    out[4] = v.hi.hi;
    out[5] = v.s05aF;
    out[6] = w.S0000;
}
