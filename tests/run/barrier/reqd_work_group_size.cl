// RUN: kernel=k global=24,4 local=8,2
// ARG: buffer int[G] out
// EXPECT: 0[i] = i%GX/8*8 + 7-i%8 + 100*(i/GX/2*2 + 1-i/GX%2)
kernel __attribute__((reqd_work_group_size(8, 2, 1))) void k(global int *out) {
    local int tmp[16];
    uint at = get_local_id(1) * 8 + get_local_id(0);
    tmp[at] = get_global_id(0) + 100 * get_global_id(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = tmp[15 - at];
}
