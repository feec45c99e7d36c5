// The barrier keeps a later write from overtaking an earlier read of the same place.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = (i/L*L + (i%L+1)%L) + 1000*(i/L*L + (i%L+L-1)%L)
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0), n = get_local_size(0), g = get_global_id(0);
    tmp[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    int right = tmp[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    tmp[l] = 1000 * g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = right + tmp[(l + n - 1) % n];
}
