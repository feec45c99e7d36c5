// Kernels that only pass through memory have code whose stores go around the caches, where addresses are aligned: here they
// are, and are not, and change from row to row; of all sizes of elements; out of local memory. Where the kernel reads what it writes
// it is asked for ahead, beyond the end of memory too.
// RUN: kernel=triad local=64 global=256
// ARG: buffer float[G] = i
// ARG: buffer float[G] = 2*i+1
// ARG: buffer float[G+1] = -1
// ARG: scalar int 0
// EXPECT: 2[i] = i < G ? i + 0.5*(2*i+1) : -1
// RUN: kernel=triad local=64 global=256
// ARG: buffer float[G] = i
// ARG: buffer float[G] = 2*i+1
// ARG: buffer float[G+1] = -1
// ARG: scalar int 1
// EXPECT: 2[i] = i > 0 ? i-1 + 0.5*(2*i-1) : -1
// RUN: kernel=rows local=32,2 global=96,6
// ARG: buffer double[600] = i
// ARG: buffer double[600] = -1
// EXPECT: 1[i] = i%100 < 96 ? 2*i+1 : -1
// RUN: kernel=bytes local=64 global=512
// ARG: buffer uchar[G] = i
// ARG: buffer uchar[G+3] = 7
// EXPECT: 1[i] = i < 3 ? 7 : uchar((i-3) * 3)
// RUN: kernel=in_place local=64 global=256
// ARG: buffer int[G] = i
// EXPECT: 0[i] = 5*i
// RUN: kernel=two_outputs local=64 global=256
// ARG: buffer int[G] = i
// ARG: buffer int[G] out
// ARG: buffer short[G] out
// EXPECT: 1[i] = i%3 ? 2*i : int(0xCDCDCDCD)
// EXPECT: 2[i] = 3*i
// RUN: kernel=tiles local=16,16 global=64,32
// ARG: buffer float[G] = i
// ARG: buffer float[G] out
// ARG: scalar int 64
// EXPECT: 1[i] = i%32*64 + i/32
// RUN: kernel=tiles local=16,16 global=48,48
// ARG: buffer float[G] = i
// ARG: buffer float[G] out
// ARG: scalar int 48
// EXPECT: 1[i] = i%48*48 + i/48
// RUN: kernel=update local=64 global=256
// ARG: buffer int[7*G] = i%7 < 6 ? 0 : i/7
// EXPECT: 0[i] = i%7 < 6 ? 0 : i/7 + 1

kernel void triad(global const float *b, global const float *c, global float *a, int far)
{
    int i = get_global_id(0);
    a[i + far] = b[i] + 0.5f * c[i];
}

kernel void rows(global const double *in, global double *out)
{
    int at = get_global_id(1) * 100 + get_global_id(0);
    out[at] = 2 * in[at] + 1;
}

kernel void bytes(global const uchar *in, global uchar *out)
{
    out[get_global_id(0) + 3] = in[get_global_id(0)] * 3;
}

kernel void in_place(global int *values)
{
    values[get_global_id(0)] *= 5;
}

kernel void two_outputs(global const int *in, global int *some, global short *all)
{
    int i = get_global_id(0);
    if (i % 3)
        some[i] = 2 * in[i];
    all[i] = 3 * in[i];
}

kernel void tiles(global const float *in, global float *out, int n)
{
    local float tile[16][17];
    int lx = get_local_id(0), ly = get_local_id(1);
    tile[ly][lx] = in[get_global_id(1) * n + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = get_group_id(1) * 16 + lx, y = get_group_id(0) * 16 + ly;
    out[y * get_global_size(1) + x] = tile[lx][ly];
}

struct particle {
    float place[3];
    float speed[3];
    int age;
};

kernel void update(global struct particle *all)
{
    global struct particle *p = all + get_global_id(0);
    for (int d = 0; d < 3; d++)
        p->place[d] += p->speed[d];
    p->age++;
}
