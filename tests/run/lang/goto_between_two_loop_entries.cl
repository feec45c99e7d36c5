// Irreducible control flow that differs between work-items.
// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer int[G] out
// EXPECT: 0[i] = i%2 ? 2 : 3
kernel void k(global int *out) {
    int g = get_global_id(0), heads = 0, rounds = 0;
    if (g % 2)
        goto middle;
head:
    heads++;
middle:
    if (++rounds < 3)
        goto head;
    out[g] = heads;
}
