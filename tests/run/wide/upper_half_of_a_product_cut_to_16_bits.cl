// RUN: kernel=k local=37
// ARG: buffer short[G] out
// ARG: buffer short[G] = 1000*i-9999
// ARG: buffer short[G] = 77*i
// EXPECT: 0[i] = a1[i]*a2[i] < 0 ? 0-1 : 0

// LLVM 22 makes poison of this where it works on vectors.
kernel void k(global short *out, global const short *a, global const short *b)
{
    size_t i = get_global_id(0);
    out[i] = (short)mul_hi((int)a[i], (int)b[i]);
}
