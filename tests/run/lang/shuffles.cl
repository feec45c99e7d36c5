// RUN: kernel=k local=4
// RUN: kernel=k local=37
// ARG: buffer int[4*G] = i
// ARG: buffer int[4*G] out
// ARG: buffer int[8*G] out
// EXPECT: 1[i] = i/4*4 + 3-i%4
// EXPECT: 2[i] = i%8%2 ? 100 + i%8/2 : i/8*4 + i%8/2
kernel void k(global const int4 *in, global int4 *out, global int8 *two) {
    size_t g = get_global_id(0);
    out[g] = shuffle(in[g], (uint4)(3, 2, 1, 4));
    out[g].w = in[g].x;
    two[g] = shuffle2(in[g], (int4)(100, 101, 102, 103), (uint8)(0, 4, 1, 5, 2, 6, 3, 7));
}
