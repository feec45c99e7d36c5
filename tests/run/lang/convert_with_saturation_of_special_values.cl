// RUN: kernel=k local=1 groups=1
// ARG: buffer float[4] = i == 0 ? inf : i == 1 ? -inf : i == 2 ? nan : 3e9
// ARG: buffer int[4] out
// EXPECT: 1[i] = i == 0 ? 2147483647 : i == 1 ? -2147483648 : i == 2 ? 0 : 2147483647
kernel void k(global const float *f, global int *out) {
    for (int j = 0; j < 4; j++)
        out[j] = convert_int_sat(f[j]);
}
