// Images and samplers go through functions, in the language's ways to name a sampler.
//
// RUN: kernel=passes local=8 global=24 std=CL3.0
// RUN: kernel=passes local=8 global=24 std=CL1.2
// RUN: kernel=passes local=8 global=24 options="-cl-opt-disable"
// ARG: image 2d RGBA FLOAT 8,3 float[96] = i
// ARG: image 2d RGBA FLOAT 8,3 float[96] out
// ARG: sampler 0x12
// EXPECT: 1[i] = 5*i
constant sampler_t at_edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
const sampler_t at_border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

float4 texel(read_only image2d_t image, sampler_t sampler, int2 at)
{
    return read_imagef(image, sampler, at);
}

float4 three(read_only image2d_t image, sampler_t sampler, int2 at)
{
    return texel(image, sampler, at) + texel(image, at_edge, at) + texel(image, at_border, at);
}

void store(write_only image2d_t image, int2 at, float4 color)
{
    write_imagef(image, at, color);
}

kernel void passes(read_only image2d_t from, write_only image2d_t to, sampler_t sampler)
{
    const sampler_t here = CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
    int2 at = (int2)(get_global_id(0) % 8, get_global_id(0) / 8);
    float4 sum = three(from, sampler, at) + read_imagef(from, here, at)
        + read_imagef(from, CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST, at);
    store(to, at, sum);
}
