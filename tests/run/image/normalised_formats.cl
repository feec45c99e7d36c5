// Fractions as integers of 5 to 16 bits: what they are read as, and what is written for them (OpenCL C 3.0, 8.3.1).
//
// RUN: kernel=copies local=16 global=64
// RUN: kernel=copies local=7 global=64
// ARG: image 1d R UNORM_INT8 64 uchar[64] = 4*i+3
// ARG: image 1d R SNORM_INT8 64 char[64] = 4*i-128
// ARG: image 1d R UNORM_INT16 64 ushort[64] = 1040*i+15
// ARG: image 1d R SNORM_INT16 64 short[64] = 1024*i-32768
// ARG: image 1d RGB UNORM_SHORT_565 64 ushort[64] = 1040*i
// ARG: image 1d RGB UNORM_SHORT_555 64 ushort[64] = 520*i
// ARG: image 1d RGB UNORM_INT_101010 64 uint[64] = 16909320*i
// ARG: image 1d RGBA UNORM_INT_101010_2 64 uint[64] = 67637281*i
// ARG: buffer float[G*8] out
// EXPECT: 8[i] = (4*(i/8)+3)/255.0 +- 1.5ulp where i%8 == 0
// EXPECT: 8[i] = max((4*(i/8)-128)/127.0, -1.0) +- 1.5ulp where i%8 == 1
// EXPECT: 8[i] = (1040*(i/8)+15)/65535.0 +- 1.5ulp where i%8 == 2
// EXPECT: 8[i] = max((1024*(i/8)-32768)/32767.0, -1.0) +- 1.5ulp where i%8 == 3
// EXPECT: 8[i] = (1040*(i/8)/32%64)/63.0 +- 1.5ulp where i%8 == 4
// EXPECT: 8[i] = (520*(i/8)/1024%32)/31.0 +- 1.5ulp where i%8 == 5
// EXPECT: 8[i] = (16909320*(i/8)/1048576%1024)/1023.0 +- 1.5ulp where i%8 == 6
// EXPECT: 8[i] = (67637281*(i/8)/4%1024)/1023.0 +- 1.5ulp where i%8 == 7
kernel void copies(read_only image1d_t u8, read_only image1d_t s8, read_only image1d_t u16, read_only image1d_t s16,
                   read_only image1d_t p565, read_only image1d_t p555, read_only image1d_t p101010,
                   read_only image1d_t p101010_2, global float *out)
{
    int i = get_global_id(0);
    out += 8 * i;
    out[0] = read_imagef(u8, i).x;
    out[1] = read_imagef(s8, i).x;
    out[2] = read_imagef(u16, i).x;
    out[3] = read_imagef(s16, i).x;
    out[4] = read_imagef(p565, i).y;
    out[5] = read_imagef(p555, i).x;
    out[6] = read_imagef(p101010, i).x;
    out[7] = read_imagef(p101010_2, i).z;
}
// RUN: kernel=writes local=16 global=48
// ARG: image 1d R UNORM_INT8 48 uchar[48] out
// ARG: image 1d R SNORM_INT8 48 char[48] out
// ARG: image 1d R UNORM_INT16 48 ushort[48] out
// ARG: image 1d R SNORM_INT16 48 short[48] out
// ARG: image 1d RGB UNORM_SHORT_565 48 ushort[48] out
// ARG: image 1d RGB UNORM_SHORT_555 48 ushort[48] out
// ARG: image 1d RGB UNORM_INT_101010 48 uint[48] out
// ARG: image 1d RGBA UNORM_INT_101010_2 48 uint[48] out
// EXPECT: 0[i] = rint(min(max((i-8)/31.0,0.0),1.0)*255)
// EXPECT: 1[i] = rint(min(max((i-8)/31.0,-1.0),1.0)*127)
// EXPECT: 2[i] = rint(min(max((i-8)/31.0,0.0),1.0)*65535)
// EXPECT: 3[i] = rint(min(max((i-8)/31.0,-1.0),1.0)*32767)
// EXPECT: 4[i] = min(max(i-8,0),31)*2048 + 32 + 31
// EXPECT: 5[i] = min(max(i-8,0),31)*1024 + 31
// EXPECT: 6[i] = int(rint(min(max((i-8)/31.0,0.0),1.0)*1023))*1048576 + 8192 + 1023
// EXPECT: 7[i] = int(rint(min(max((i-8)/31.0,0.0),1.0)*1023))*4194304 + 32768 + 4092 + 2
kernel void writes(write_only image1d_t u8, write_only image1d_t s8, write_only image1d_t u16, write_only image1d_t s16,
                   write_only image1d_t p565, write_only image1d_t p555, write_only image1d_t p101010,
                   write_only image1d_t p101010_2)
{
    int i = get_global_id(0);
    float f = (i - 8) / 31.0f;
    write_imagef(u8, i, (float4)(f));
    write_imagef(s8, i, (float4)(f));
    write_imagef(u16, i, (float4)(f));
    write_imagef(s16, i, (float4)(f));
    write_imagef(p565, i, (float4)(f, 1.0f / 63, 5.0f, 0.0f));
    write_imagef(p555, i, (float4)(f, -1.0f, 1.0f, 0.0f));
    write_imagef(p101010, i, (float4)(f, 8.0f / 1023, 1.0f, 0.0f));
    write_imagef(p101010_2, i, (float4)(f, 8.0f / 1023, 1.0f, 2.0f / 3));
}
// RUN: kernel=not_a_number local=4 global=4
// ARG: image 1d R UNORM_INT8 4 uchar[4] out
// ARG: image 1d R SNORM_INT8 4 char[4] out
// EXPECT: 0[i] = 0
// EXPECT: 1[i] = 0
kernel void not_a_number(write_only image1d_t a, write_only image1d_t b)
{
    int i = get_global_id(0);
    write_imagef(a, i, (float4)(nan(0u)));
    write_imagef(b, i, (float4)(nan(0u)));
}
