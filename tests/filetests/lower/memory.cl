// Objects: structs, bit-fields, arrays, vectors, address spaces.
#pragma OPENCL EXTENSION __cl_clang_bitfields : enable
typedef struct { int a; uint b : 3, c : 7; int d : 5; float4 v; } S;
constant int table[2] = { 3, 4 };
S make(S s, int x) { s.c = x; s.d -= 1; S t = s; t.v.x = s.v.y; return t; }
kernel void k(global float4 *out, constant int *in, local int *tmp, S s, global volatile int *vol, const global int *restrict r) {
    local int shared[8];
    int a[3] = { 1, 2 };
    S q = make(s, a[in[0]]), *p = &q;
    out[1].zx = out[0].xy * 2; out[2].w = p->v.s3; out[3] = (float4)(q.v.lo, 1, 2);
    shared[1] = table[1] + (int)sizeof(s);
    *vol = *vol + r[2] + tmp[p - &q];
    q = s; q = make(q, 1);
    S lit = (S){ .b = 2, .v = (float4)(0) };
    out[4] = lit.v; a[1]++; out[5] = (in[0] ? q : lit).v;
}
