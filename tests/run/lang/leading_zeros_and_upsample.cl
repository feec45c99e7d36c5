// RUN: kernel=k local=16 groups=2
// ARG: buffer int[G] out
// ARG: buffer int[G] out
// ARG: buffer ulong[G] out
// ARG: buffer uchar[G] out
// EXPECT: 0[i] = 31-i
// EXPECT: 1[i] = (i-5)*65536 + 7
// EXPECT: 2[i] = 0x100000000*i + 9
// EXPECT: 3[i] = i%8 == 0 ? 8 : i%8 == 1 ? 7 : i%8 < 4 ? 6 : 5
kernel void k(global int *a, global int *b, global ulong *c, global uchar *d) {
    int g = get_global_id(0);
    a[g] = clz(1 << g);
    b[g] = upsample((short)(g - 5), (ushort)7);
    c[g] = upsample((uint)g, 9u);
    d[g] = clz((uchar)(g % 8));
}
