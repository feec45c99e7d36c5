// Groups that run at the same time do not see each other's local memory.
// RUN: kernel=k local=* groups=64
// ARG: buffer int[G] out
// EXPECT: 0[i] = i/L
kernel void k(global int *out) {
    local int mine;
    if (get_local_id(0) == 0)
        mine = get_group_id(0);
    for (int step = 0; step < 4; step++)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = mine;
}
