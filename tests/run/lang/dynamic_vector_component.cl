// A vector's components by a private pointer.
// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer float[4*G] = i
// ARG: buffer float[G] out
// EXPECT: 1[i] = 4*i + i*3%4
kernel void k(global const float4 *in, global float *out) {
    int g = get_global_id(0);
    float4 v = in[g];
    out[g] = ((float *)&v)[3 * g % 4];
}
