// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer float[G] = i*1.7 - 33
// ARG: buffer float[G] = i*0.3 + 0.7
// ARG: buffer float[2*G] out
// EXPECT: 2[i] = i%2 ? 1/a1[i/2] : a0[i/2]/a1[i/2] +- 2.5ulp
kernel void k(global const float *a, global const float *b, global float *out) {
    size_t g = get_global_id(0);
    out[2 * g] = a[g] / b[g];
    out[2 * g + 1] = 1.0f / b[g];
}
