// The opposite corner of the group.
// RUN: kernel=k global=6,6,6 local=2,3,2
// RUN: kernel=k global=6,6,6 local=1,1,6
// RUN: kernel=k global=6,6,6 local=3,1,2
// RUN: kernel=k global=16,16,8 local=8,8,4
// RUN: kernel=k global=15,6,4 local=5,3,2 options="-cl-opt-disable"
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = (i%GX/LX*LX + LX-1-i%GX%LX) + 100*(i/GX%GY/LY*LY + LY-1-i/GX%GY%LY) + 10000*(i/GX/GY/LZ*LZ + LZ-1-i/GX/GY%LZ)
kernel void k(global int *out, local int *tmp) {
    uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);
    uint nx = get_local_size(0), ny = get_local_size(1), nz = get_local_size(2);
    uint at = (lz * ny + ly) * nx + lx;
    tmp[at] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2);
    barrier(CLK_LOCAL_MEM_FENCE);
    uint g = (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0);
    out[g] = tmp[nx * ny * nz - 1 - at];
}
