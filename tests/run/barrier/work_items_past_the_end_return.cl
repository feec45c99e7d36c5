// The usual bounds check in front of barriers: the last group is cut in the middle.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] = -1
// ARG: local 4*L
// ARG: scalar int G-L/2
// EXPECT: 0[i] = i >= G-L/2 ? -1 : i/L*L + max(i%L-1, 0)
// SKIP-PEER: undefined before us; here, as on GPUs, returned work-items count as arrived
kernel void k(global int *out, local int *tmp, int end) {
    int l = get_local_id(0), g = get_global_id(0);
    if (g >= end)
        return;
    tmp[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = tmp[max(l - 1, 0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = x;
}
