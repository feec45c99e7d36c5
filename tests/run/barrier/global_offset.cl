// RUN: kernel=k local=* groups=3 offset=1000
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = 1000 + i/L*L + (i%L+1)%L
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0);
    tmp[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0) - 1000] = tmp[(l + 1) % get_local_size(0)];
}
