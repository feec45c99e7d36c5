// half_sin, half_cos and half_tan serve up to 2^16 (OpenCL C 3.0, 6.15.2); beyond, they give some sine, cosine or tangent,
// and no number for infinities.
// RUN: kernel=k local=* groups=1
// ARG: buffer float[8] = i == 0 ? 65536 : i == 1 ? 65537 : i == 2 ? -1e10 : i == 3 ? 1e30 : i == 4 ? -3e38 : i == 5 ? inf : i == 6 ? -inf : nan
// ARG: buffer int[24] = 1
// EXPECT: 1[i] = 1
kernel void k(global const float *in, global int *out) {
    if (get_global_id(0) == 0)
        for (int i = 0; i < 8; i++) {
            float x = in[i], s = half_sin(x), c = half_cos(x), t = half_tan(x);
            bool odd = isnan(x) || isinf(x);
            out[3 * i] = odd ? isnan(s) : fabs(s) <= 1;
            out[3 * i + 1] = odd ? isnan(c) : fabs(c) <= 1;
            out[3 * i + 2] = odd ? isnan(t) : isfinite(t);
        }
}
// RUN: kernel=each local=8 groups=1
// ARG: buffer float[8] = i == 0 ? 65536 : i == 1 ? 65537 : i == 2 ? -1e10 : i == 3 ? 1e30 : i == 4 ? -3e38 : i == 5 ? inf : i == 6 ? -inf : nan
// ARG: buffer int[8] = 0
// EXPECT: 1[i] = 7
kernel void each(global const float *in, global int *out) {
    int i = get_global_id(0);
    float x = in[i], s = half_sin(x), c = half_cos(x), t = half_tan(x);
    bool odd = isnan(x) || isinf(x);
    out[i] = (odd ? isnan(s) : fabs(s) <= 1) + 2 * (odd ? isnan(c) : fabs(c) <= 1) + 4 * (odd ? isnan(t) : isfinite(t));
}
