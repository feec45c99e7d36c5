// Bitwise and logical reductions and scans, against what one work-item computes in order.
// RUN: kernel=bits local=33 std=CL3.0 options="-DT=int"
// RUN: kernel=bits local=33 std=CL3.0 options="-DT=uint"
// RUN: kernel=bits local=33 std=CL3.0 options="-DT=long"
// RUN: kernel=bits local=* std=CL3.0 options="-DT=ulong"
// ARG: buffer int[G] out
// EXPECT: 0[i] = 0
// SKIP-PEER: no cl_khr_work_group_uniform_arithmetic there

T number(uint n) { return (T)(n * 2654435761u) * (T)2654435769u; }
T mostly_ones(uint n) { return ~((T)1 << (n * 5 % (sizeof(T) * 8))); }
T few_ones(uint n) { return (T)1 << (n * 11 % (sizeof(T) * 8)); }
int truth(uint n) { return n % 9 == 4 ? 0 : (int)(n + 1); }
int lie(uint n) { return n % 9 == 4 ? 256 : 0; }

#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define BOTH(a, b) ((a) && (b))
#define EITHER(a, b) ((a) || (b))
#define ONE(a, b) (!(a) != !(b))

#define CHECK(NAME, TYPE, OP, VALUE, IDENTITY)                                          \
  do {                                                                                  \
    if (me == 0) {                                                                      \
      TYPE sum = IDENTITY;                                                              \
      for (uint k = 0; k < size; k++) {                                                 \
        before[k] = sum;                                                                \
        sum = OP(sum, VALUE(first + k));                                                \
        upto[k] = sum;                                                                  \
      }                                                                                 \
    }                                                                                   \
    barrier(CLK_LOCAL_MEM_FENCE);                                                       \
    TYPE own = VALUE(first + me);                                                       \
    bad |= (work_group_reduce_##NAME(own) != (TYPE)upto[size - 1]) << bit;              \
    bad |= (work_group_scan_inclusive_##NAME(own) != (TYPE)upto[me]) << (bit + 1);      \
    bad |= (work_group_scan_exclusive_##NAME(own) != (TYPE)before[me]) << (bit + 2);    \
    barrier(CLK_LOCAL_MEM_FENCE);                                                       \
    bit += 3;                                                                           \
  } while (0)

kernel void bits(global int *out) {
  local T before[1024], upto[1024];
  uint me = get_local_id(0), size = get_local_size(0), first = get_group_id(0) * size;
  int bad = 0, bit = 0;
  CHECK(and, T, AND, mostly_ones, ~(T)0);
  CHECK(or, T, OR, few_ones, 0);
  CHECK(xor, T, XOR, number, 0);
  CHECK(logical_and, int, BOTH, truth, 1);
  CHECK(logical_or, int, EITHER, lie, 0);
  CHECK(logical_xor, int, ONE, truth, 0);
  out[get_global_id(0)] = bad;
}
