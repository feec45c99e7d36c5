// RUN: kernel=k local=* groups=5
// ARG: buffer int[G] = -1
// ARG: local 4*L
// EXPECT: 0[i] = i/L%3 == 1 ? -1 : i/L*L + (i%L+1)%L
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0);
    if (get_group_id(0) % 3 == 1)
        return;
    tmp[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[(l + 1) % get_local_size(0)];
}
