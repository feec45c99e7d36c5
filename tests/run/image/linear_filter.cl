// The mean of the texels around a place, by their nearness (OpenCL C 3.0, 8.2.2); at the edges of one image in each
// addressing mode. Texel (x, y) holds x + 10 y, so that the filter gives a plane inside.
//
// RUN: kernel=plane local=16,1 global=28,12
// RUN: kernel=plane local=5,3 global=28,12
// ARG: image 2d R FLOAT 8,4 float[32] = i%8 + 10*(i/8)
// ARG: sampler 0x22
// ARG: buffer float[G] out
// EXPECT: 2[i] = min(max(((i%GX)*0.25+0.125)-0.5,0.0),7.0) + 10*min(max(((i/GX)*0.25+0.125)-0.5,0.0),3.0) +- 1e-5
kernel void plane(read_only image2d_t image, sampler_t linear, global float *out)
{
    int x = get_global_id(0), y = get_global_id(1);
    out[x + y * get_global_size(0)] = read_imagef(image, linear, (float2)(x * 0.25f + 0.125f, y * 0.25f + 0.125f)).x;
}
// RUN: kernel=cube local=16 global=48
// ARG: image 3d RGBA UNORM_INT8 2,2,2 uchar[32] = (i/4)*20
// ARG: sampler 0x22
// ARG: buffer float[4*G] out
// EXPECT: 2[i] = 20*((i/4%16)/15.0 + 2*((i/4%12)/11.0) + 4*((i/4)/47.0))/255 +- 1e-5
kernel void cube(read_only image3d_t image, sampler_t linear, global float4 *out)
{
    int i = get_global_id(0);
    float4 at = (float4)(0.5f + (i % 16) / 15.0f, 0.5f + (i % 12) / 11.0f, 0.5f + i / 47.0f, 0.0f);
    out[i] = read_imagef(image, linear, at);
}
// RUN: kernel=wraps local=16 global=64
// ARG: image 1d R FLOAT 4 float[4] = i
// ARG: sampler 0x27
// ARG: sampler 0x29
// ARG: sampler 0x25
// ARG: buffer float[G] out
// ARG: buffer float[G] out
// ARG: buffer float[G] out
// EXPECT: 4[i] = i%16 < 2 || i%16 >= 14 ? 1.5 - (((i%16+2)%16)*0.25 + 0.125 - 0.5)*3 : ((i%16)*0.25 + 0.125) - 0.5 +- 1e-5
// EXPECT: 5[i] = min(max(((i/16%2 == 0 ? i%16 : 15-i%16)*0.25 + 0.125) - 0.5, 0), 3) +- 1e-5
// EXPECT: 6[i] = i < 2 || i >= 18 ? 0 : i < 14 ? (i*0.25 + 0.125) - 0.5 : 3*(4.5 - (i*0.25 + 0.125)) +- 1e-5
kernel void wraps(read_only image1d_t image, sampler_t repeat, sampler_t mirror, sampler_t border, global float *a,
                  global float *b, global float *c)
{
    int i = get_global_id(0);
    float s = (i * 0.25f + 0.125f) / 4;
    a[i] = read_imagef(image, repeat, s).x;
    b[i] = read_imagef(image, mirror, s).x;
    c[i] = read_imagef(image, border, s).x;
}
