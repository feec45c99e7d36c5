// A work-item reads, after the barrier, what its neighbour wrote before it.
// RUN: kernel=k local=* groups=4
// ARG: buffer int[G] = 3*i+1
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 1[i] = 3*(i/L*L + (i%L+1)%L) + 1
kernel void k(global const int *in, global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    tmp[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[(l + 1) % n];
}
