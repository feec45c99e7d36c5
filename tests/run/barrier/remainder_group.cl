// OpenCL 3.0: the last group of a non-uniform range is smaller, and synchronises among itself.
// RUN: kernel=k global=10 local=4 std=CL3.0
// RUN: kernel=k global=100 local=33 std=CL3.0
// RUN: kernel=k global=5 local=64 std=CL3.0
// RUN: kernel=k global=1025 local=256 std=CL3.0
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+1) % min(L, G - i/L*L)
// SKIP-PEER: PoCL 3.1 has no non-uniform work-groups
kernel void k(global int *out, local int *tmp) {
    uint l = get_local_id(0), n = get_local_size(0);
    tmp[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tmp[(l + 1) % n];
}
