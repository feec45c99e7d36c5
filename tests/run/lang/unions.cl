// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer uint[G] out
// EXPECT: 0[i] = (i * 0x01010101 & 0xffff) + 4
typedef union { uint word; ushort halves[2]; uchar4 bytes; } mixed;
kernel void k(global uint *out) {
    mixed a;
    a.bytes = (uchar4)((uchar)get_global_id(0));
    out[get_global_id(0)] = a.halves[0] + sizeof(mixed);
}
