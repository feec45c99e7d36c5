// && and || evaluate their right side only when it matters.
// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer int[G] = i%4
// ARG: buffer int[G] out
// EXPECT: 1[i] = (i%4 == 3) + 10*(i%4 != 0) + 100*(i%4 == 0) + 1000*(i%4 < 2 ? 1 : 2)
kernel void k(global const int *in, global int *out) {
    size_t g = get_global_id(0);
    int x = in[g], calls = 1;
    int both = (x & 1) && (x & 2);
    int either = (x & 1) || (x & 2);
    (void)(x >= 2 && calls++);
    out[g] = both + 10 * either + 100 * !x + 1000 * calls;
}
