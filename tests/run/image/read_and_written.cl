// Texels of a read_write image are read by their coordinates alone; what a work-item wrote it reads (OpenCL C 3.0,
// 6.15.15.4), with CLK_IMAGE_MEM_FENCE what the others wrote.
//
// RUN: kernel=swaps local=16 global=48 std=CL3.0
// RUN: kernel=swaps local=12 global=48 std=CL3.0
// ARG: image 2d R UNSIGNED_INT32 16,3 uint[48] = i
// EXPECT: 0[i] = 2*(i/LX*LX + (LX-1-i%LX)) + 1
kernel void swaps(read_write image2d_t image)
{
    uint i = get_global_id(0), n = get_local_size(0), k = get_local_id(0);
    int2 at = (int2)(i % 16, i / 16);
    write_imageui(image, at, read_imageui(image, at) * 2 + 1);
    work_group_barrier(CLK_IMAGE_MEM_FENCE);
    uint j = i - k + (n - 1 - k);
    uint other = read_imageui(image, (int2)(j % 16, j / 16)).x;
    work_group_barrier(CLK_IMAGE_MEM_FENCE);
    write_imageui(image, at, (uint4)(other));
}
