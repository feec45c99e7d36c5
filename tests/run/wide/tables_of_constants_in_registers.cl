// RUN: kernel=k local=*
// ARG: buffer float[G] out
// ARG: buffer double[G] out
// ARG: buffer long[G] out
// ARG: buffer int[G] = 7*i
// EXPECT: 0[i] = 1.5 * ((7*i & 31) + 1)
// EXPECT: 1[i] = 0.25 * (((7*i >> 2) & 15) + 1)
// EXPECT: 2[i] = i % 3 == 0 ? -1 : 1 << (7*i % 5)

constant float by_32[32] = {1.5f,  3,     4.5f,  6,     7.5f,  9,     10.5f, 12,    13.5f, 15,    16.5f,
                            18,    19.5f, 21,    22.5f, 24,    25.5f, 27,    28.5f, 30,    31.5f, 33,
                            34.5f, 36,    37.5f, 39,    40.5f, 42,    43.5f, 45,    46.5f, 48};
constant double by_16[16] = {0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 3.75, 4};
constant long by_5[5] = {1, 2, 4, 8, 16};

kernel void k(global float *a, global double *b, global long *c, global const int *n)
{
    size_t i = get_global_id(0);
    int at = n[i];
    a[i] = by_32[at & 31];
    b[i] = by_16[(long)at >> 2 & 15];
    c[i] = -1;
    if (i % 3 != 0)
        c[i] = by_5[at % 5];
}
