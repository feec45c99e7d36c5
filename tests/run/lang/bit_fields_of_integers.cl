// Every offset and count of an int, and the other types by one each.
// RUN: kernel=k local=33 global=1089
// ARG: buffer uint[G] = i*2654435761
// ARG: buffer uint[3*G] out
// ARG: buffer long[8*G] out
// EXPECT: 1[i] = i%3 == 0 ? ((a0[i/3] & ~(((1 << min(i/3/33, 32-i/3%33)) - 1) << i/3%33)) | (0x12345678 & ((1 << min(i/3/33, 32-i/3%33)) - 1)) << i/3%33) : i%3 == 1 ? (a0[i/3] >> i/3%33) & ((1 << min(i/3/33, 32-i/3%33)) - 1) : (i/3/33 == 0 || i/3%33 == 32 ? 0 : uint(((a0[i/3] >> i/3%33) & ((1 << min(i/3/33, 32-i/3%33)) - 1)) - ((a0[i/3] >> (i/3%33 + min(i/3/33, 32-i/3%33) - 1)) & 1) * (1 << min(i/3/33, 32-i/3%33))))
// EXPECT: 2[i] = i%8 == 0 ? char(uchar(a0[i/8]) & 0xc7 | 0x28) : i%8 == 1 ? char(a0[i/8]) >> 5 : i%8 == 2 ? uchar(a0[i/8]) >> 5 : i%8 == 3 ? short(a0[i/8]) >> 12 : i%8 == 4 ? (a0[i/8] >> 3 & 0x1f) : i%8 == 5 ? a0[i/8] * 0x100000000 + a0[i/8] : i%8 == 6 ? sum(k,0,16, (a0[i/8] >> k & 1) << (15-k)) : int(sum(k,0,32, (a0[i/8] >> k & 1) << (31-k)))
// SKIP-PEER: needs cl_khr_extended_bit_ops
kernel void k(global const uint *in, global uint *u, global long *l) {
    size_t g = get_global_id(0);
    uint x = in[g], offset = g % 33, count = min((uint)(g / 33), 32 - offset);
    u[3 * g] = bitfield_insert(x, 0x12345678u, offset, count);
    u[3 * g + 1] = bitfield_extract_unsigned((int)x, offset, count);
    u[3 * g + 2] = bitfield_extract_signed(x, offset, count);
    l += 8 * g;
    l[0] = bitfield_insert((char2)((char)x), (char2)(5), 3, 3).y;
    l[1] = bitfield_extract_signed((uchar)x, 5, 3);
    l[2] = bitfield_extract_unsigned((char3)((char)x), 5, 3).z;
    l[3] = bitfield_extract_signed((short)x, 12, 4);
    l[4] = bitfield_extract_unsigned((ulong)x, 3, 5);
    l[5] = bitfield_insert((long)x, (long)x, 32, 32);
    l[6] = bit_reverse((ushort)x);
    l[7] = bit_reverse((int4)((int)x)).w;
}
