// RUN: kernel=k local=* groups=2 std=CL3.0
// ARG: buffer int[2] = 0
// ARG: buffer int[G] out
// ARG: scalar int 2
// EXPECT: 0[i] = i == 0 ? (G+1)/2 : 0
// EXPECT: 1[i] = i%L ? 0 : L - ((i+L+1)/2 - (i+1)/2)
kernel void k(global int *a, global int *out, int two) {
    local atomic_int l;
    int g = get_global_id(0);
    if (get_local_id(0) == 0)
        atomic_init(&l, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    volatile atomic_int *p = g % two ? (volatile atomic_int *)&l : (volatile atomic_int *)(global atomic_int *)a;
    atomic_fetch_add_explicit(p, 1, memory_order_relaxed, memory_scope_device);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = get_local_id(0) ? 0 : atomic_load(&l);
}
