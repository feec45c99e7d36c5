// Memory is bytes: the same buffer read as bytes and as vectors.
// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer uint[4*G] = i*0x01020304
// ARG: buffer uint[G] out
// EXPECT: 1[i] = (4*i*0x01020304 >> 8 & 0xff) + uint((4*i+3)*0x01020304)
kernel void k(global const uint *in, global uint *out) {
    size_t g = get_global_id(0);
    global const uchar *bytes = (global const uchar *)(in + 4 * g);
    global const uint4 *vectors = (global const uint4 *)in;
    out[g] = bytes[1] + vectors[g].w;
}
