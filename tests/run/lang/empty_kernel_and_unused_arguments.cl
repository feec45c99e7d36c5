// RUN: kernel=k local=4
// RUN: kernel=k local=37
// ARG: buffer int[G] = i
// ARG: scalar float 1
// ARG: local 64
// EXPECT: 0[i] = i
kernel void k(global int *out, float unused, local int *also) {}
