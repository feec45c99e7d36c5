// Tree reduction; the stride is a private value that all work-items agree on.
// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] = i+1
// ARG: buffer int[NG] out
// ARG: local 4*L
// EXPECT: 1[i] = L*(i*L) + L*(L+1)/2
kernel void k(global const int *in, global int *out, local int *tmp) {
    uint l = get_local_id(0), left = get_local_size(0);
    tmp[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    while (left > 1) {
        uint half_way = (left + 1) / 2;
        if (l + half_way < left)
            tmp[l] += tmp[l + half_way];
        barrier(CLK_LOCAL_MEM_FENCE);
        left = half_way;
    }
    if (l == 0)
        out[get_group_id(0)] = tmp[0];
}
