// RUN: kernel=k local=* groups=3 offset=5
// ARG: buffer int[G] out
// EXPECT: 0[i] = (i+5) + i%L*2 + i/L*3 + G + L + NG + 5 + 1
kernel void k(global int *out) {
    size_t a = get_global_id(0) + get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t b = get_local_id(0) + 3 * get_group_id(0) + get_global_size(0) + get_local_size(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0) - get_global_offset(0)] = a + b + get_num_groups(0) + get_global_offset(0) + get_work_dim();
}
