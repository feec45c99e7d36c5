// options: -cl-std=CL3.0
// What images and samplers may not be declared as (OpenCL C 3.0, 6.8 and 6.11.b).
constant sampler_t good = CLK_ADDRESS_REPEAT | CLK_NORMALIZED_COORDS_TRUE | CLK_FILTER_LINEAR;
const sampler_t braces = { CLK_FILTER_NEAREST };
sampler_t odd = 0x1000;
sampler_t unset;
global sampler_t elsewhere = CLK_FILTER_NEAREST;
image2d_t no_parameter;
int read_only number;
image2d_t result(void);

void helper(read_only image2d_t image, sampler_t sampler);
void array(image2d_t images[2]);
void pointer(image2d_t *image);

kernel void locals(int bits)
{
    image2d_t local_image;
    sampler_t copy = good;
    sampler_t varies = bits;
}
