// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: buffer int[G] = (i*7+3) % 16
// EXPECT: 0[i] = i*100 + a1[i] + i*100 + (a1[i]+5)%16
kernel void k(global int *out, global const int *where) {
    int g = get_global_id(0), a[16];
    for (int j = 0; j < 16; j++)
        a[(j + g) % 16] = 100 * g + (j + g) % 16;
    barrier(CLK_LOCAL_MEM_FENCE);
    int first = a[where[g]];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = first + a[(where[g] + 5) % 16];
}
