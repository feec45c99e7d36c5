// barrier(0) orders no memory, but everything private stays alive across it.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = 5*i-2
// ARG: buffer int[G] out
// EXPECT: 1[i] = (5*i-2)*3 + i%L
kernel void k(global const int *in, global int *out) {
    int x = in[get_global_id(0)] * 3;
    barrier(0);
    out[get_global_id(0)] = x + (int)get_local_id(0);
}
