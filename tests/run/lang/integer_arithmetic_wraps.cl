// RUN: kernel=ints local=16
// RUN: kernel=ints local=37
// ARG: buffer int[G] = i*0x12345671 + 77
// ARG: buffer int[4*G] out
// EXPECT: 1[i] = i%4 == 0 ? int(a0[i/4]) + 0x7fffffff : i%4 == 1 ? a0[i/4]*a0[i/4] : i%4 == 2 ? -a0[i/4] - 0x7ffffff0 : a0[i/4]*-3 + 5
// RUN: kernel=longs local=16
// RUN: kernel=longs local=37
// ARG: buffer long[G] = i*0x123456789abcdef1 + 77
// ARG: buffer long[4*G] out
// EXPECT: 1[i] = i%4 == 0 ? a0[i/4] + 0x7fffffffffffffff : i%4 == 1 ? a0[i/4]*a0[i/4] : i%4 == 2 ? -a0[i/4] : a0[i/4]*-3 + 5
// RUN: kernel=uchars local=16
// RUN: kernel=uchars local=37
// ARG: buffer uchar[G] = 37*i
// ARG: buffer uchar[4*G] out
// EXPECT: 1[i] = i%4 == 0 ? a0[i/4] + 200 : i%4 == 1 ? a0[i/4]*a0[i/4] : i%4 == 2 ? -a0[i/4] : a0[i/4] - 100
#define BODY(T) \
    size_t g = get_global_id(0); \
    T x = in[g]; \
    out[4 * g + 1] = x * x;
kernel void ints(global const uint *in, global uint *out) {
    BODY(uint)
    out[4 * g] = x + INT_MAX;
    out[4 * g + 2] = -x - 0x7ffffff0;
    out[4 * g + 3] = x * -3 + 5;
}
kernel void longs(global const ulong *in, global ulong *out) {
    BODY(ulong)
    out[4 * g] = x + LONG_MAX;
    out[4 * g + 2] = -x;
    out[4 * g + 3] = x * -3 + 5;
}
kernel void uchars(global const uchar *in, global uchar *out) {
    BODY(uchar)
    out[4 * g] = x + 200;
    out[4 * g + 2] = -x;
    out[4 * g + 3] = x - 100;
}
