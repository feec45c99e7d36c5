// sRGB images are linear light to kernels (OpenCL C 3.0, 8.3.1.3); alpha is as it is.
//
// RUN: kernel=copies local=16 global=256
// ARG: image 1d sRGBA UNORM_INT8 256 uchar[1024] = i/4
// ARG: image 1d sBGRA UNORM_INT8 256 uchar[1024] out
// ARG: buffer float[G] out
// EXPECT: 2[i] = i <= 10 ? i/255.0/12.92 : pow((i/255.0+0.055)/1.055, 2.4) +- 1ulp
// EXPECT: 1[i] = i/4
kernel void copies(read_only image1d_t from, write_only image1d_t to, global float *out)
{
    int i = get_global_id(0);
    float4 color = read_imagef(from, i);
    out[i] = color.y;
    write_imagef(to, i, color);
}
