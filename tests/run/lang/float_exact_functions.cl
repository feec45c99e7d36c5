// fma rounds once; fmod, remainder, fmin, fmax, fdim, ldexp are exact.
// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer float[G] = (i-32)*1.37
// ARG: buffer float[8*G] out
// EXPECT: 1[i] = i%8 == 0 ? fma(a0[i/8], a0[i/8], 0.1) : i%8 == 1 ? a0[i/8] % 2.5 : i%8 == 2 ? a0[i/8] - 2.5*rint(a0[i/8]/2.5) : i%8 == 3 ? min(a0[i/8], 1) : i%8 == 4 ? max(a0[i/8], 1) : i%8 == 5 ? (a0[i/8] > 1 ? a0[i/8] - 1 : 0) : i%8 == 6 ? a0[i/8]*32 : a0[i/8]*0.125 where i%8 != 0
// EXPECT: 1[i] = a0[i/8]*a0[i/8] + 0.1 +- 0.51ulp where i%8 == 0
kernel void k(global const float *in, global float *out) {
    size_t g = get_global_id(0);
    float x = in[g];
    global float *o = out + 8 * g;
    o[0] = fma(x, x, 0.1f);
    o[1] = fmod(x, 2.5f);
    o[2] = remainder(x, 2.5f);
    o[3] = fmin(x, 1.0f);
    o[4] = fmax(x, 1.0f);
    o[5] = fdim(x, 1.0f);
    o[6] = ldexp(x, 5);
    o[7] = ldexp(x, -3);
}
