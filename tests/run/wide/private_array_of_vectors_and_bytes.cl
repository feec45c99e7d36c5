// Private arrays whose elements are vectors, of narrow types, and of two sizes at once.
// RUN: kernel=k local=37 groups=2
// ARG: buffer int[4*G] = 7*i
// ARG: buffer int[4*G] out
// EXPECT: 1 as interpreted
kernel void k(global const int4 *in, global int4 *out) {
    int g = get_global_id(0);
    int4 v[4];
    for (int i = 0; i < 4; i++)
        v[i] = in[g] * i;
    v[g & 3].y = g;
    uchar bytes[20];
    for (int i = 0; i < 20; i++)
        bytes[i] = g + i * i;
    union { uint word[4]; uchar byte[16]; } u;
    for (int i = 0; i < 4; i++)
        u.word[i] = g * 0x01020304u + i;
    u.byte[g & 15] = 9;
    out[g] = v[(g >> 2) & 3] + (int4)(bytes[g % 20], u.byte[(g + 3) & 15], (int)u.word[g & 3], bytes[7]);
}
