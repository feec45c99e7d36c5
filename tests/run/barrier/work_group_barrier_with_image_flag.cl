// CLK_IMAGE_MEM_FENCE may be combined with the others.
// RUN: kernel=k local=* groups=3 std=CL3.0
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+1)%L
kernel void k(global int *out, local int *tmp) {
    int l = get_local_id(0);
    tmp[l] = get_global_id(0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE);
    out[get_global_id(0)] = tmp[(l + 1) % get_local_size(0)];
}
