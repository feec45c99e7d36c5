// RUN: kernel=k local=16 groups=8
// RUN: kernel=k local=37 groups=8
// ARG: buffer int[G] = (i-64)*33554393
// ARG: buffer int[4*G] out
// EXPECT: 1[i] = i%4 == 0 ? a0[i/4]/7 : i%4 == 1 ? a0[i/4]%10 : i%4 == 2 ? a0[i/4]/-8 : a0[i/4]%1
kernel void k(global const int *in, global int *out) {
    size_t g = get_global_id(0);
    out[4 * g] = in[g] / 7;
    out[4 * g + 1] = in[g] % 10;
    out[4 * g + 2] = in[g] / -8;
    out[4 * g + 3] = in[g] % 1;
}
