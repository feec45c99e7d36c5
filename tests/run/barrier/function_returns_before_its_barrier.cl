// The function returns early for whole groups.
// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L%2 ? -i : i/L*L + (i%L+1)%L
int rotated(local int *tmp, int x) {
    if (get_group_id(0) % 2)
        return -x;
    tmp[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return tmp[(get_local_id(0) + 1) % get_local_size(0)];
}
kernel void k(global int *out, local int *tmp) {
    out[get_global_id(0)] = rotated(tmp, get_global_id(0));
}
