// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer float[G] = (i-32)*0.21
// ARG: buffer float[3*G] out
// EXPECT: 1[i] = i%3 == 0 ? sinh(a0[i/3]) : i%3 == 1 ? cosh(a0[i/3]) : tanh(a0[i/3]) +- 5ulp
kernel void k(global const float *a, global float *out) {
    size_t g = get_global_id(0);
    out[3 * g] = sinh(a[g]);
    out[3 * g + 1] = cosh(a[g]);
    out[3 * g + 2] = tanh(a[g]);
}
