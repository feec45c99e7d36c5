// Only the element's own alignment is needed.
// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer uchar[16*G+1] = i*7
// ARG: buffer uchar[16*G+1] = 0
// ARG: buffer float[8*G+1] = i
// ARG: buffer float[8*G+1] = 0
// EXPECT: 1[i] = i == 0 ? 0 : uchar(i*7) + 1
// EXPECT: 3[i] = i == 0 ? 0 : i*2
kernel void k(global const uchar *a, global uchar *b, global const float *c, global float *d) {
    size_t g = get_global_id(0);
    uchar16 v = vload16(g, a + 1);
    vstore16(v + (uchar)1, g, b + 1);
    float2 x = vload2(4 * g, c + 1);
    float2 y = vload2(4 * g + 1, c + 1);
    float4 z = vload4(2 * g + 1, c + 1);
    vstore8((float8)(x, y, z) * 2, g, d + 1);
}
