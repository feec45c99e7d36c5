// Items that share loads run in several chunks at once, with an accumulator that lives across barriers.
// RUN: kernel=k global=66 local=33
// RUN: kernel=k global=128 local=64
// RUN: kernel=k global=256 local=256
// RUN: kernel=k global=192 local=96
// RUN: kernel=k global=200 local=100
// RUN: kernel=k global=240 local=80
// ARG: buffer int[G] = i*7%11
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 1[i] = sum(k, 0, G, (a0[k] - i) * (k%L + 1))
kernel void k(global const int *in, global int *out, local int *tile) {
    int l = get_local_id(0), size = get_local_size(0), x = get_global_id(0);
    int total = 0;
    for (int t = 0; t < get_num_groups(0); t++) {
        tile[l] = in[t * size + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < size; j++)
            total += (tile[j] - x) * (j + 1);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[x] = total;
}
