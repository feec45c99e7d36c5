// Products of numbers of 16 bits in wider types, shifted to the right and cut to 16 bits again: where LLVM 22 works on
// vectors, it loses the sign's bits for shifts by 17 and more, and makes poison from 32 on.

// RUN: kernel=upper_half local=37
// ARG: buffer short[G] out
// ARG: buffer short[G] = 1000*i-9999
// ARG: buffer short[G] = 77*i
// EXPECT: 0[i] = a1[i]*a2[i] < 0 ? 0-1 : 0
kernel void upper_half(global short *out, global const short *a, global const short *b)
{
    size_t i = get_global_id(0);
    out[i] = (short)mul_hi((int)a[i], (int)b[i]);
}

// RUN: kernel=signed_ones local=37
// ARG: buffer short[8*G] out
// ARG: buffer short[G] = 1000*i-9999
// ARG: buffer short[G] = 77*i
// EXPECT: 0[i] = short(a1[i%G]*a2[i%G] >> (i/G == 0 ? 15 : i/G == 1 ? 16 : i/G == 2 ? 17 : i/G == 3 ? 20 : i/G == 4 ? 31 : i/G == 5 ? 32 : i/G == 6 ? 40 : 63))
kernel void signed_ones(global short *out, global const short *a, global const short *b)
{
    size_t i = get_global_id(0), G = get_global_size(0);
    long x = a[i], y = b[i], p = x * y;
    out[i] = (short)(p >> 15);
    out[i + G] = (short)(p >> 16);
    out[i + 2 * G] = (short)(p >> 17);
    out[i + 3 * G] = (short)(p >> 20);
    out[i + 4 * G] = (short)(p >> 31);
    out[i + 5 * G] = (short)(p >> 32);
    out[i + 6 * G] = (short)(p >> 40);
    out[i + 7 * G] = (short)(p >> 63);
}

// RUN: kernel=one_shift local=37
// ARG: buffer short[G] out
// ARG: buffer short[G] = 1000*i-9999
// ARG: buffer short[G] = 77*i
// EXPECT: 0[i] = short(a1[i]*a2[i] >> 20)
kernel void one_shift(global short *out, global const short *a, global const short *b)
{
    size_t i = get_global_id(0);
    out[i] = (short)((long)a[i] * b[i] >> 20);
}

// RUN: kernel=two_shifts local=37
// ARG: buffer short[G] out
// ARG: buffer short[G] = 1000*i-9999
// ARG: buffer short[G] = 77*i
// EXPECT: 0[i] = short(a1[i]*a2[i] >> 35)
kernel void two_shifts(global short *out, global const short *a, global const short *b)
{
    size_t i = get_global_id(0);
    out[i] = (short)((long)a[i] * b[i] >> 15 >> 20);
}

// RUN: kernel=unsigned_ones local=37
// ARG: buffer ushort[G] out
// ARG: buffer ushort[G] = 1000*i-9999
// ARG: buffer ushort[G] = 777*i
// EXPECT: 0[i] = ushort(a1[i]*a2[i] >> 33)
kernel void unsigned_ones(global ushort *out, global const ushort *a, global const ushort *b)
{
    size_t i = get_global_id(0);
    out[i] = (ushort)((ulong)a[i] * b[i] >> 33);
}

// RUN: kernel=in_a_loop local=3
// ARG: buffer short[64*G] out
// ARG: buffer short[64*G] = 1000*i-9999
// ARG: buffer short[64*G] = 77*i
// EXPECT: 0[i] = short(a1[i]*a2[i] >> 32)
kernel void in_a_loop(global short *restrict out, global const short *restrict a, global const short *restrict b)
{
    size_t g = get_global_id(0) * 64;
    for (int n = 0; n < 64; n++)
        out[g + n] = (short)((long)a[g + n] * b[g + n] >> 32);
}
