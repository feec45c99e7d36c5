// RUN: kernel=k local=* groups=2 std=CL3.0
// ARG: buffer int[G] = 3*i
// ARG: buffer int[G] out
// EXPECT: 1[i] = 3*i + 1 + (i%8)*(i%8) + (i/L*L + (L-1-i%L))
int squares[8] = { 0, 1, 4, 9, 16, 25, 36, 49 };
global int scratch[8192];
global int *where[2] = { scratch, scratch + 1 };

kernel void k(global const int *a, global int *out) {
    int g = get_global_id(0), n = get_local_id(0), size = get_local_size(0);
    where[0][g] = g;
    barrier(CLK_GLOBAL_MEM_FENCE);
    int other = scratch[g - n + size - 1 - n];
    int *p = squares + (g & 7);
    out[g] = a[g] + 1 + *p + other;
}
