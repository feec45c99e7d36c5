// No coordinate leads out of an image, not even one that is no number, whatever the addressing mode. (What is read there is
// anything in the image for "none", and the edge or border elsewhere.)
//
// RUN: kernel=far local=16 global=32
// ARG: image 2d R FLOAT 4,4 float[16] = 1
// ARG: sampler 0x10
// ARG: sampler 0x12
// ARG: sampler 0x17
// ARG: sampler 0x29
// ARG: sampler 0x22
// ARG: buffer float[G*6] out
// EXPECT: 6[i] = 1 +- 1e-5
kernel void far(read_only image2d_t image, sampler_t none, sampler_t edge, sampler_t repeat, sampler_t mirror,
                sampler_t linear, global float *out)
{
    int i = get_global_id(0);
    float far = i % 4 == 0 ? 1e30f : i % 4 == 1 ? -1e30f : i % 4 == 2 ? 3e9f : -3e9f;
    int whole = i % 4 == 0 ? 0x7fffffff : i % 4 == 1 ? -0x7fffffff : i % 4 == 2 ? 123456789 : -5;
    float lost = i % 8 == 7 ? NAN : far;
    out += 6 * i;
    out[0] = read_imagef(image, none, (float2)(lost, -lost)).x;
    out[1] = read_imagef(image, edge, (int2)(whole, -whole)).x;
    out[2] = read_imagef(image, repeat, (float2)(lost, far)).x;
    out[3] = read_imagef(image, mirror, (float2)(lost, 0.1f)).x;
    out[4] = read_imagef(image, linear, (float2)(far, far)).x;
    out[5] = read_imagef(image, none, (int2)(whole, whole)).x;
}
