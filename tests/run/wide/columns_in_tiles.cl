// Far elements that rows of items below each other make long accesses of: what a naive transpose stores or reads. Rows
// that are left, chunks that are left, bounds that cut a tile, addresses that wrap inside one, and the order of what one item does.
// RUN: kernel=write local=16,16 groups=2
// RUN: kernel=write local=64,20 groups=2
// RUN: kernel=write local=7,33 groups=2
// RUN: kernel=write local=1,64 groups=2
// RUN: kernel=write local=37,48 groups=1
// RUN: kernel=write local=32,64 global=70,100 std=CL3.0
// RUN: kernel=write local=16,16,2 global=32,32,2
// ARG: buffer int[G] = 7*i+3
// ARG: buffer int[G] out
// EXPECT: 1[i] = 7*(i/(GX*GY)*GX*GY + i%GY*GX + i%(GX*GY)/GY) + 3
kernel void write(global const int *in, global int *out) {
    size_t x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    size_t plane = get_global_id(2) * w * h;
    out[plane + x * h + y] = in[plane + y * w + x];
}

// RUN: kernel=read local=16,16 groups=2
// RUN: kernel=read local=32,37 groups=2
// RUN: kernel=read local=40,70 global=90,90 std=CL3.0
// RUN: kernel=read local=16,64 global=48,64 offset=5,9
// ARG: buffer short[(GX+OX)*(GY+OY)] = 7*i+3
// ARG: buffer short[(GX+OX)*(GY+OY)] = 1
// ARG: scalar int2 GX+OX, GY+OY
// EXPECT: 1[i] = i%(GX+OX) < OX || i/(GX+OX) < OY ? 1 : short(7*(i%(GX+OX)*(GY+OY) + i/(GX+OX)) + 3)
kernel void read(global const short *in, global short *out, int2 size) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * size.x + x] = in[x * size.y + y];
}

// Bounds that cut tiles: some of their rows, some of their lanes, all of them.
// RUN: kernel=bounded local=16,16 groups=4
// RUN: kernel=bounded local=64,64 groups=1
// RUN: kernel=bounded local=48,80 groups=1
// ARG: buffer float[GX*GY] = 3*i+1
// ARG: buffer float[GX*GY] = 9
// ARG: scalar int GX-5
// ARG: scalar int GY-23
// EXPECT: 1[i] = i < (GX-5)*(GY-23) ? 3*(i%(GY-23)*(GX-5) + i/(GY-23)) + 1 : 9
kernel void bounded(global const float *in, global float *out, int w, int h) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h)
        return;
    out[x * h + y] = in[y * w + x];
}

// Every other item, and those of a few lines.
// RUN: kernel=some local=32,32 groups=2
// RUN: kernel=some local=64,64 groups=1
// RUN: kernel=some local=32,70 groups=2
// ARG: buffer uchar[G] = i+i/256
// ARG: buffer uchar[G] = 1
// EXPECT: 1 as interpreted
kernel void some(global const uchar *in, global uchar *out) {
    uint x = get_global_id(0), y = get_global_id(1), n = get_global_size(1);
    if (((x ^ y) & 1) == 0 || (y & 0x10) == 0)
        out[x * n + y] = in[y * get_global_size(0) + x];
}

// Places that wrap in 16 bits, as unsigned and as signed numbers, inside a tile.
// RUN: kernel=wrapping local=16,16 groups=4
// RUN: kernel=wrapping local=32,64 groups=1
// ARG: buffer int[65536] = 5*i+1
// ARG: buffer int[65536] = 2
// ARG: buffer int[65536] = 4
// EXPECT: 1 as interpreted
// EXPECT: 2 as interpreted
kernel void wrapping(global const int *in, global int *out, global int *other) {
    ushort x = get_global_id(0), y = get_global_id(1);
    ushort at = x * 128 + y + 65519;
    short around = x * 100 + y + 32755;
    out[at] = in[(ushort)(at ^ 0x8000)];
    other[around + 32768] = at + in[(ushort)(x * 256 + y + 65000)];
}

// An item finds what it has stored, and what it stores last stays.
// RUN: kernel=twice local=16,32 groups=2
// RUN: kernel=twice local=64,16 groups=1
// ARG: buffer double[G] = i+1
// ARG: buffer double[G] = 0
// ARG: buffer double[G] = 0
// EXPECT: 1[i] = (i%GY*GX + i/GY + 1)*2 + 5
// EXPECT: 2[i] = (i + 1)*2
kernel void twice(global const double *in, global double *out, global double *back) {
    long x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    out[x * h + y] = in[y * w + x] * 2;
    back[y * w + x] = out[x * h + y];
    out[x * h + y] += 5;
}

// Elements of several sizes, by columns of local memory on the way.
// RUN: kernel=sizes local=16,16 groups=3
// RUN: kernel=sizes local=32,8 groups=3
// ARG: buffer int[G] = 11*i
// ARG: buffer uchar[G] out
// ARG: buffer long[G] out
// ARG: buffer ushort[G] out
// ARG: local 4*L
// EXPECT: 1 as interpreted
// EXPECT: 2 as interpreted
// EXPECT: 3 as interpreted
kernel void sizes(global const int *in, global uchar *bytes, global long *longs, global ushort *shorts, local int *tile) {
    int x = get_local_id(0), y = get_local_id(1), w = get_local_size(0), h = get_local_size(1);
    int gx = get_global_id(0), gy = get_global_id(1), gw = get_global_size(0), gh = get_global_size(1);
    tile[x * h + y] = in[gy * gw + gx];
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = tile[(w - 1 - x) * h + y];
    bytes[gx * gh + gy] = other;
    longs[gx * gh + gy] = other * 3L;
    shorts[gy * gw + gx] = tile[x * h + y] + in[gx * gh + gy];
}

// Two steps from row to row are none for tiles, nor are steps back; addresses of lanes that a table gives are.
// RUN: kernel=others local=16,16 groups=2
// ARG: buffer int[G] = i
// ARG: buffer int[2*G] = 3
// ARG: buffer int[G] = 3
// ARG: buffer int[G] = 3
// EXPECT: 1 as interpreted
// EXPECT: 2 as interpreted
// EXPECT: 3 as interpreted
kernel void others(global const int *in, global int *apart, global int *back, global int *by_table) {
    int x = get_global_id(0), y = get_global_id(1), n = get_global_size(1), v = in[y * get_global_size(0) + x];
    apart[x * 2 * n + 2 * y] = v;
    back[x * n + n - 1 - y] = v;
    by_table[in[x] * n + y] = v;
}
