// Odd groups meet the barrier, even groups do not.
// RUN: kernel=k local=* groups=5
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L%2 ? i/L*L + (i%L+1)%L : -i
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0), g = get_global_id(0), x = -g;
    if (get_group_id(0) & 1) {
        tmp[l] = g;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % get_local_size(0)];
    }
    out[g] = x;
}
