// RUN: kernel=k local=8 groups=1
// ARG: buffer float[8] = i == 0 ? nan : i == 1 ? inf : i == 2 ? -inf : i == 3 ? -0.0 : i == 4 ? 1.5 : i == 5 ? -2 : i == 6 ? 1e-40 : 0
// ARG: buffer int[8] out
// EXPECT: 1[i] = (i == 0) + 2*(i == 1 || i == 2) + 4*(i > 2) + 8*(i == 4 || i == 5) + 16*(i == 2 || i == 3 || i == 5) + 32*(i != 0) + 64*(i == 4 || i == 1) + 128*(i == 0)
kernel void k(global const float *in, global int *out) {
    size_t g = get_global_id(0);
    float x = in[g];
    out[g] = isnan(x) + 2 * isinf(x) + 4 * isfinite(x) + 8 * isnormal(x) + 16 * (signbit(x) && !isnan(x))
        + 32 * isequal(x, x) + 64 * isgreater(x, 1.0f) + 128 * isunordered(x, 1.0f);
}
