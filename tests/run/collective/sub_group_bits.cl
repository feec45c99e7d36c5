// Bitwise and logical operations of sub-groups, in divergent code too.
// RUN: kernel=bits local=1 std=CL3.0 options="-DT=uint"
// RUN: kernel=bits local=7 std=CL3.0 options="-DT=uint"
// RUN: kernel=bits local=16 std=CL3.0 options="-DT=uint"
// RUN: kernel=bits local=33 std=CL3.0 options="-DT=uint"
// RUN: kernel=bits local=256 std=CL3.0 options="-DT=uint"
// RUN: kernel=bits local=33 std=CL3.0 options="-DT=char"
// RUN: kernel=bits local=64 std=CL3.0 options="-DT=ushort"
// RUN: kernel=bits local=64 std=CL3.0 options="-DT=long"
// RUN: kernel=bits local=6,7 std=CL3.0 options="-DT=ulong"
// ARG: buffer int[G] out
// EXPECT: 0[i] = 0

T number(uint n) { return (T)(((ulong)(n * 2654435761u) * 2654435769ul) >> 7); }
T mostly_ones(uint n) { return (T) ~((ulong)1 << (n * 5 % (sizeof(T) * 8))); }
T few_ones(uint n) { return (T)((ulong)1 << (n * 11 % (sizeof(T) * 8))); }
int truth(uint n) { return n % 9 == 4 ? 0 : (int)(n + 1); }
int lie(uint n) { return n % 9 == 4 ? 256 : 0; }

#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define BOTH(a, b) ((a) && (b))
#define EITHER(a, b) ((a) || (b))
#define ONE(a, b) (!(a) != !(b))

#define CHECK(NAME, TYPE, OP, VALUE, IDENTITY, HERE)                                         \
  do {                                                                                       \
    TYPE sum = IDENTITY, before = sum, upto = sum;                                           \
    for (uint k = from; k < end; k++) {                                                      \
      if (!(HERE)) continue;                                                                 \
      if (k == me) before = sum;                                                             \
      sum = OP(sum, VALUE(k));                                                               \
      if (k == me) upto = sum;                                                               \
    }                                                                                        \
    TYPE own = VALUE(me);                                                                    \
    bad |= (sub_group_non_uniform_reduce_##NAME(own) != sum) << bit;                         \
    bad |= (sub_group_non_uniform_scan_inclusive_##NAME(own) != upto) << (bit + 1);          \
    bad |= (sub_group_non_uniform_scan_exclusive_##NAME(own) != before) << (bit + 2);        \
    bit += 3;                                                                                \
  } while (0)

kernel void bits(global int *out) {
  uint me = (uint)get_local_linear_id(), most = get_max_sub_group_size();
  uint size = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  uint from = me / most * most, end = min(from + most, size);
  int bad = 0, bit = 0;
  CHECK(and, T, AND, mostly_ones, (T)-1, 1);
  CHECK(or, T, OR, few_ones, 0, 1);
  CHECK(xor, T, XOR, number, 0, 1);
  for (uint round = 0; round < 2; round++) {
    bit = 9;
    if (me % 2 != round) continue;
    CHECK(logical_and, int, BOTH, truth, 1, k % 2 == round);
    CHECK(logical_or, int, EITHER, lie, 0, k % 2 == round);
    CHECK(logical_xor, int, ONE, truth, 0, k % 2 == round);
    CHECK(xor, T, XOR, number, 0, k % 2 == round);
  }
  out[get_global_linear_id()] = bad;
}
