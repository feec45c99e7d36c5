// Images of halves as floats and as halves; a float that lies between two halves is rounded to the nearest.
//
// RUN: kernel=copies local=16 global=64
// RUN: kernel=copies local=7 global=64
// ARG: image 1d RG HALF_FLOAT 64 ushort[128] = 15360 + 16*(i/2) + 8*(i%2)
// ARG: image 1d RGBA HALF_FLOAT 64 ushort[256] out
// ARG: image 1d R HALF_FLOAT 64 ushort[64] out
// ARG: buffer float[2*G] out
// EXPECT: 3[i] = 1 + (16*(i/2) + 8*(i%2))/1024.0
// EXPECT: 1[i] = i%4 < 2 ? 15360 + 16*(i/4) + 8*(i%4) : i%4 == 2 ? 0 : 15360
// EXPECT: 2[i] = 15360 + (i*2+1)/3
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void copies(read_only image1d_t from, write_only image1d_t to, write_only image1d_t rounded, global float2 *out)
{
    int i = get_global_id(0);
    out[i] = read_imagef(from, i).xy;
    half4 color = read_imageh(from, i);
    write_imageh(to, i, color);
    write_imagef(rounded, i, (float4)(1.0f + i / 1536.0f));
}
