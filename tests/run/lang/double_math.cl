// The reference is a double as well, so that half an ULP of its own error is allowed on top.
// RUN: kernel=k local=16 groups=2
// RUN: kernel=k local=37 groups=2
// ARG: buffer double[G] = i*0.31 + 0.017
// ARG: buffer double[6*G] out
// EXPECT: 1[i] = i%6 == 0 ? sin(a0[i/6]) : i%6 == 1 ? cos(a0[i/6]) : i%6 == 2 ? exp(a0[i/6]) : i%6 == 3 ? log(a0[i/6]) : i%6 == 4 ? atan(a0[i/6]) : pow(a0[i/6], 1.5) +- 6ulp where i%6 != 5
// EXPECT: 1[i] = pow(a0[i/6], 1.5) +- 17ulp where i%6 == 5
kernel void k(global const double *a, global double *out) {
    size_t g = get_global_id(0);
    global double *o = out + 6 * g;
    o[0] = sin(a[g]);
    o[1] = cos(a[g]);
    o[2] = exp(a[g]);
    o[3] = log(a[g]);
    o[4] = atan(a[g]);
    o[5] = pow(a[g], 1.5);
}
