// A texel beyond an edge is that on the edge, or the border's (OpenCL C 3.0, 6.15.15.1 and 8.2.1).
//
// RUN: kernel=reads local=4,2 global=8,6 offset=0,0
// RUN: kernel=reads local=16,1 global=32,3
// RUN: kernel=reads local=33,1 global=99,2 options="-cl-opt-disable"
// ARG: image 2d R SIGNED_INT32 8,4 int[32] = 100*i+7
// ARG: sampler 0x12
// ARG: sampler 0x14
// ARG: buffer int[GX*GY] out
// ARG: buffer int[GX*GY] out
// EXPECT: 3[i] = 100*(min(i%GX,7) + 8*min(i/GX,3)) + 7
// EXPECT: 4[i] = i%GX < 8 && i/GX < 4 ? 100*(i%GX + 8*(i/GX)) + 7 : 0
kernel void reads(read_only image2d_t image, sampler_t to_edge, sampler_t to_border, global int *edge, global int *border)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    int i = at.x + at.y * get_global_size(0);
    edge[i] = read_imagei(image, to_edge, at).x;
    border[i] = read_imagei(image, to_border, at).x;
}
