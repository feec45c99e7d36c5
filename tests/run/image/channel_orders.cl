// What a read gives for each channel order (OpenCL C 3.0, 6.15.15.2; OpenCL API, table of channel orders), and what a
// write leaves of its colour.
//
// RUN: kernel=reads local=3 global=3
// ARG: image 1d R UNSIGNED_INT8 3 uchar[3] = 10*i+1
// ARG: image 1d A UNSIGNED_INT8 3 uchar[3] = 10*i+1
// ARG: image 1d RG UNSIGNED_INT8 3 uchar[6] = 10*i+1
// ARG: image 1d RA UNSIGNED_INT8 3 uchar[6] = 10*i+1
// ARG: image 1d RGBA UNSIGNED_INT8 3 uchar[12] = 10*i+1
// ARG: image 1d BGRA UNSIGNED_INT8 3 uchar[12] = 10*i+1
// ARG: image 1d ARGB UNSIGNED_INT8 3 uchar[12] = 10*i+1
// ARG: image 1d ABGR UNSIGNED_INT8 3 uchar[12] = 10*i+1
// ARG: buffer uint[96] out
// EXPECT: 8[i] = i%4 == 0 ? 10*(i/32)+1 : i%4 == 3 where i%32 < 4
// EXPECT: 8[i] = i%4 == 3 ? 10*(i/32)+1 : 0 where i%32/4 == 1
// EXPECT: 8[i] = i%4 < 2 ? 10*(2*(i/32)+i%4)+1 : i%4 == 3 where i%32/4 == 2
// EXPECT: 8[i] = i%4 == 0 ? 20*(i/32)+1 : i%4 == 3 ? 20*(i/32)+11 : 0 where i%32/4 == 3
// EXPECT: 8[i] = 40*(i/32)+10*(i%4)+1 where i%32/4 == 4
// EXPECT: 8[i] = 40*(i/32)+10*(i%4 == 3 ? 3 : 2-i%4)+1 where i%32/4 == 5
// EXPECT: 8[i] = 40*(i/32)+10*((i%4+1)%4)+1 where i%32/4 == 6
// EXPECT: 8[i] = 40*(i/32)+10*(3-i%4)+1 where i%32/4 == 7
kernel void reads(read_only image1d_t r, read_only image1d_t a, read_only image1d_t rg, read_only image1d_t ra,
                  read_only image1d_t rgba, read_only image1d_t bgra, read_only image1d_t argb, read_only image1d_t abgr,
                  global uint4 *out)
{
    int i = get_global_id(0);
    out += 8 * i;
    out[0] = read_imageui(r, i);
    out[1] = read_imageui(a, i);
    out[2] = read_imageui(rg, i);
    out[3] = read_imageui(ra, i);
    out[4] = read_imageui(rgba, i);
    out[5] = read_imageui(bgra, i);
    out[6] = read_imageui(argb, i);
    out[7] = read_imageui(abgr, i);
}
// RUN: kernel=writes local=3 global=3
// ARG: image 1d R SIGNED_INT16 3 short[3] out
// ARG: image 1d A SIGNED_INT16 3 short[3] out
// ARG: image 1d RA SIGNED_INT8 3 char[6] out
// ARG: image 1d BGRA SIGNED_INT8 3 char[12] out
// ARG: image 1d ARGB SIGNED_INT8 3 char[12] out
// ARG: image 1d ABGR SIGNED_INT8 3 char[12] out
// EXPECT: 0[i] = 100*i+1
// EXPECT: 1[i] = 100*i-4
// EXPECT: 2[i] = i/2 == 2 ? 127 : min(100*(i/2) + (i%2 == 0 ? 1 : -4), 127)
// EXPECT: 3[i] = min(100*(i/4) + (i%4 == 0 ? 3 : i%4 == 1 ? -2 : i%4 == 2 ? 1 : -4), 127)
// EXPECT: 4[i] = min(100*(i/4) + (i%4 == 0 ? -4 : i%4 == 1 ? 1 : i%4 == 2 ? -2 : 3), 127)
// EXPECT: 5[i] = min(100*(i/4) + (i%4 == 0 ? -4 : i%4 == 1 ? 3 : i%4 == 2 ? -2 : 1), 127)
kernel void writes(write_only image1d_t r, write_only image1d_t a, write_only image1d_t ra, write_only image1d_t bgra,
                   write_only image1d_t argb, write_only image1d_t abgr)
{
    int i = get_global_id(0);
    int4 color = (int4)(1, -2, 3, -4) + 100 * i;
    write_imagei(r, i, color);
    write_imagei(a, i, color);
    write_imagei(ra, i, color);
    write_imagei(bgra, i, color);
    write_imagei(argb, i, color);
    write_imagei(abgr, i, color);
}
