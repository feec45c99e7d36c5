// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer float[G] = i*0.37 + 0.01
// ARG: buffer float[G] = (i-32)*0.25
// ARG: buffer float[7*G] out
// EXPECT: 2[i] = i%7 == 0 ? pow(a0[i/7], a1[i/7]) : i%7 == 1 ? pow(a0[i/7], i/7%9-4) : i%7 == 2 ? sqrt(a0[i/7]) : i%7 == 3 ? 1/sqrt(a0[i/7]) : i%7 == 4 ? cbrt(a1[i/7]) : i%7 == 5 ? hypot(a0[i/7], a1[i/7]) : pow(a0[i/7], a1[i/7]) +- 16ulp
// EXPECT: 2[i] = i%7 == 2 ? sqrt(a0[i/7]) : i%7 == 3 ? 1/sqrt(a0[i/7]) : i%7 == 4 ? cbrt(a1[i/7]) : hypot(a0[i/7], a1[i/7]) +- 4ulp where i%7 > 1 && i%7 < 6
kernel void k(global const float *a, global const float *b, global float *out) {
    size_t g = get_global_id(0);
    global float *o = out + 7 * g;
    o[0] = pow(a[g], b[g]);
    o[1] = pown(a[g], (int)(g % 9) - 4);
    o[2] = sqrt(a[g]);
    o[3] = rsqrt(a[g]);
    o[4] = cbrt(b[g]);
    o[5] = hypot(a[g], b[g]);
    o[6] = powr(a[g], b[g]);
}
