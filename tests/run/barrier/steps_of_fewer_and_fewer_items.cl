// Between barriers only the items below a limit do something; the limit may be any, and may differ by the way taken.
// RUN: kernel=k local=* groups=2
// RUN: kernel=k global=70,6 local=35,3
// RUN: kernel=k global=64,8 local=32,4
// ARG: buffer int[G] = i*7%11
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 1 as interpreted
kernel void k(global const int *in, global int *out, local int *tile) {
    int l = get_local_id(0), w = get_local_size(0);
    int row = get_local_id(1) * w;
    int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    tile[row + l] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = w / 2; k > 0; k >>= 1) {
        if (l < k)
            tile[row + l] += tile[row + l + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    int limit = w / 3 - 2, mine = tile[row];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 0; step < 5; step++) {
        if (step & 1) {
            if (!(l > limit))
                tile[row + l] = mine + step;
        } else {
            if ((uint)l <= (uint)(step + limit))
                tile[row + l] -= l;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == step)
            tile[row + l] += 1000;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (w > 2 * step)
            mine += tile[row];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[at] = tile[row + l] + mine;
}
