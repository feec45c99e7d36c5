// Indices made from ids by masks, minima, quotients and remainders with values that are the same for all.
// RUN: kernel=k local=37 groups=2
// RUN: kernel=k local=64 groups=2
// ARG: buffer int[4*G] = 7*i
// ARG: buffer int[G] out
// ARG: scalar int 32
// ARG: scalar int 48
// ARG: scalar uint 64
// ARG: scalar int -17
// EXPECT: 1 as interpreted
kernel void k(global const int *in, global int *out, int run, int width, uint mask, int low) {
    int g = get_global_id(0), l = get_local_id(0), n = get_global_size(0);
    uint u = g;
    int sum = in[g ^ run] + in[g & (run - 1)] * 3 + in[g | run] * 5 + in[(g - 1) & (int)(mask - 1)] * 7;
    sum += in[min(max(g - 2, 0), n - 1)] + in[min(g + 20, width)] * 3 + in[max(g + low, 0)] * 5;
    sum += in[g % width] + in[g / width] * 3 + in[(g / width) * width + g % width] * 5 + in[u % mask] * 7 + in[u / mask];
    sum += in[l & 15] + in[l & ~15] * 3 + in[l % 16 + 16 * (l / 16)] * 5 + in[l >> 4] * 7 + in[(l ^ 1)] + in[u >> 3];
    sum += in[abs((g + low) % width)] + in[(uint)(g + low) & 63];
    out[g] = sum;
}
