// Some work-items load two elements, before the barrier.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = i*i%50
// ARG: buffer int[G] out
// ARG: local 4*(L+2)
// EXPECT: 1[i] = (i > 0 ? a0[i-1] : 0) + 2*a0[i] + (i+1 < G ? a0[i+1] : 0)
kernel void k(global const int *in, global int *out, local int *tmp) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0), total = get_global_size(0);
    tmp[l + 1] = in[g];
    if (l == 0)
        tmp[0] = g > 0 ? in[g - 1] : 0;
    if (l == n - 1)
        tmp[n + 1] = g + 1 < total ? in[g + 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tmp[l] + 2 * tmp[l + 1] + tmp[l + 2];
}
