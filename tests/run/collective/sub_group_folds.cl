// Reductions and scans of sub-groups, for every type and operation, against what each work-item computes in order.
// RUN: kernel=folds local=1 std=CL3.0 options="-DT=int"
// RUN: kernel=folds local=3 std=CL3.0 options="-DT=int"
// RUN: kernel=folds local=16 std=CL3.0 options="-DT=int"
// RUN: kernel=folds local=33 std=CL3.0 options="-DT=int"
// RUN: kernel=folds local=64 std=CL3.0 options="-DT=int"
// RUN: kernel=folds local=64 std=CL3.0 options="-DT=float -DINEXACT"
// RUN: kernel=folds local=64 std=CL3.0 options="-DT=char"
// RUN: kernel=folds local=33 std=CL3.0 options="-DT=uchar"
// RUN: kernel=folds local=64 std=CL3.0 options="-DT=short"
// RUN: kernel=folds local=64 std=CL3.0 options="-DT=ushort"
// RUN: kernel=folds local=64 std=CL3.0 options="-DT=uint"
// RUN: kernel=folds local=33 std=CL3.0 options="-DT=long"
// RUN: kernel=folds local=33 std=CL3.0 options="-DT=ulong"
// RUN: kernel=folds local=64 std=CL3.0 options="-DT=ulong"
// RUN: kernel=folds local=64 std=CL3.0 options="-DT=half -DINEXACT"
// RUN: kernel=folds local=33 std=CL3.0 options="-DT=half -DINEXACT"
// RUN: kernel=folds local=33 std=CL3.0 options="-DT=double -DINEXACT"
// RUN: kernel=folds local=5,3 std=CL3.0 options="-DT=int"
// RUN: kernel=folds local=32,2 std=CL3.0 options="-DT=float -DINEXACT -DS=16"
// RUN: kernel=folds local=16,2,2 std=CL3.0 options="-DT=long -DS=8"
// ARG: buffer int[G] out
// EXPECT: 0[i] = 0

#ifdef INEXACT
// Sums and products of these are exact.
T number(uint n) { return (T)((int)(n * 37u % 61u) - 30); }
T factor(uint n) { return n % 5 == 0 ? (T)2 : n % 5 == 2 ? (T)0.5 : (T)-1; }
#define LEAST (-(T)INFINITY)
#define GREATEST ((T)INFINITY)
#else
T number(uint n) { return (T)(((ulong)(n * 2654435761u) * 2654435769ul) >> 7 ^ (n >> 3)); }
T factor(uint n) { return number(n) | 1; }
#define BITS (sizeof(T) * 8)
#define SIGNED ((T)-1 < (T)1)
#define LEAST (SIGNED ? (T)((ulong)1 << (BITS - 1)) : (T)0)
#define GREATEST (SIGNED ? (T) ~((ulong)1 << (BITS - 1)) : (T)-1)
#endif

#define ADD(a, b) ((T)((a) + (b)))
#define MUL(a, b) ((T)((a) * (b)))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((b) > (a) ? (b) : (a))

// `from` to `end`: the work-items that may take part; those for which HERE says so do.
#define EXPECTED(OP, VALUE, IDENTITY, HERE)                                \
  T sum = IDENTITY, before = sum, upto = sum;                              \
  for (uint k = from; k < end; k++) {                                      \
    if (!(HERE)) continue;                                                 \
    if (k == me) before = sum;                                             \
    sum = OP(sum, VALUE(first + k));                                       \
    if (k == me) upto = sum;                                               \
  }

#define CHECK(PREFIX, NAME, OP, VALUE, IDENTITY, HERE)                     \
  do {                                                                     \
    EXPECTED(OP, VALUE, IDENTITY, HERE)                                    \
    T own = VALUE(first + me);                                             \
    bad |= (PREFIX##reduce_##NAME(own) != sum) << bit;                     \
    bad |= (PREFIX##scan_inclusive_##NAME(own) != upto) << (bit + 1);      \
    bad |= (PREFIX##scan_exclusive_##NAME(own) != before) << (bit + 2);    \
    bit += 3;                                                              \
  } while (0)

#ifdef S
__attribute__((intel_reqd_sub_group_size(S)))
#endif
kernel void folds(global int *out) {
  uint me = (uint)get_local_linear_id(), most = get_max_sub_group_size();
  uint size = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  uint from = me / most * most, end = min(from + most, size), first = (uint)get_group_id(0) * size;
  int bad = 0, bit = 0;
  CHECK(sub_group_, add, ADD, number, 0, 1);
  CHECK(sub_group_, min, MIN, number, GREATEST, 1);
  CHECK(sub_group_, max, MAX, number, LEAST, 1);
  // Only some of the sub-group.
  if (me % 3 != 1) {
    CHECK(sub_group_non_uniform_, add, ADD, number, 0, k % 3 != 1);
    CHECK(sub_group_non_uniform_, max, MAX, number, LEAST, k % 3 != 1);
    CHECK(sub_group_non_uniform_, mul, MUL, factor, 1, k % 3 != 1);
  } else {
    CHECK(sub_group_non_uniform_, min, MIN, number, GREATEST, k % 3 == 1);
  }
  out[get_global_linear_id()] = bad;
}
