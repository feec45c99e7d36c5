// RUN: kernel=k local=16 groups=1
// ARG: buffer float[G] = pow(2, 15*i - 110)
// ARG: buffer float[G] = pow(2, 15*i - 110 > 24 ? -97 : 15*i - 234 < -149 ? -149 : 15*i - 234)
// ARG: buffer float[2*G] out
// EXPECT: 2[i] = i%2 == 0 ? 1 : a1[i/2] / a0[i/2] +- 1ulp

// From 2^-110 to 2^115, with a component beside it that is so much smaller that it hardly has bits left.
kernel void k(global const float *large, global const float *small, global float2 *out)
{
    size_t i = get_global_id(0);
    out[i] = normalize((float2)(large[i], small[i]));
}
