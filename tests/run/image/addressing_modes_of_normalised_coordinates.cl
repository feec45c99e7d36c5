// Nearest texels under every addressing mode (OpenCL C 3.0, 8.2.1): 8 texels, coordinates from -2 to 3 in steps of 1/32,
// half a step off so that none falls between two texels.
//
// RUN: kernel=modes local=32 global=160
// RUN: kernel=modes local=7 global=160
// ARG: image 1d R FLOAT 8 float[8] = i+1
// ARG: sampler 0x13
// ARG: sampler 0x15
// ARG: sampler 0x17
// ARG: sampler 0x19
// ARG: buffer float[G] out
// ARG: buffer float[G] out
// ARG: buffer float[G] out
// ARG: buffer float[G] out
// EXPECT: 5[i] = 1 + min(max((i-64)*8 + 4 < 0 ? -1 : ((i-64)*8+4)/32, 0), 7)
// EXPECT: 6[i] = i < 64 || i >= 96 ? 0 : 1 + (i-64)/4
// EXPECT: 7[i] = 1 + i%32/4
// EXPECT: 8[i] = 1 + ((i/32)%2 == 0 ? i%32/4 : 7 - i%32/4)
kernel void modes(read_only image1d_t image, sampler_t edge, sampler_t border, sampler_t repeat, sampler_t mirror,
                  global float *a, global float *b, global float *c, global float *d)
{
    int i = get_global_id(0);
    float s = (i - 64) / 32.0f + 1.0f / 64;
    a[i] = read_imagef(image, edge, s).x;
    b[i] = read_imagef(image, border, s).x;
    c[i] = read_imagef(image, repeat, s).x;
    d[i] = read_imagef(image, mirror, s).x;
}
