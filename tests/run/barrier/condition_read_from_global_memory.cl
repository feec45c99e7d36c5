// The decision stands in a buffer, one entry for each group.
// RUN: kernel=k local=* groups=6
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: buffer int[NG] = i % 3 == 1
// EXPECT: 0[i] = i/L%3 == 1 ? i/L*L + (i%L+1)%L : -1
kernel void k(global int *out, local int *tmp, global const int *decision) {
    int l = get_local_id(0), x = -1;
    if (decision[get_group_id(0)]) {
        tmp[l] = get_global_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % get_local_size(0)];
    }
    out[get_global_id(0)] = x;
}
