// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer float[G] = i*0.37 - 2
// ARG: buffer uint[G] out
// ARG: buffer uint[G] out
// ARG: buffer float[G] out
// EXPECT: 1[i] = floatbits(a0[i])
// EXPECT: 2[i] = floatbits(a0[i]) >> 8 & 0xff | floatbits(a0[i]) >> 24 << 8
// EXPECT: 3[i] = asfloat(0x3f800000 + i)
kernel void k(global const float *in, global uint *a, global uint *b, global float *c) {
    size_t g = get_global_id(0);
    a[g] = as_uint(in[g]);
    uchar4 bytes = as_uchar4(in[g]);
    b[g] = bytes.y | bytes.w << 8;
    c[g] = as_float(0x3f800000 + (int)g);
}
