// RUN: kernel=k local=4
// RUN: kernel=k local=37
// ARG: scalar char -5
// ARG: scalar int3 1, 2, 3
// ARG: scalar float2 0.5, 1.5
// ARG: scalar ulong 0x100000000
// ARG: scalar double4 1, 2, 3, 4
// ARG: scalar uchar8 1, 2, 3, 4, 5, 6, 7, 8
// ARG: buffer int[G] out
// EXPECT: 6[i] = -5 + 6 + 2 + 1 + 10 + 36
kernel void k(char a, int3 b, float2 c, ulong d, double4 e, uchar8 f, global int *out) {
    out[get_global_id(0)] = a + b.x + b.y + b.z + (int)(c.x + c.y) + (int)(d >> 32) + (int)(e.x + e.y + e.z + e.w)
        + f.s0 + f.s1 + f.s2 + f.s3 + f.s4 + f.s5 + f.s6 + f.s7;
}
