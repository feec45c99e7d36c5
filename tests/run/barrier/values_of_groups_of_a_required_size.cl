// What lives across barriers, in groups of one chunk, of several, of rows and of planes; the last group of a launch may be smaller.
// RUN: kernel=line local=16 groups=5 std=CL3.0
// RUN: kernel=line local=16 global=77 std=CL3.0
// ARG: buffer int[80] = 3*i + 1
// ARG: buffer int[80] = -1
// EXPECT: 1[i] = i < G ? a0[i/16*16 + min(15, G - 1 - i/16*16) - i%16] + 2*a0[i] + i : -1
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void line(global const int *a, global int *out) {
    local int t[16];
    int l = get_local_id(0), i = get_global_id(0), last = get_local_size(0) - 1;
    int x = a[i], twice = 2 * x;
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = t[last - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = other + twice;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[l] + i;
}
// RUN: kernel=rounds local=64 groups=3 std=CL3.0
// ARG: buffer int[192] = i * i % 37
// ARG: buffer int[192] out
// EXPECT: 1[i] = sum(k, 0, 64, a0[i/64*64 + k]) - a0[i]
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void rounds(global const int *a, global int *out) {
    local int t[64];
    int l = get_local_id(0), mine = a[get_global_id(0)];
    t[l] = mine;
    for (int far = 32; far > 0; far /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < far)
            t[l] += t[l + far];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[0] - mine;
}
// RUN: kernel=tile local=16,16 global=32,32 std=CL3.0
// ARG: buffer float[1024] = i % 11
// ARG: buffer float[1024] = i % 7
// ARG: buffer float[1024] out
// EXPECT: 2[i] = sum(k, 0, 32, a0[i/32*32 + k] * a1[k*32 + i%32])
kernel __attribute__((reqd_work_group_size(16, 16, 1))) void tile(global const float *a, global const float *b, global float *c) {
    local float x[16][16], y[16][16];
    int lx = get_local_id(0), ly = get_local_id(1), col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < 32; k += 16) {
        x[ly][lx] = a[row * 32 + k + lx];
        y[ly][lx] = b[(k + ly) * 32 + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int n = 0; n < 16; n++)
            sum += x[ly][n] * y[n][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * 32 + col] = sum;
}
// RUN: kernel=block local=4,4,4 global=8,8,8 std=CL3.0
// ARG: buffer int[512] = i
// ARG: buffer int[512] out
// EXPECT: 1[i] = 2*i + (i % 4 == 3 ? i - 3 : i + 1)
kernel __attribute__((reqd_work_group_size(4, 4, 4))) void block(global const int *a, global int *out) {
    local int t[64];
    int i = get_global_linear_id(), l = get_local_linear_id(), x = a[i];
    int private_copy[2] = { x, 2 * x };
    t[l] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = t[l / 4 * 4 + (l + 1) % 4];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = private_copy[(next & 1) | 1] + next;
}
// A generic pointer knows where private memory is.
// RUN: kernel=generic_pointers local=16 groups=2 std=CL3.0
// ARG: buffer int[32] = i
// ARG: buffer int[32] out
// EXPECT: 1[i] = i % 2 == 0 ? i + 100 : i + 200
int through(int *p) { return *p; }
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void generic_pointers(global int *a, global int *out) {
    local int t[16];
    int i = get_global_id(0), l = get_local_id(0), mine = a[i] + 100;
    t[l] = mine + 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = i % 2 ? (int *)&t[l] : (int *)&mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = through(p);
    if (to_private(p) == 0 && i % 2 == 0)
        out[i] = -1;
}
