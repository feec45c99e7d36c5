// 16777217 + 2k lies between two floats.
// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer int[G] = (16777217 + 2*i) * (i%2 ? -1 : 1)
// ARG: buffer float[4*G] out
// EXPECT: 1[i] = i%4 == 0 ? float(a0[i/4]) : i%4 == 1 ? trunc(a0[i/4] / 2.0)*2 : i%4 == 2 ? ceil(a0[i/4] / 2.0)*2 : floor(a0[i/4] / 2.0)*2
kernel void k(global const int *in, global float *out) {
    size_t g = get_global_id(0);
    out[4 * g] = convert_float(in[g]);
    out[4 * g + 1] = convert_float_rtz(in[g]);
    out[4 * g + 2] = convert_float_rtp(in[g]);
    out[4 * g + 3] = convert_float_rtn(in[g]);
}
