// Layers of arrays and slices of volumes; a layer is the nearest there is (OpenCL C 3.0, 8.2.1), a write beyond is nothing.
//
// RUN: kernel=layers local=8 global=40
// ARG: image 1d_array R FLOAT 4,3 float[12] = i
// ARG: image 2d_array R FLOAT 2,2,3 float[12] = 100+i
// ARG: image 3d R FLOAT 2,2,3 float[12] = 200+i
// ARG: sampler 0x12
// ARG: buffer float[3*G] out
// EXPECT: 4[i] = i/3%4 + 4*min(max(int(rint((i/3-20)*0.15)),0),2) where i%3 == 0
// EXPECT: 4[i] = 100 + i/3%2 + 2*(i/6%2) + 4*min(max(int(rint((i/3-20)*0.15)),0),2) where i%3 == 1
// EXPECT: 4[i] = 200 + i/3%2 + 2*(i/6%2) + 4*min(max(int(floor((i/3-20)*0.15+0.001)),0),2) where i%3 == 2
kernel void layers(read_only image1d_array_t a, read_only image2d_array_t b, read_only image3d_t c, sampler_t s,
                   global float *out)
{
    int i = get_global_id(0);
    float z = (i - 20) * 0.15f;
    out += 3 * i;
    out[0] = read_imagef(a, s, (float2)(i % 4 + 0.5f, z)).x;
    out[1] = read_imagef(b, s, (float4)(i % 2 + 0.5f, i / 2 % 2 + 0.5f, z, 0.0f)).x;
    out[2] = read_imagef(c, s, (float4)(i % 2 + 0.5f, i / 2 % 2 + 0.5f, z + 0.001f, 0.0f)).x;
}
// RUN: kernel=writes local=4,2,1 global=8,4,6 offset=0,0,0
// ARG: image 2d_array R SIGNED_INT32 4,2,3 int[24] out
// ARG: image 3d R SIGNED_INT32 4,2,3 int[24] out
// EXPECT: 0[i] = i%4 + 10*(i/4%2) + 100*(i/8)
// EXPECT: 1[i] = -(i%4 + 10*(i/4%2) + 100*(i/8))
kernel void writes(write_only image2d_array_t a, write_only image3d_t b)
{
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    int value = at.x + 10 * at.y + 100 * at.z;
    write_imagei(a, at, (int4)(value));
    write_imagei(b, at, (int4)(-value));
}
