// Images: resampling, a blur, edges, a slice through a volume. Every read goes through a sampler.

const sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// Another size, each texel the mean of the four that are nearest.
kernel void resample(read_only image2d_t from, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 place = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(to));
    write_imagef(to, at, read_imagef(from, linear, place));
}

// Binomial weights, 5 x 5.
kernel void blur(read_only image2d_t from, write_only image2d_t to)
{
    const float weights[5] = {1.0f / 16, 4.0f / 16, 6.0f / 16, 4.0f / 16, 1.0f / 16};
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = (float4)(0.0f);
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++)
            sum += weights[dy + 2] * weights[dx + 2] * read_imagef(from, nearest, at + (int2)(dx, dy));
    write_imagef(to, at, sum);
}

// The size of the gradient of brightness.
kernel void sobel(read_only image2d_t from, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float p[3][3];
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            p[dy][dx] = read_imagef(from, nearest, at + (int2)(dx - 1, dy - 1)).x;
    float gx = p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0];
    float gy = p[2][0] + 2 * p[2][1] + p[2][2] - p[0][0] - 2 * p[0][1] - p[0][2];
    write_imagef(to, at, (float4)(sqrt(gx * gx + gy * gy), 0.0f, 0.0f, 1.0f));
}

// An oblique plane through a volume.
kernel void slice(read_only image3d_t volume, write_only image2d_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 p = (convert_float2(at) + 0.5f) / convert_float2(get_image_dim(to));
    float4 place = (float4)(p.x, p.y, 0.25f + 0.25f * p.x + 0.25f * p.y, 0.0f);
    write_imagef(to, at, read_imagef(volume, linear, place));
}
