// Wishes to unroll loops change nothing but speed: loops of known and unknown rounds, that lanes leave together or not,
// with `break` and `continue`, around a barrier, nested, and over a private array.
// RUN: kernel=k local=37 groups=2
// RUN: kernel=k local=64 groups=2
// ARG: buffer int[G] = 7*i
// ARG: buffer int[G] out
// ARG: scalar int 11
// ARG: local 4*L
// EXPECT: 1 as interpreted
kernel void k(global const int *in, global int *out, int n, local int *tile) {
    int g = get_global_id(0), l = get_local_id(0), L = get_local_size(0), x = in[g], h = 0, a[6];
    #pragma unroll
    for (int i = 0; i < 6; i++)
        a[i] = x ^ i;
    #pragma unroll 6
    for (int i = 0; i < 6; i++) {
        if (a[i] & 1)
            continue;
        h = h * 3 + a[i];
    }
    #pragma unroll
    for (int i = 0; i < 100; i++) {
        h += i;
        if (h % 13 == 5)
            break;
    }
    #pragma unroll 4
    for (int i = 0; i < n; i++)
        h = h * 5 + a[i % 6];
    #pragma unroll 3
    for (int i = 0; i < (x & 15); i++)
        h ^= h << 3 ^ i;
    __attribute__((opencl_unroll_hint(2)))
    for (int i = 0; i < 4; i++) {
        tile[l] = h;
        barrier(CLK_LOCAL_MEM_FENCE);
        h += tile[(l + 1 + i) % L];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    #pragma unroll
    for (int i = 0; i < 4; i++)
        #pragma unroll
        for (int j = 0; j <= i; j++)
            h = h * 7 + i * j;
    __attribute__((opencl_unroll_hint(1)))
    do
        h ^= h >> 1;
    while (h & 64);
    #pragma nounroll
    while (h > 1000)
        h /= 3;
    out[g] = h;
}
