// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer float[G] = (i-32)*20.5
// ARG: buffer int[G] = (i-32)*100000000
// ARG: buffer uchar[G] out
// ARG: buffer char[G] out
// ARG: buffer short[G] out
// ARG: buffer uint[G] out
// EXPECT: 2[i] = max(0, min(255, int(a0[i])))
// EXPECT: 3[i] = max(-128, min(127, int(a0[i])))
// EXPECT: 4[i] = max(-32768, min(32767, a1[i]))
// EXPECT: 5[i] = max(0, a1[i])
kernel void k(global const float *f, global const int *n, global uchar *a, global char *b, global short *c, global uint *d) {
    size_t g = get_global_id(0);
    a[g] = convert_uchar_sat(f[g]);
    b[g] = convert_char_sat(f[g]);
    c[g] = convert_short_sat(n[g]);
    d[g] = convert_uint_sat(n[g]);
}
