// Halves in memory are converted on the way; 2048 + 1/2 ulp rounds to even.
// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer ushort[G] = 0x3c00 + 64*i
// ARG: buffer float[G] out
// ARG: buffer ushort[G] out
// ARG: buffer ushort[4*G] out
// EXPECT: 1[i] = (1 + i%16/16.0) * (1 << i/16)
// EXPECT: 2[i] = 0x3c00 + 64*i
// EXPECT: 3[i] = i%4 == 0 ? 0x6800 : i%4 == 1 ? 0x6800 : i%4 == 2 ? 0x6802 : 0xc000
kernel void k(global const half *in, global float *out, global half *back, global half *four) {
    size_t g = get_global_id(0);
    out[g] = vload_half(g, in);
    vstore_half(out[g], g, back);
    vstore_half4((float4)(2048, 2049, 2051, -2), g, four);
}
