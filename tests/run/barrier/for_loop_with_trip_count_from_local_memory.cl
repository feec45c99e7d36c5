// RUN: kernel=k local=* groups=5
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L + 2*(i/L) + 1)%L
kernel void k(global int *out, local int *tmp) {
    local int steps;
    uint l = get_local_id(0), n = get_local_size(0);
    int x = get_global_id(0);
    if (l == n - 1)
        steps = 2 * get_group_id(0) + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 0; step < steps; step++) {
        tmp[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = x;
}
