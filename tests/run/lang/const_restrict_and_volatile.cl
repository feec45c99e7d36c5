// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer int[G] = i
// ARG: buffer int[G] = 0
// EXPECT: 1[i] = i*2
kernel void k(global const int *restrict in, volatile global int *restrict out) {
    const int g = get_global_id(0);
    out[g] = in[g];
    out[g] += in[g];
}
