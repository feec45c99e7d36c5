// RUN: kernel=k local=1 groups=3
// RUN: kernel=k local=16 groups=3
// RUN: kernel=k local=64 groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = (i%L)/8*100 + (i%L)%8 + i/L*1000 + 9
typedef struct { int id; float4 f; } header;
kernel void k(global int *out) {
    local int grid[8][9];
    local header head;
    uint l = get_local_id(0);
    if (l == 0) {
        head.id = 1000 * get_group_id(0);
        head.f = (float4)(2, 3, 4, 5);
    }
    grid[l % 8][l / 8] = 100 * (l / 8) + l % 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = grid[l % 8][l / 8] + head.id + (int)(head.f.z + head.f.w);
}
