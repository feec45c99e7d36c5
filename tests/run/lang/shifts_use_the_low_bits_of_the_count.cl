// OpenCL C: the count is taken modulo the width of the (promoted) left operand.
// RUN: kernel=k local=16 groups=8
// RUN: kernel=k local=37 groups=8
// ARG: buffer int[G] = i
// ARG: buffer int[4*G] out
// EXPECT: 1[i] = i%4 == 0 ? 0x12345 << i/4%32 : i%4 == 1 ? int(0x80000001 << 0) >> i/4%32 : i%4 == 2 ? uint(0x80000001) >> i/4%32 : long(3 << i/4%64) >> 32
kernel void k(global const int *in, global int *out) {
    size_t g = get_global_id(0);
    int n = in[g];
    out[4 * g] = 0x12345 << n;
    out[4 * g + 1] = (int)0x80000001 >> n;
    out[4 * g + 2] = 0x80000001u >> n;
    out[4 * g + 3] = (3L << n) >> 32;
}
