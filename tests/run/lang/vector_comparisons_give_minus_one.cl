// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer int[4*G] = i%5
// ARG: buffer int[4*G] = i%3
// ARG: buffer float[4*G] = i%4
// ARG: buffer int[4*G] out
// EXPECT: 3[i] = -(a0[i] < a1[i]) - 2*(a0[i] == a1[i]) - 4*(a2[i] >= 2) - 8*(a0[i] == 0) - 16*(a0[i] && a1[i]) - 32*(a0[i] || a1[i])
kernel void k(global const int4 *a, global const int4 *b, global const float4 *f, global int4 *out) {
    size_t g = get_global_id(0);
    int4 x = a[g], y = b[g];
    out[g] = (x < y) + 2 * (x == y) + 4 * (f[g] >= 2.0f) + 8 * !x + 16 * (x && y) + 32 * (x || y);
}
