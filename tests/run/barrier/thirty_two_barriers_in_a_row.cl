// Straight-line code with many barriers.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: local 4*L
// ARG: local 4*L
// EXPECT: 0[i] = i/L*L + (i%L+32)%L
#define STEP(from, to) to[l] = from[(l + 1) % n]; barrier(CLK_LOCAL_MEM_FENCE);
#define TWO STEP(a, b) STEP(b, a)
#define EIGHT TWO TWO TWO TWO
kernel void k(global int *out, local int *a, local int *b) {
    uint l = get_local_id(0), n = get_local_size(0);
    a[l] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    EIGHT EIGHT EIGHT EIGHT
    out[get_global_id(0)] = a[l];
}
