// convert_ to and from half with every rounding and saturation, over values that are exact, halfway, between, too big and
// too small. The interpreter is the reference for the rest of the values, formulas for the plain ones.
// RUN: kernel=from_int local=16 global=512
// RUN: kernel=from_int local=37 global=555
// ARG: buffer long[G] = i%3 == 0 ? i*i*i*i - 100*i : i%3 == 1 ? (i - 256) * (1 << (i%50)) : 65504 + i/3 - 60
// ARG: buffer half[8*G] out
// EXPECT: 1 as interpreted
// EXPECT: 1[i] = a0[i/8] where i%8 < 2
// RUN: kernel=from_double local=16 global=512
// RUN: kernel=from_double local=37 global=555
// ARG: buffer double[G] = i%4 == 0 ? (i - 256) * 0.1 : i%4 == 1 ? (2049 + i) * 0.5 : i%4 == 2 ? (i - 250) * 520.25 : (i - 256) * 1.7 / (1 << 28)
// ARG: buffer half[8*G] out
// ARG: buffer half[8*G] out
// EXPECT: 1 as interpreted
// EXPECT: 2 as interpreted
// EXPECT: 1[i] = a0[i/8] where i%8 < 2
// RUN: kernel=to_int local=16 global=2048
// ARG: buffer ushort[G] = 32*i + i%32
// ARG: buffer int[4*G] out
// ARG: buffer char[8*G] out
// ARG: buffer ulong[2*G] out
// EXPECT: 1 as interpreted
// EXPECT: 2 as interpreted
// EXPECT: 3 as interpreted
kernel void from_int(global const long *in, global half *out) {
    size_t g = get_global_id(0);
    long x = in[g];
    global half *o = out + 8 * g;
    o[0] = convert_half(x);
    o[1] = convert_half_rte(x);
    o[2] = convert_half_rtz(x);
    o[3] = convert_half_rtp(x);
    o[4] = convert_half_rtn(x);
    o[5] = convert_half_rtz((uint)x);
    o[6] = convert_half_rtp((ushort)x);
    o[7] = convert_half_rtn((short)x);
}
kernel void from_double(global const double *in, global half *out, global half *more) {
    size_t g = get_global_id(0);
    double x = in[g];
    global half *o = out + 8 * g;
    o[0] = convert_half(x);
    o[1] = (half)x;
    o[2] = convert_half_rtz(x);
    o[3] = convert_half_rtp(x);
    o[4] = convert_half_rtn(x);
    o[5] = convert_half_rtz((float)x);
    o[6] = convert_half_rtp((float)x);
    o[7] = convert_half_rtn((float)x);
    vstore8(convert_half8_rtn((float8)((float)x) * (float8)(1, 2, 3, 4, 5, 6, 7, 8)), g, more);
}
kernel void to_int(global const half *in, global int *out, global char *c, global ulong *u) {
    size_t g = get_global_id(0);
    half x = in[g];
    half finite = isfinite(x) ? x : 0.0h;
    out[4 * g] = convert_int_rte(finite);
    out[4 * g + 1] = convert_int_rtp(finite);
    out[4 * g + 2] = convert_int_rtn(finite);
    out[4 * g + 3] = convert_int_sat(x);
    c[8 * g] = convert_char_sat(x);
    c[8 * g + 1] = convert_char_sat_rte(x);
    c[8 * g + 2] = convert_char_sat_rtp(x);
    c[8 * g + 3] = convert_uchar_sat_rtn(x);
    vstore4(convert_char4_sat_rte((half4)(x, -x, x * 2, 1)), 2 * g + 1, c);
    u[2 * g] = convert_ulong_sat(x);
    u[2 * g + 1] = convert_ulong_sat_rte(x);
}
