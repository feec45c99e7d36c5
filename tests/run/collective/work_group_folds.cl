// Reductions and scans of every type and operation, against what one work-item computes in order.
// RUN: kernel=folds local=* std=CL3.0 options="-DT=int"
// RUN: kernel=folds local=33 std=CL3.0 options="-DT=uint"
// RUN: kernel=folds local=64 std=CL3.0 options="-DT=uint"
// RUN: kernel=folds local=33 std=CL3.0 options="-DT=long"
// RUN: kernel=folds local=64 std=CL3.0 options="-DT=long"
// RUN: kernel=folds local=33 std=CL3.0 options="-DT=ulong"
// RUN: kernel=folds local=64 std=CL3.0 options="-DT=ulong"
// RUN: kernel=folds local=* std=CL3.0 options="-DT=float -DINEXACT"
// RUN: kernel=folds local=* std=CL3.0 options="-DT=half -DINEXACT"
// RUN: kernel=folds local=33 std=CL3.0 options="-DT=double -DINEXACT"
// RUN: kernel=folds local=64 std=CL3.0 options="-DT=double -DINEXACT"
// ARG: buffer int[G] out
// EXPECT: 0[i] = 0

#ifdef INEXACT
// Sums and products of these are exact.
T number(uint n) { return (T)((int)(n * 37u % 61u) - 30); }
T factor(uint n) { return n % 5 == 0 ? (T)2 : n % 5 == 2 ? (T)0.5 : (T)-1; }
#define LEAST (-(T)INFINITY)
#define GREATEST ((T)INFINITY)
#else
T number(uint n) { return (T)(n * 2654435761u) * (T)2654435769u ^ (T)(n >> 3); }
T factor(uint n) { return number(n) | 1; }
#define BITS (sizeof(T) * 8)
#define SIGNED ((T)-1 < (T)1)
#define LEAST (SIGNED ? (T)1 << (BITS - 1) : (T)0)
#define GREATEST (SIGNED ? (T) ~((T)1 << (BITS - 1)) : (T)-1)
#endif

#define ADD(a, b) ((a) + (b))
#define MUL(a, b) ((a) * (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((b) > (a) ? (b) : (a))

#define CHECK(NAME, OP, VALUE, IDENTITY)                                                \
  do {                                                                                  \
    if (me == 0) {                                                                      \
      T sum = IDENTITY;                                                                 \
      for (uint k = 0; k < size; k++) {                                                 \
        before[k] = sum;                                                                \
        sum = OP(sum, VALUE(first + k));                                                \
        upto[k] = sum;                                                                  \
      }                                                                                 \
    }                                                                                   \
    barrier(CLK_LOCAL_MEM_FENCE);                                                       \
    T own = VALUE(first + me);                                                          \
    bad |= (work_group_reduce_##NAME(own) != upto[size - 1]) << bit;                    \
    bad |= (work_group_scan_inclusive_##NAME(own) != upto[me]) << (bit + 1);            \
    bad |= (work_group_scan_exclusive_##NAME(own) != before[me]) << (bit + 2);          \
    barrier(CLK_LOCAL_MEM_FENCE);                                                       \
    bit += 3;                                                                           \
  } while (0)

kernel void folds(global int *out) {
  local T before[1024], upto[1024];
  uint me = get_local_id(0), size = get_local_size(0), first = get_group_id(0) * size;
  int bad = 0, bit = 0;
  CHECK(add, ADD, number, 0);
  CHECK(min, MIN, number, GREATEST);
  CHECK(max, MAX, number, LEAST);
  CHECK(mul, MUL, factor, 1);
  out[get_global_id(0)] = bad;
}
