// The right side of && runs for odd groups only.
// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L%2 && i/L*L + (i%L+1)%L > 5 ? 1 : 0
int rotated(local int *tmp, int x) {
    tmp[get_local_id(0)] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    return tmp[(get_local_id(0) + 1) % get_local_size(0)];
}
kernel void k(global int *out, local int *tmp) {
    int x = get_global_id(0);
    out[get_global_id(0)] = (get_group_id(0) & 1) && rotated(tmp, x) > 5;
}
