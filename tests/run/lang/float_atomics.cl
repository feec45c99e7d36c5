// Sums whose terms are small integers are exact in any order.
// RUN: kernel=k local=* groups=3 std=CL3.0
// RUN: kernel=k local=16 groups=3
// ARG: buffer float[4] = i == 2 ? 5 : i == 3 ? 10 : 0
// ARG: buffer double[4] = i == 2 ? 5 : i == 3 ? 10 : 0
// ARG: buffer float[3*NG] out
// EXPECT: 0[i] = i == 0 ? G*(G-1)/2 : i == 1 ? -2*G : i == 2 ? -1 : max(10, G - 1)
// EXPECT: 1[i] = i == 0 ? G*(G-1)/2 : i == 1 ? -2*G : i == 2 ? -1 : max(10, G - 1)
// EXPECT: 2[i] = i%3 == 0 ? L*(L-1)/2 : i%3 == 1 ? L - 1 : 3
#ifndef cl_ext_float_atomics
#error
#endif
kernel void k(volatile global atomic_float *f, volatile global atomic_double *d, global float *out) {
    local atomic_float sum, largest, stored;
    int g = get_global_id(0), l = get_local_id(0);
    if (l == 0) {
        atomic_init(&sum, 0.0f);
        atomic_init(&largest, -1.0f);
        atomic_store(&stored, 3.0f);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add(&f[0], (float)g);
    atomic_fetch_sub_explicit(&f[1], 2.0f, memory_order_relaxed);
    atomic_fetch_min_explicit(&f[2], (float)(g - 1), memory_order_acq_rel, memory_scope_all_devices);
    atomic_fetch_max(&f[3], g);
    atomic_fetch_add_explicit(&d[0], (double)g, memory_order_seq_cst, memory_scope_device);
    atomic_fetch_sub(&d[1], 2.0);
    atomic_fetch_min(&d[2], g - 1.0);
    atomic_fetch_max_explicit(&d[3], (double)g, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_add_explicit(&sum, (float)l, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_max(&largest, (float)l);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        int n = 3 * get_group_id(0);
        out[n] = atomic_load(&sum);
        out[n + 1] = atomic_exchange(&largest, 0.0f);
        out[n + 2] = atomic_load(&stored);
    }
}
