// Work-efficient exclusive scan: an up-sweep and a down-sweep.
// RUN: kernel=k local=1 groups=3
// RUN: kernel=k local=2 groups=3
// RUN: kernel=k local=16 groups=3
// RUN: kernel=k local=64 groups=3
// RUN: kernel=k local=512 groups=3
// RUN: kernel=k local=64 groups=3 options="-cl-opt-disable"
// ARG: buffer int[2*G] = i%7
// ARG: buffer int[2*G] out
// ARG: local 8*L
// EXPECT: 1[i] = sum(k, i/(2*L)*(2*L), i, k%7)
kernel void k(global const int *in, global int *out, local int *tmp) {
    int l = get_local_id(0), n = 2 * get_local_size(0), base = get_group_id(0) * n, offset = 1;
    tmp[2 * l] = in[base + 2 * l];
    tmp[2 * l + 1] = in[base + 2 * l + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            tmp[offset * (2 * l + 2) - 1] += tmp[offset * (2 * l + 1) - 1];
        offset *= 2;
    }
    if (l == 0)
        tmp[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            int a = offset * (2 * l + 1) - 1, b = offset * (2 * l + 2) - 1;
            int old = tmp[a];
            tmp[a] = tmp[b];
            tmp[b] += old;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * l] = tmp[2 * l];
    out[base + 2 * l + 1] = tmp[2 * l + 1];
}
