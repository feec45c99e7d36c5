// RUN: kernel=k global=6,4,2 local=3,2,1 offset=10,20,30
// ARG: buffer int[G] out
// ARG: buffer int[11] out
// EXPECT: 0[i] = (i%6+10) + 100*(i/6%4+20) + 10000*(i/24+30) + 1000000*(i%6%3 + i/6%4%2 + i%6/3 + i/6%4/2 + i/24)
// EXPECT: 1[i] = i == 0 ? 3 : i == 1 ? 6 : i == 2 ? 4 : i == 3 ? 2 : i == 4 ? 3 : i == 5 ? 2 : i == 6 ? 1 : i == 7 ? 2 : i == 8 ? 2 : i == 9 ? 2 : 60
kernel void k(global int *out, global int *sizes) {
    size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
           z = get_global_id(2) - get_global_offset(2);
    size_t at = (z * get_global_size(1) + y) * get_global_size(0) + x;
    out[at] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2)
        + 1000000 * (get_local_id(0) + get_local_id(1) + get_group_id(0) + get_group_id(1) + get_group_id(2));
    if (at == 0) {
        sizes[0] = get_work_dim();
        for (int d = 0; d < 3; d++) {
            sizes[1 + d] = get_global_size(d);
            sizes[4 + d] = get_local_size(d);
            sizes[7 + d] = get_num_groups(d);
        }
        sizes[10] = get_global_offset(0) + get_global_offset(1) + get_global_offset(2);
    }
}
