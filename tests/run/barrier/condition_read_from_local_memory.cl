// One work-item decides for its group; the decision reaches the others through local memory.
// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L%2 ? i/L*L + (i%L+1)%L : -1
kernel void k(global int *out, local int *tmp) {
    local int decision;
    int l = get_local_id(0), x = -1;
    if (l == 0)
        decision = get_group_id(0) % 2;
    tmp[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (decision) {
        x = tmp[(l + 1) % get_local_size(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        tmp[l] = x;
    }
    out[get_global_id(0)] = x;
}
