// options: -cl-std=CL3.0
// Local atomics are plain code, since one thread runs a group; global ones are atomic; device scope is a real fence.
kernel void atomics(global int *g, local int *l) {
    atomic_add(l, 1);
    atomic_add(g, 1);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    g[1] = l[0];
}
