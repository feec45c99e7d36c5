// Work-items that have returned do not hold up the rest.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = -1
// ARG: local 4*L
// EXPECT: 0[i] = i%L%2 ? -1 : i/L*L + (i%L+2 < L ? i%L+2 : 0)
// SKIP-PEER: undefined before us; here, as on GPUs, returned work-items count as arrived
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0), n = get_local_size(0);
    if (l % 2)
        return;
    tmp[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[l + 2 < n ? l + 2 : 0];
}
