// Groups that fill local memory with the same run as one larger group, for which it is filled once: by rows (`ta`), by columns
// (`tb`), with bounds, in local arguments, and in one dimension.
// RUN: kernel=product local=16,16 global=64,32
// RUN: kernel=product local=32,8 global=128,16
// RUN: kernel=product local=16,1 global=64,4
// ARG: buffer int[4096] = i*7%13-6
// ARG: buffer int[8192] = i*5%11-5
// ARG: buffer int[GX*GY] out
// EXPECT: 2[i] = sum(k, 0, 32, a0[i/GX*32+k] * a1[k*GX+i%GX])
// RUN: kernel=bounded local=16,16 global=64,64
// ARG: buffer int[4096] = i*7%13-6
// ARG: buffer int[4096] = i*5%11-5
// ARG: buffer int[GX*GY] out
// ARG: scalar int 37
// EXPECT: 2[i] = (i%GX < 37 && i/GX < 37) ? sum(k, 0, 37, a0[i/GX*37+k] * a1[k*37+i%GX]) : int(0xCDCDCDCD)
// RUN: kernel=arguments local=16,4 global=64,8
// ARG: buffer int[4096] = i*7%13-6
// ARG: buffer int[4096] = i*5%11-5
// ARG: buffer int[GX*GY] out
// ARG: local LX*4
// ARG: local LY*4+4
// EXPECT: 2[i] = sum(k, 0, 8, a0[k*GX+i%GX] * a1[k*GY+i/GX])
// RUN: kernel=all_bodies local=64 global=256
// RUN: kernel=all_bodies local=16 global=64
// ARG: buffer int[G] = i*7%13-6
// ARG: buffer int[G] out
// EXPECT: 1[i] = sum(k, 0, G, (a0[i]-a0[k])*(a0[i]-a0[k]))

kernel void product(global const int *a, global const int *b, global int *c)
{
    local int ta[16][16], tb[16][32];
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
    int nx = get_global_size(0), h = get_local_size(1), w = get_local_size(0), total = 0;
    for (int t = 0; t < 32; t += h) {
        for (int at = lx; at < h; at += w)
            ta[ly][at] = a[y * 32 + t + at];
        tb[ly][lx] = b[(t + ly) * nx + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < h; k++)
            total += ta[ly][k] * tb[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * nx + x] = total;
}

kernel void bounded(global const int *a, global const int *b, global int *c, int n)
{
    local int ta[16][17], tb[16][16];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_group_id(0) * get_local_size(0) + lx, y = get_group_id(1) * get_local_size(1) + ly, total = 0;
    for (int t = 0; t < n; t += 16) {
        if (y < n && t + lx < n)
            ta[ly][lx] = a[y * n + t + lx];
        else
            ta[ly][lx] = 0;
        tb[ly][lx] = x < n && t + ly < n ? b[(t + ly) * n + x] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++)
            total += ta[ly][k] * tb[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < n && y < n)
        c[y * get_global_size(0) + x] = total;
}

kernel void arguments(global const int *a, global const int *b, global int *c, local int *row, local int *column)
{
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1), total = 0;
    for (int k = 0; k < 8; k++) {
        if (ly == 0)
            row[lx] = a[k * get_global_size(0) + x];
        if (lx == 0)
            column[ly] = b[k * get_global_size(1) + y];
        barrier(CLK_LOCAL_MEM_FENCE);
        total += row[lx] * column[ly];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * get_global_size(0) + x] = total;
}

kernel void all_bodies(global const int *at, global int *sums)
{
    local int tile[64];
    int l = get_local_id(0), n = get_local_size(0), own = at[get_global_id(0)], total = 0;
    for (int t = 0; t < get_num_groups(0); t++) {
        tile[l] = at[t * n + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < n; k++)
            total += (own - tile[k]) * (own - tile[k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sums[get_global_id(0)] = total;
}
