// Argument reduction keeps all digits.
// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer float[G] = 100000.0 * (i+1) * (i+1) * (i%2 ? 1000 : -1)
// ARG: buffer float[2*G] out
// EXPECT: 1[i] = i%2 ? cos(a0[i/2]) : sin(a0[i/2]) +- 4ulp
kernel void k(global const float *a, global float *out) {
    size_t g = get_global_id(0);
    out[2 * g] = sin(a[g]);
    out[2 * g + 1] = cos(a[g]);
}
