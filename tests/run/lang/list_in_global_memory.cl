// Each work-item follows links for its own number of steps.
// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer int[G] = (i + 7) % G
// ARG: buffer int[G] out
// EXPECT: 1[i] = (i + 7*(i%10)) % G
kernel void k(global const int *next, global int *out) {
    int g = get_global_id(0), at = g;
    for (int steps = g % 10; steps > 0; steps--)
        at = next[at];
    out[g] = at;
}
