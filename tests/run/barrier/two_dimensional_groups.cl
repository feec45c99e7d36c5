// The neighbour along y, for several shapes.
// RUN: kernel=k global=12,8 local=4,4
// RUN: kernel=k global=12,8 local=12,1
// RUN: kernel=k global=12,8 local=1,8
// RUN: kernel=k global=12,9 local=6,3
// RUN: kernel=k global=64,32 local=32,32
// RUN: kernel=k global=14,33 local=7,11
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = i%GX + 1000*(i/GX/LY*LY + (i/GX%LY+1)%LY)
kernel void k(global int *out, local int *tmp) {
    uint lx = get_local_id(0), ly = get_local_id(1), nx = get_local_size(0), ny = get_local_size(1);
    tmp[ly * nx + lx] = get_global_id(0) + 1000 * get_global_id(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = tmp[(ly + 1) % ny * nx + lx];
}
