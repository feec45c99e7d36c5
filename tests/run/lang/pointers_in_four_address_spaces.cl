// RUN: kernel=k local=4
// ARG: buffer int[G] = i
// ARG: buffer int[4] = i*10
// ARG: buffer int[G] out
// EXPECT: 2[i] = i + i%4*10 + (i%4+1)%4 + 1000
int read_global(global const int *p) { return *p; }
int read_constant(constant int *p) { return *p; }
int read_local(local int *p) { return *p; }
int read_private(int *p) { return *p; }
kernel void k(global const int *a, constant int *b, global int *out) {
    local int c[4];
    int d[2] = { 0, 1000 };
    int l = get_local_id(0);
    c[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = read_global(a + get_global_id(0)) + read_constant(&b[l]) + read_local(&c[(l + 1) % 4])
        + read_private(d + 1);
}
