// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer int[G] = i%8-4
// ARG: buffer int[G] = i/8-4
// ARG: buffer int[G] out
// EXPECT: 2[i] = (a0[i] < a1[i]) + 2*(a0[i] <= a1[i]) + 4*(a0[i] > a1[i]) + 8*(a0[i] >= a1[i]) + 16*(a0[i] == a1[i]) + 32*(a0[i] != a1[i]) + 64*(uint(a0[i]) < uint(a1[i]))
kernel void k(global const int *a, global const int *b, global int *out) {
    size_t g = get_global_id(0);
    int x = a[g], y = b[g];
    out[g] = (x < y) + 2 * (x <= y) + 4 * (x > y) + 8 * (x >= y) + 16 * (x == y) + 32 * (x != y) + 64 * ((uint)x < (uint)y);
}
