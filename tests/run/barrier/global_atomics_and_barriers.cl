// Every group adds its total once.
// RUN: kernel=k local=* groups=9
// ARG: buffer int[1] = 0
// EXPECT: 0[i] = G*(G-1)/2
kernel void k(global int *total) {
    local int part;
    if (get_local_id(0) == 0)
        part = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&part, (int)get_global_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(total, part);
}
