// At least half precision (half_), anything reasonable (native_).
// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer float[G] = i*0.31 + 0.2
// ARG: buffer float[6*G] out
// EXPECT: 1[i] = i%6 == 0 ? exp(a0[i/6]) : i%6 == 1 ? log2(a0[i/6] + 2) : i%6 == 2 ? sqrt(a0[i/6]) : i%6 == 3 ? 1/a0[i/6] : i%6 == 4 ? exp2(a0[i/6]) : 1/sqrt(a0[i/6]) +- 0.001rel
kernel void k(global const float *a, global float *out) {
    size_t g = get_global_id(0);
    global float *o = out + 6 * g;
    o[0] = native_exp(a[g]);
    o[1] = native_log2(a[g] + 2);
    o[2] = half_sqrt(a[g]);
    o[3] = half_recip(a[g]);
    o[4] = half_exp2(a[g]);
    o[5] = native_rsqrt(a[g]);
}
