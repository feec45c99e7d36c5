// Dense, sparse and negative labels, fall-through, default in the middle.
// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer int[G] = i%12-3
// ARG: buffer int[G] out
// EXPECT: 1[i] = a0[i] == -3 ? 1 : a0[i] == 0 ? 6 : a0[i] == 1 ? 5 : a0[i] == 2 ? 30 : a0[i] == 8 ? 40 : 99
kernel void k(global const int *in, global int *out) {
    int x = 0;
    switch (in[get_global_id(0)]) {
    case -3: x = 1; break;
    case 0: x += 1;
    case 1: x += 5; break;
    default: x = 99; break;
    case 2: x = 30; break;
    case 1000000: x = 50; break;
    case 8: x = 40;
    }
    out[get_global_id(0)] = x;
}
