// RUN: kernel=k local=* groups=4 std=CL3.0
// RUN: kernel=k local=64 groups=4 options="-cl-std=CL3.0 -cl-opt-disable"
// ARG: buffer int[8] = 0
// ARG: buffer int[1] = 0
// SKIP-PEER: an OpenCL C 3.0 platform without C11 atomics on named address spaces
// EXPECT: 0[i] = i == 0 ? G : i == 1 ? G - 1 : i == 2 ? -G : i == 3 ? G : i == 4 ? NG : i == 5 ? 7 : 0
kernel void k(global atomic_int *counters, global atomic_int *lock)
{
    local atomic_int here;
    if (get_local_id(0) == 0)
        atomic_init(&here, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    int i = get_global_id(0);
    atomic_fetch_add_explicit(&counters[0], 1, memory_order_relaxed, memory_scope_device);
    atomic_fetch_max_explicit(&counters[1], i, memory_order_acq_rel);
    atomic_fetch_sub(&counters[2], 1);
    atomic_fetch_add_explicit(&here, 1, memory_order_relaxed, memory_scope_work_group);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) {
        int mine = atomic_load_explicit(&here, memory_order_relaxed, memory_scope_work_group);
        int seen = atomic_load(&counters[3]);
        while (!atomic_compare_exchange_weak_explicit(&counters[3], &seen, seen + mine, memory_order_seq_cst, memory_order_relaxed))
            ;
        atomic_fetch_add(&counters[4], 1);
        atomic_store(&counters[5], 7);
    }
}
