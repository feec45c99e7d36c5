// RUN: kernel=k global=32,32 local=8,8
// RUN: kernel=k global=32,32 local=16,16
// RUN: kernel=k global=48,16 local=16,16
// ARG: buffer int[G] = i
// ARG: buffer int[G] out
// ARG: local 4*(LX+1)*LY
// EXPECT: 1[i] = i%GY*GX + i/GY
kernel void k(global const int *in, global int *out, local int *tile) {
    int lx = get_local_id(0), ly = get_local_id(1), t = get_local_size(0);
    int w = get_global_size(0), h = get_global_size(1);
    tile[ly * (t + 1) + lx] = in[get_global_id(1) * w + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = get_group_id(1) * t + lx, y = get_group_id(0) * t + ly;
    out[y * h + x] = tile[lx * (t + 1) + ly];
}
