// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = -1
// ARG: local 4*L
// EXPECT: 0[i] = i%L == L-1 ? sum(k, i/L*L, i+1, k) : -1
// SKIP-PEER: undefined before us; here, as on GPUs, returned work-items count as arrived
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0), n = get_local_size(0), total = 0;
    tmp[l] = get_global_id(0);
    if (l < n - 1)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < n; j++)
        total += tmp[j];
    out[get_global_id(0)] = total;
}
