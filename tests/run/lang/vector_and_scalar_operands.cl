// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer float[4*G] = i
// EXPECT: 0[i] = (i*2 + 1 - i/4) * (i%4+1) / 2.0
kernel void k(global float4 *data) {
    size_t g = get_global_id(0);
    float4 v = data[g];
    v = 2 * v + 1.0f;
    v -= (float)g;
    v *= (float4)(1, 2, 3, 4);
    data[g] = v / 2;
}
