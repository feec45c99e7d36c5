// Within the full profile's limits.
// RUN: kernel=k local=16 groups=8
// RUN: kernel=k local=37 groups=8
// ARG: buffer float[G] = (i-64)*0.83
// ARG: buffer float[G] = i*i*0.37 + 0.001
// ARG: buffer float[4*G] out
// ARG: buffer float[4*G] out
// EXPECT: 2[i] = i%4 == 0 ? exp(a0[i/4]) : i%4 == 1 ? exp2(a0[i/4]) : i%4 == 2 ? expm1(a0[i/4]) : pow(10, a0[i/4]*0.5) +- 3ulp
// EXPECT: 3[i] = i%4 == 0 ? log(a1[i/4]) : i%4 == 1 ? log2(a1[i/4]) : i%4 == 2 ? log10(a1[i/4]) : log1p(a1[i/4]) +- 3ulp
kernel void k(global const float *a, global const float *b, global float *c, global float *d) {
    size_t g = get_global_id(0);
    c[4 * g] = exp(a[g]);
    c[4 * g + 1] = exp2(a[g]);
    c[4 * g + 2] = expm1(a[g]);
    c[4 * g + 3] = exp10(a[g] * 0.5f);
    d[4 * g] = log(b[g]);
    d[4 * g + 1] = log2(b[g]);
    d[4 * g + 2] = log10(b[g]);
    d[4 * g + 3] = log1p(b[g]);
}
