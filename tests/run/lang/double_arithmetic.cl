// RUN: kernel=k local=16 groups=2
// RUN: kernel=k local=37 groups=2
// ARG: buffer double[G] = i*0.1 + 0.3
// ARG: buffer double[5*G] out
// EXPECT: 1[i] = i%5 == 0 ? a0[i/5]*3 : i%5 == 1 ? a0[i/5]/7 : i%5 == 2 ? sqrt(a0[i/5]) : i%5 == 3 ? floor(a0[i/5]*10) : fma(a0[i/5], a0[i/5], -0.5)
kernel void k(global const double *a, global double *out) {
    size_t g = get_global_id(0);
    global double *o = out + 5 * g;
    o[0] = a[g] * 3;
    o[1] = a[g] / 7;
    o[2] = sqrt(a[g]);
    o[3] = floor(a[g] * 10);
    o[4] = fma(a[g], a[g], -0.5);
}
