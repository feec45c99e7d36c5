// Serial parts between barriers, as in many reductions.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = i
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 1[i] = L*(i/L*L) + L*(L-1)/2
kernel void k(global const int *in, global int *out, local int *tmp) {
    local int total;
    int l = get_local_id(0), n = get_local_size(0);
    tmp[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        total = 0;
        for (int j = 0; j < n; j++)
            total += tmp[j];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = total;
}
