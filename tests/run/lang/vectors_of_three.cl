// A three-component vector takes the room of four; vload3 and vstore3 are packed.
// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer int[3*G] = i
// ARG: buffer int[3*G] out
// ARG: buffer int[4*G] = -1
// EXPECT: 1[i] = i*2 + 16
// EXPECT: 2[i] = i/4*3 + i%4 where i%4 < 3
kernel void k(global const int *in, global int *out, global int3 *wide) {
    size_t g = get_global_id(0);
    int3 v = vload3(g, in);
    wide[g] = v;
    vstore3(v * 2 + (int)sizeof(int3), g, out);
}
