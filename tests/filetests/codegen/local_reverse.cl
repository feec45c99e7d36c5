// A barrier, local memory, ids: two loops over the items of a group.
kernel void reverse(global int *p, local int *tile) {
    int i = get_local_id(0), n = get_local_size(0);
    tile[i] = p[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[get_global_id(0)] = tile[n - 1 - i];
}
