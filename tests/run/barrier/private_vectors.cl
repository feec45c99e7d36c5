// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = 4*i + (0+1+2+3) + 3*i + 3 + i*2 + uchar(i+15) + i+6
kernel void k(global int *out) {
    int g = get_global_id(0);
    int4 a = (int4)(g) + (int4)(0, 1, 2, 3);
    int3 b = (int3)(g, g + 1, g + 2);
    double2 c = (double2)(g, 2.0 * g);
    uchar16 d = (uchar16)((uchar)g) + (uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    float8 e = (float8)(0, 1, 2, 3, 4, 5, 6, 7) + (float)g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a.x + a.y + a.z + a.w + b.x + b.y + b.z + (int)c.y + d.sf + (int)e.s6;
}
