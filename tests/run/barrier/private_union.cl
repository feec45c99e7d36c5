// RUN: kernel=k local=* groups=3
// ARG: buffer uint[G] out
// EXPECT: 0[i] = floatbits(i + 0.5)
typedef union { float f; uint u; uchar bytes[4]; } bits;
kernel void k(global uint *out) {
    bits b;
    b.f = get_global_id(0) + 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = b.u;
}
