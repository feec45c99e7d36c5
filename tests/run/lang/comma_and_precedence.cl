// RUN: kernel=k local=4
// RUN: kernel=k local=37
// ARG: buffer int[G] out
// EXPECT: 0[i] = (1 + 2*3 << 1 & 12 | 1) + (7 - 2 - 1) + (i ? 2 : 3) + 64/4/2 + (5 > 3 == 1) + 9
kernel void k(global int *out) {
    int g = get_global_id(0), a, b;
    a = (b = 4, b + 5);
    out[g] = (1 + 2 * 3 << 1 & 12 | 1) + (7 - 2 - 1) + (g ? 2 : 0 ? 1 : 3) + 64 / 4 / 2 + (5 > 3 == 1) + a;
}
