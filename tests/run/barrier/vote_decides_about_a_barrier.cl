// Any work-item can ask for a second round; all of them then take part in it.
// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L == 2 ? i/L*L + L-1-i%L : i
kernel void k(global int *out, local int *tmp) {
    local int votes;
    int l = get_local_id(0), n = get_local_size(0), x = get_global_id(0);
    if (l == 0)
        votes = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x == 2 * n + n / 2)
        atomic_inc(&votes);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (votes > 0) {
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[n - 1 - l];
    }
    out[get_global_id(0)] = x;
}
