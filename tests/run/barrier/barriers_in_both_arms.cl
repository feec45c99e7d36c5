// Each group takes one arm; each arm has a barrier of its own.
// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L%2 ? i/L*L + (i%L+1)%L : 2*(i/L*L + L-1-i%L)
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0), x;
    if (get_group_id(0) & 1) {
        tmp[l] = g;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[(l + 1) % n];
    } else {
        tmp[l] = 2 * g;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tmp[n - 1 - l];
    }
    out[g] = x;
}
