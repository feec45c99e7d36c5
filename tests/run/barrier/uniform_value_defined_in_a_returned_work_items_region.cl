// The first work-item returns; what the group agreed on is still there for the others.
// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] = -1
// ARG: scalar int 3
// EXPECT: 0[i] = i%L == 0 ? -1 : 7*3 + i/L
// SKIP-PEER: undefined before us; here, as on GPUs, returned work-items count as arrived
kernel void k(global int *out, int factor) {
    if (get_local_id(0) == 0)
        return;
    int common = 7 * factor + get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = common;
}
