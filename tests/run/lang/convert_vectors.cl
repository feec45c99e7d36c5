// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer float[8*G] = i*1.5 - 100
// ARG: buffer short[8*G] out
// ARG: buffer double[8*G] out
// ARG: buffer uchar[8*G] out
// EXPECT: 1[i] = int(a0[i])
// EXPECT: 2[i] = a0[i]
// EXPECT: 3[i] = max(0, min(255, int(rint(a0[i]))))
kernel void k(global const float8 *in, global short8 *a, global double8 *b, global uchar8 *c) {
    size_t g = get_global_id(0);
    a[g] = convert_short8(in[g]);
    b[g] = convert_double8(in[g]);
    c[g] = convert_uchar8_sat_rte(in[g]);
}
