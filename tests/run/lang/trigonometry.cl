// RUN: kernel=k local=16 groups=8
// RUN: kernel=k local=37 groups=8
// ARG: buffer float[G] = (i-64)*0.71
// ARG: buffer float[G] = (i-64)/64.0
// ARG: buffer float[3*G] out
// ARG: buffer float[4*G] out
// EXPECT: 2[i] = i%3 == 0 ? sin(a0[i/3]) : i%3 == 1 ? cos(a0[i/3]) : tan(a0[i/3]) +- 5ulp
// EXPECT: 3[i] = i%4 == 0 ? asin(a1[i/4]) : i%4 == 1 ? acos(a1[i/4]) : i%4 == 2 ? atan(a1[i/4]*5) : atan2(a1[i/4], -0.375) +- 6ulp
kernel void k(global const float *a, global const float *b, global float *c, global float *d) {
    size_t g = get_global_id(0);
    c[3 * g] = sin(a[g]);
    c[3 * g + 1] = cos(a[g]);
    c[3 * g + 2] = tan(a[g]);
    d[4 * g] = asin(b[g]);
    d[4 * g + 1] = acos(b[g]);
    d[4 * g + 2] = atan(b[g] * 5);
    d[4 * g + 3] = atan2(b[g], -0.375f);
}
