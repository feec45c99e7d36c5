// Bytes, shorts and halves at places that each work-item finds in memory, for some of the items.
// RUN: kernel=gather local=*
// ARG: buffer int[G] = (i * 37 + 11) % 64
// ARG: buffer uchar[64] = 200 - 3*i
// ARG: buffer short[64] = 1000*i - 32000
// ARG: buffer half[64] = i * 0.25
// ARG: buffer float[G] out
// EXPECT: 4[i] = a0[i] % 3 == 0 ? -1 : (200 - 3*a0[i] + 1000*a0[i] - 32000) * 4 + a0[i]
kernel void gather(global const int *at, global const uchar *b, global const short *s, global const half *h, global float *out) {
    size_t i = get_global_id(0);
    float v = -1;
    if (at[i] % 3) {
        int sum = b[at[i]] + s[at[i]];
        v = sum * 4 + (float)h[at[i]] * 4;
    }
    out[i] = v;
}
// RUN: kernel=scatter local=64 groups=1
// RUN: kernel=scatter local=37 groups=1
// ARG: buffer int[64] = 13*i % 64
// ARG: buffer uchar[128] = 255
// ARG: buffer short[128] = -1
// EXPECT: 1[i] = i < 64 && 5*i % 64 < L && 5*i % 64 % 7 != 0 ? 5*i % 64 : 255
// EXPECT: 2[i] = i < 64 && 5*i % 64 < L && 5*i % 64 % 7 != 0 ? 5*i % 64 * 100 : -1
kernel void scatter(global const int *at, global uchar *b, global short *s) {
    int i = get_local_id(0);
    if (i % 7) {
        b[at[i]] = i;
        s[at[i]] = 100 * i;
    }
}
