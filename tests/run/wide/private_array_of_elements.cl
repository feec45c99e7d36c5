// A private array: uniform and varying indices, filled by an initialiser, in a loop, under a condition.
// RUN: kernel=k local=37 groups=2
// RUN: kernel=k local=64 groups=2
// ARG: buffer int[G] = 7*i
// ARG: buffer int[G] out
// EXPECT: 1 as interpreted
kernel void k(global const int *in, global int *out) {
    int a[12] = {5, 4, 3}, g = get_global_id(0), x = in[g];
    for (int i = 3; i < 12; i++)
        a[i] = x + i;
    a[x % 12] += 100;
    if (x & 1)
        a[(x >> 1) % 12] = -x;
    int b[12];
    for (int i = 0; i < 12; i++)
        b[i] = a[11 - i];
    int sum = 0;
    for (int i = 0; i < (g & 7); i++)
        sum = sum * 3 + b[i];
    out[g] = sum + b[(g + x) % 12];
}
