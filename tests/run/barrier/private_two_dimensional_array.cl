// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = i*10 + i%3*4 + (i+1)%4
kernel void k(global int *out) {
    int g = get_global_id(0), a[3][4];
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 4; x++)
            a[y][x] = 10 * g + 4 * y + x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a[g % 3][(g + 1) % 4];
}
