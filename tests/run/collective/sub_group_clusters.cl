// Reductions of clusters, and rotation in them.
// RUN: kernel=clusters local=33 std=CL3.0 options="-DT=int -DC=4"
// RUN: kernel=clusters local=33 std=CL3.0 options="-DT=uchar -DC=2"
// RUN: kernel=clusters local=64 std=CL3.0 options="-DT=ushort -DC=1"
// RUN: kernel=clusters local=64 std=CL3.0 options="-DT=long -DC=4"
// RUN: kernel=clusters local=64 std=CL3.0 options="-DT=float -DC=2 -DFLOAT"
// RUN: kernel=clusters local=64 std=CL3.0 options="-DT=half -DC=4 -DFLOAT"
// RUN: kernel=clusters local=6,7 std=CL3.0 options="-DT=double -DC=4 -DFLOAT"
// RUN: kernel=clusters local=32,2 std=CL3.0 options="-DT=uint -DC=(1<<3) -DS=8"
// RUN: kernel=clusters local=64 std=CL3.0 options="-DT=uint -DC=8 -DS=16"
// ARG: buffer int[G] out
// EXPECT: 0[i] = 0

T number(uint n) { return (T)(n * 37u % 61u); }
T factor(uint n) { return (T)(n % 3 + 1); }

#define ADD(a, b) ((T)((a) + (b)))
#define MUL(a, b) ((T)((a) * (b)))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((b) > (a) ? (b) : (a))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define BOTH(a, b) ((a) && (b))
#define EITHER(a, b) ((a) || (b))
#define ONE(a, b) (!(a) != !(b))

#define SAME(x) (x)
#define TRUTH(x) (!!(x))

#define CHECK(NAME, TYPE, OP, VALUE, FIRST)                                      \
  do {                                                                           \
    TYPE sum = FIRST(VALUE(from));                                               \
    for (uint k = from + 1; k < end; k++) sum = OP(sum, (TYPE)VALUE(k));         \
    bad |= (sub_group_clustered_reduce_##NAME((TYPE)VALUE(me), C) != sum) << bit; \
    bit++;                                                                       \
  } while (0)
#define SET(n) ((int)((n) % 5) * 7)
#define ANY(n) ((n) % 11 == 3)

#ifdef S
__attribute__((intel_reqd_sub_group_size(S)))
#endif
kernel void clusters(global int *out) {
  uint me = (uint)get_local_linear_id();
  uint size = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  uint from = me / C * C, end = min(from + C, size);
  int bad = 0, bit = 0;
  CHECK(add, T, ADD, number, SAME);
  CHECK(mul, T, MUL, factor, SAME);
  CHECK(min, T, MIN, number, SAME);
  CHECK(max, T, MAX, number, SAME);
#ifndef FLOAT
  CHECK(and, T, AND, number, SAME);
  CHECK(or, T, OR, number, SAME);
  CHECK(xor, T, XOR, number, SAME);
#endif
  CHECK(logical_and, int, BOTH, SET, TRUTH);
  CHECK(logical_or, int, EITHER, ANY, TRUTH);
  CHECK(logical_xor, int, ONE, SET, TRUTH);
  for (int by = -3; by <= 5; by++) {
    uint whose = from + ((me - from + (uint)by) & (C - 1));
    T got = sub_group_clustered_rotate(number(me), by, C);
    bad |= (whose < size && got != number(whose)) << bit;
  }
  out[get_global_linear_id()] = bad;
}
