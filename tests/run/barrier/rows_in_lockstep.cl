// Rows that share loads run several at once: eight, then four of those that are left, then one by one.
// RUN: kernel=k global=32,16 local=16,16
// RUN: kernel=k global=32,39 local=16,13
// RUN: kernel=k global=64,14 local=32,7
// RUN: kernel=k global=48,22 local=48,11
// RUN: kernel=k global=32,12 local=16,4
// RUN: kernel=k global=32,9 local=16,3
// RUN: kernel=k global=34,18 local=17,9
// ARG: buffer int[G] = i*7%11
// ARG: buffer int[G] out
// ARG: local 4*LX
// EXPECT: 1[i] = sum(k, 0, 4*LX, (a0[k%LX + k/LX] - i/GX) * (k%LX + 1))
kernel void k(global const int *in, global int *out, local int *tile) {
    int lx = get_local_id(0), size = get_local_size(0), x = get_global_id(0), y = get_global_id(1);
    int total = 0;
    for (int t = 0; t < 4; t++) {
        if (get_local_id(1) == 0)
            tile[lx] = in[lx + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < size; j++)
            total += (tile[j] - y) * (j + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[y * get_global_size(0) + x] = total;
}
