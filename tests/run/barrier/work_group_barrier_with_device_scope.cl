// A wider scope orders at least what the work-group's own scope does.
// RUN: kernel=k local=* groups=3 std=CL3.0
// ARG: buffer int[G] out
// ARG: buffer int[G] out
// EXPECT: 1[i] = i/L*L + (i%L+1)%L
kernel void k(global int *work, global int *out) {
    size_t l = get_local_id(0), n = get_local_size(0), base = get_group_id(0) * n;
    work[base + l] = base + l;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    out[base + l] = work[base + (l + 1) % n];
}
