// The trip count depends on the group's place along z.
// RUN: kernel=k global=4,4,8 local=2,2,2
// ARG: buffer int[G] out
// EXPECT: 0[i] = 2*(i/GX/GY/LZ)
kernel void k(global int *out) {
    local int count;
    bool first = get_local_id(0) + get_local_id(1) + get_local_id(2) == 0;
    if (first)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 0; step < get_group_id(2); step++) {
        if (first)
            count += 2;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[(get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0)] = count;
}
