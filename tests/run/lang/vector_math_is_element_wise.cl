// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer float[4*G] = i*0.21 + 0.1
// ARG: buffer float[4*G] out
// EXPECT: 1[i] = sin(a0[i]) + exp(-a0[i]) + sqrt(a0[i]) + max(a0[i], 1) +- 1e-6rel
kernel void k(global const float4 *a, global float4 *out) {
    size_t g = get_global_id(0);
    out[g] = sin(a[g]) + exp(-a[g]) + sqrt(a[g]) + fmax(a[g], 1.0f);
}
