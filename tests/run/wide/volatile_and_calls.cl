// Accesses that are volatile, and a function that is too large to be inlined.
// RUN: kernel=k local=37 groups=2
// ARG: buffer int[G] = 7*i
// ARG: buffer int[G] out
// EXPECT: 1 as interpreted
kernel void k(global volatile int *in, global volatile int *out) {
    int g = get_global_id(0);
    int x = in[g];
    if (x % 3)
        out[g] = in[(g * 5) % get_global_size(0)];
    else
        out[g] = popcount(x) + in[0];
}
