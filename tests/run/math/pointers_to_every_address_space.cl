// RUN: kernel=spaces local=16
// RUN: kernel=spaces local=37
// ARG: buffer float[G] = (i - 20) * 0.75
// ARG: buffer float[G] out
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 1[i] = floor((i - 20) * 0.75) * 3
// EXPECT: 2[i] = 2 * (i < 20 || i > 21)

// The result behind a pointer arrives in global, local and private memory.
__kernel void spaces(__global const float *in, __global float *whole, __global int *exponent, __local float *l)
{
    size_t i = get_global_id(0);
    float p;
    fract(in[i], &whole[i]);
    fract(in[i], &l[get_local_id(0)]);
    fract(in[i], &p);
    whole[i] += l[get_local_id(0)] + p;
    frexp(i == 20 || i == 21 ? 0.0f : 3.0f, &exponent[i]);
}
