// The flags are a value, not only a literal.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+1)%L
kernel void k(global int *out, local int *tmp) {
    const cl_mem_fence_flags flags = CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE;
    int l = get_local_id(0);
    tmp[l] = get_global_id(0);
    barrier(flags);
    out[get_global_id(0)] = tmp[(l + 1) % get_local_size(0)];
}
