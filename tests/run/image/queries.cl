// What a kernel may ask of an image (OpenCL C 3.0, 6.15.15.5).
//
// RUN: kernel=queries local=4 global=4 std=CL3.0
// ARG: image 1d_array R UNORM_INT8 7,3 uchar[21] = 0
// ARG: image 2d BGRA UNORM_INT8 5,4 uchar[80] = 0
// ARG: image 2d_array RGBA FLOAT 5,4,2 float[160] = 0
// ARG: image 3d RG SIGNED_INT16 2,3,4 short[48] = 0
// ARG: buffer int[64] out
// EXPECT: 4[i] = 7 where i%16 == 0
// EXPECT: 4[i] = 3 where i%16 == 1
// EXPECT: 4[i] = 5 where i%16 == 2
// EXPECT: 4[i] = 4 where i%16 == 3
// EXPECT: 4[i] = 0x10d2 where i%16 == 4
// EXPECT: 4[i] = 0x10b6 where i%16 == 5
// EXPECT: 4[i] = 54 where i%16 == 6
// EXPECT: 4[i] = 2 where i%16 == 7
// EXPECT: 4[i] = 0x10de where i%16 == 8
// EXPECT: 4[i] = 0x10b5 where i%16 == 9
// EXPECT: 4[i] = 234 where i%16 == 10
// EXPECT: 4[i] = 2340 where i%16 == 11
// EXPECT: 4[i] = 0x10d8 where i%16 == 12
// EXPECT: 4[i] = 0x10b2 where i%16 == 13
// EXPECT: 4[i] = 1 where i%16 == 14
// EXPECT: 4[i] = 1 where i%16 == 15
kernel void queries(read_only image1d_array_t a, write_only image2d_t b, read_write image2d_array_t c, read_only image3d_t d,
                    global int *out)
{
    out += 16 * get_global_id(0);
    out[0] = get_image_width(a);
    out[1] = get_image_array_size(a);
    out[2] = get_image_width(b);
    out[3] = get_image_height(b);
    out[4] = get_image_channel_data_type(b);
    out[5] = get_image_channel_order(b);
    int2 size = get_image_dim(c);
    out[6] = 10 * size.x + size.y;
    out[7] = get_image_array_size(c);
    out[8] = get_image_channel_data_type(c);
    out[9] = get_image_channel_order(c);
    out[10] = 100 * get_image_width(d) + 10 * get_image_height(d) + get_image_depth(d);
    int4 deep = get_image_dim(d);
    out[11] = 1000 * deep.x + 100 * deep.y + 10 * deep.z + deep.w;
    out[12] = get_image_channel_data_type(d);
    out[13] = get_image_channel_order(d);
    out[14] = get_image_channel_order(b) == CLK_BGRA;
    out[15] = get_image_channel_data_type(c) == CLK_FLOAT;
}
