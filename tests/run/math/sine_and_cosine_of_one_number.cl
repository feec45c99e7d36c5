// Both are wanted of one number: in one expression, more than once, of the components of a vector, of zeros and large numbers,
// and where only one of them is wanted on a branch.
// RUN: kernel=k global=200 local=50
// ARG: buffer float[G] = i < 100 ? (i-50)*0.37 : i == 100 ? 0 : i == 101 ? -1e-300*1e-300 : i == 102 ? 1e-40 : (i-150)*pow(1.9, i-103)
// ARG: buffer float[G] out
// ARG: buffer float[G] out
// ARG: buffer int[G] out
// EXPECT: 1[i] = sin(a0[i]) +- 4ulp
// EXPECT: 2[i] = cos(a0[i]) +- 4ulp
// EXPECT: 3[i] = i == 101
kernel void k(global const float *in, global float *s, global float *c, global int *sign) {
    int i = get_global_id(0);
    float x = in[i], sine = sin(x), cosine = cos(x);
    s[i] = sine;
    c[i] = cosine + (sin(x) - sine) + (cos(in[i]) - cosine);
    sign[i] = x == 0 && signbit(sine);
    if (i & 1)
        s[i] = sin(x);
}

// RUN: kernel=vectors global=32 local=8
// ARG: buffer float[2*G] = (i-32)*0.21
// ARG: buffer float[2*G] out
// ARG: buffer float[2*G] out
// EXPECT: 1[i] = sin(a0[i]) +- 4ulp
// EXPECT: 2[i] = cos(a0[i]) +- 4ulp
kernel void vectors(global const float2 *in, global float2 *s, global float2 *c) {
    float2 x = in[get_global_id(0)];
    s[get_global_id(0)] = sin(x);
    c[get_global_id(0)] = cos(x);
}

// RUN: kernel=natives global=64 local=16
// ARG: buffer float[G] = (i-32)*0.1
// ARG: buffer float[G] out
// ARG: buffer float[G] out
// EXPECT: 1[i] = sin(a0[i]) +- 1e-6
// EXPECT: 2[i] = cos(a0[i]) +- 1e-6
kernel void natives(global const float *in, global float *s, global float *c) {
    float x = in[get_global_id(0)];
    s[get_global_id(0)] = native_sin(x);
    c[get_global_id(0)] = native_cos(x);
}
