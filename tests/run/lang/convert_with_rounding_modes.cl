// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer float[G] = (i-32)*0.5
// ARG: buffer int[5*G] out
// EXPECT: 1[i] = i%5 == 0 ? rint(a0[i/5]) : i%5 == 1 ? trunc(a0[i/5]) : i%5 == 2 ? ceil(a0[i/5]) : i%5 == 3 ? floor(a0[i/5]) : trunc(a0[i/5])
kernel void k(global const float *f, global int *out) {
    size_t g = get_global_id(0);
    out[5 * g] = convert_int_rte(f[g]);
    out[5 * g + 1] = convert_int_rtz(f[g]);
    out[5 * g + 2] = convert_int_rtp(f[g]);
    out[5 * g + 3] = convert_int_rtn(f[g]);
    out[5 * g + 4] = convert_int(f[g]);
}
