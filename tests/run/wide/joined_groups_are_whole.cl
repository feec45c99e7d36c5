// Where the last groups of a launch are smaller than the others, groups are not joined, or know how large they are.
// RUN: kernel=tiles local=16,4 global=64,6 std=CL3.0
// ARG: buffer int[16] = i*3+1
// ARG: buffer int[G] out
// EXPECT: 1[i] = 3 * a0[15 - i%GX%16] + 100 * (i/GX%4 * 16 + i%GX%16)
// RUN: kernel=tiles local=16,4 global=56,8 std=CL3.0
// ARG: buffer int[16] = i*3+1
// ARG: buffer int[G] out
// EXPECT: 1[i] = 3 * a0[(i%GX < 48 ? 15 : 7) - i%GX%16] + 100 * (i/GX%4 * (i%GX < 48 ? 16 : 8) + i%GX%16)

kernel void tiles(global const int *in, global int *out)
{
    local int tile[16];
    int x = get_local_id(0), total = 0;
    for (int k = 0; k < 3; k++) {
        if (get_local_id(1) == 0)
            tile[x] = in[x];
        barrier(CLK_LOCAL_MEM_FENCE);
        total += tile[get_local_size(0) - 1 - x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = total + 100 * get_local_linear_id();
}
