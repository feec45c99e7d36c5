// RUN: kernel=k local=* groups=6
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L + (i/L%4 == 3 ? 0 : i/L%4 + 1)) % L
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0), group = get_group_id(0) % 4;
    int x = get_global_id(0);
    tmp[l] = x;
    if (group == 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % n];
    } else if (group == 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 2) % n];
    } else if (group == 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 3) % n];
    }
    out[get_global_id(0)] = x;
}
