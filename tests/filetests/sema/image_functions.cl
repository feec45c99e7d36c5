// options: -cl-std=CL3.0
// Calls with images and samplers: the first ones are right (OpenCL C 3.0, 6.15.15).
constant sampler_t good = CLK_ADDRESS_REPEAT | CLK_NORMALIZED_COORDS_TRUE | CLK_FILTER_LINEAR;
void helper(read_only image2d_t image, sampler_t sampler) {}
kernel void uses(read_only image2d_t in, write_only image2d_t out, read_write image3d_t both, image2d_depth_t depth,
                 sampler_t sampler, int bits)
{
    const sampler_t copy = good;
    float4 a = read_imagef(in, sampler, (float2)(0.0f));
    float d = read_imagef(depth, good, (int2)(0));
    float4 b = read_imagef(in, copy, (int2)(0));
    float4 c = read_imagef(in, CLK_FILTER_NEAREST, (int2)(0));
    float4 e = read_imagef(out, (int2)(0));
    float4 f = read_imagef(both, sampler, (int4)(0));
    float4 g = read_imagef(in, bits, (int2)(0));
    float4 h = read_imagef(in, sampler, (int4)(0));
    write_imagef(in, (int2)(0), a);
    write_imagei(out, (int2)(0), a);
    write_imagef(depth, (int2)(0), d);
    helper(out, sampler);
    int size = sizeof(in);
    in = in;
    int sum = sampler + 1;
    int height = get_image_height(both) + get_image_depth(in);
}
