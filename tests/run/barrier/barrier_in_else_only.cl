// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L < 2 ? -1 : i/L*L + (i%L+1)%L
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0), g = get_global_id(0), x;
    if (get_group_id(0) < 2) {
        x = -1;
    } else {
        tmp[l] = g;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % get_local_size(0)];
    }
    out[g] = x;
}
