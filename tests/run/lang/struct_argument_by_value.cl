// RUN: kernel=k local=4
// RUN: kernel=k local=37
// ARG: struct char 3, double 2.5, short -7, int 100000
// ARG: buffer int[G] out
// EXPECT: 1[i] = 3*10 + 5 - 7 + 100000 + i
typedef struct { char a; double b; short c; int d; } params;
kernel void k(params p, global int *out) {
    out[get_global_id(0)] = 10 * p.a + (int)(2 * p.b) + p.c + p.d + (int)get_global_id(0);
}
