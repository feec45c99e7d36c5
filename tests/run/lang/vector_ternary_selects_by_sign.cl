// With a vector condition, ?: picks by the most significant bit of each component.
// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer int[4*G] = i%3-1
// ARG: buffer float[4*G] out
// EXPECT: 1[i] = a0[i] < 0 ? i : -i
kernel void k(global const int4 *c, global float4 *out) {
    int g = get_global_id(0);
    float4 a = (float4)(4 * g, 4 * g + 1, 4 * g + 2, 4 * g + 3);
    out[g] = c[g] ? a : -a;
}
