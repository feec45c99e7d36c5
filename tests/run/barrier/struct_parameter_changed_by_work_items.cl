// Each work-item has its own copy of a struct argument.
// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// ARG: struct int 3, float 0.5, uchar 7
// EXPECT: 0[i] = 3*(i%L) + 1 + 7
// SKIP-PEER: PoCL 3.1 shares the copy between work-items with -cl-opt-disable
typedef struct { int a; float b; uchar c; } params;
kernel void k(global int *out, params p) {
    p.a *= (int)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    p.b *= 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p.a + (int)p.b + p.c;
}
