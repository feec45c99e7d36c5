// A barrier at each level of nested ifs.
// RUN: kernel=k local=* groups=8
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L + (i/L&1) + (i/L&1)*(i/L>>1&1) + (i/L&1)*(i/L>>1&1)*(i/L>>2&1)) % L
void rotate(local int *tmp, int *x) {
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[get_local_id(0)] = *x;
    barrier(CLK_LOCAL_MEM_FENCE);
    *x = tmp[(get_local_id(0) + 1) % get_local_size(0)];
}
kernel void k(global int *out, local int *tmp) {
    uint group = get_group_id(0);
    int x = get_global_id(0);
    if (group & 1) {
        rotate(tmp, &x);
        if (group & 2) {
            rotate(tmp, &x);
            if (group & 4)
                rotate(tmp, &x);
        }
    }
    out[get_global_id(0)] = x;
}
