// Three rounds of passing a value to the right.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+3)%L
kernel void k(global int *out, local int *a, local int *b) {
    uint l = get_local_id(0), n = get_local_size(0);
    a[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    b[l] = a[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = b[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[(l + 1) % n];
}
