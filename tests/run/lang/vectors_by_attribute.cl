// clang's and gcc's attributes for vectors make the vectors of OpenCL C.
// RUN: kernel=vectors local=4
// ARG: buffer int[G] out
// EXPECT: 0[i] = 10*i + 3 + 26 + 20

typedef int int4_t __attribute__((ext_vector_type(4)));
typedef __attribute__((vector_size(8))) int pair;
typedef float __attribute__((__ext_vector_type__(3))) triple;

int total(int4 v) { return v.x + v.y + v.z + v.w; }

kernel void vectors(global int *out) {
  int n = (int)get_global_id(0);
  int4_t a = (int4_t)(n, 2 * n, 3 * n, 4 * n);
  pair p = (pair)(1, 2);
  triple t = (triple)(1.5f);
  out[n] = total(a) + p.x + p.s1 + (int)(t.x * 4) + (int)sizeof(triple) + (int)dot(t, (triple)(2, 2, 2)) - 5 + 20 + total((int4)(0, 1, 0, 0)) - 1 + (n & 0) * (int4_t)(5).w;
}
