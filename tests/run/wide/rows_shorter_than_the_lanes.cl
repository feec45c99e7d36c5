// Groups whose rows have a half, a quarter or less of the items that suit the kernel: a tile in local memory between
// barriers, a private array with an index of the item's own, items that return early, and ids in both dimensions.
// RUN: kernel=k local=8,8 global=32,16
// RUN: kernel=k local=4,16 global=12,32
// RUN: kernel=k local=16,2 global=48,4
// RUN: kernel=k local=12,2 global=36,4
// ARG: buffer int[GX*GY] = 7*i%101
// ARG: buffer int[GX*GY] out
// ARG: local 4*L
// EXPECT: 1 as interpreted
kernel void k(global const int *in, global int *out, local int *tile) {
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), at = y * w + x;
    int lx = get_local_id(0), ly = get_local_id(1), n = get_local_size(0), m = get_local_size(1);
    int a[8], h = in[at];
    for (int i = 0; i < 8; i++)
        a[i] = h * i ^ lx;
    tile[ly * n + lx] = h;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++)
        h = h * 3 + tile[ly * n + i];
    for (int j = 0; j < m; j++)
        h ^= tile[j * n + (lx + j) % n] << (j & 7);
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[ly * n + lx] = h;
    out[at] = h;
    if ((h & 7) == 3)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < (h & 15); i++)
        h += a[(h + i) & 7];
    out[at] = h + a[h & 7];
}
