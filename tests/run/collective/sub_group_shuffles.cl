// Values of other work-items of the sub-group: broadcasts, shuffles, rotation, for every type and for vectors.
// RUN: kernel=shuffles local=1 std=CL3.0 options="-DT=int"
// RUN: kernel=shuffles local=7 std=CL3.0 options="-DT=int"
// RUN: kernel=shuffles local=33 std=CL3.0 options="-DT=int"
// RUN: kernel=shuffles local=64 std=CL3.0 options="-DT=int"
// RUN: kernel=shuffles local=33 std=CL3.0 options="-DT=char"
// RUN: kernel=shuffles local=64 std=CL3.0 options="-DT=uchar"
// RUN: kernel=shuffles local=64 std=CL3.0 options="-DT=short"
// RUN: kernel=shuffles local=64 std=CL3.0 options="-DT=ushort"
// RUN: kernel=shuffles local=64 std=CL3.0 options="-DT=uint"
// RUN: kernel=shuffles local=64 std=CL3.0 options="-DT=long"
// RUN: kernel=shuffles local=64 std=CL3.0 options="-DT=ulong"
// RUN: kernel=shuffles local=64 std=CL3.0 options="-DT=float"
// RUN: kernel=shuffles local=64 std=CL3.0 options="-DT=half"
// RUN: kernel=shuffles local=64 std=CL3.0 options="-DT=double -DS=8"
// RUN: kernel=shuffles local=5,7 std=CL3.0 options="-DT=float"
// RUN: kernel=shuffles local=32,2 std=CL3.0 options="-DT=int -DS=32"
// ARG: buffer int[G] out
// EXPECT: 0[i] = 0

#define V2(T) V2_(T)
#define V2_(T) T##4

T number(uint n) { return (T)(n * 37u % 113u); }
V2(T) numbers(uint n) { return (V2(T))(number(n), number(n + 1), number(n + 2), number(n + 3)); }

// What comes from a place where nobody is may be anything.
#define CHECK(CALL, PLACE)                                           \
  do {                                                               \
    T got = CALL;                                                    \
    uint place = PLACE;                                              \
    bad |= (place < count && got != number(from + place)) << bit;    \
    bit++;                                                           \
  } while (0)

#ifdef S
__attribute__((intel_reqd_sub_group_size(S)))
#endif
kernel void shuffles(global int *out) {
  uint me = (uint)get_local_linear_id(), most = get_max_sub_group_size(), own = get_sub_group_local_id();
  uint count = get_sub_group_size(), from = me - own;
  T mine = number(me);
  int bad = 0, bit = 0;
  CHECK(sub_group_broadcast(mine, 0), 0);
  CHECK(sub_group_broadcast(mine, count - 1), count - 1);
  CHECK(sub_group_broadcast(mine, get_sub_group_id() % count), get_sub_group_id() % count);
  CHECK(sub_group_shuffle(mine, count - 1 - own), count - 1 - own);
  CHECK(sub_group_shuffle(mine, own * 3 % count), own * 3 % count);
  CHECK(sub_group_shuffle_xor(mine, 1), own ^ 1);
  CHECK(sub_group_shuffle_xor(mine, 2), own ^ 2);
  CHECK(sub_group_shuffle_xor(mine, most / 2), own ^ (most / 2));
  CHECK(sub_group_shuffle_up(mine, 1), own - 1);
  CHECK(sub_group_shuffle_up(mine, 3), own - 3);
  CHECK(sub_group_shuffle_down(mine, 1), own + 1);
  CHECK(sub_group_shuffle_down(mine, get_sub_group_id()), own + get_sub_group_id());
  CHECK(sub_group_rotate(mine, 1), (own + 1) % most);
  CHECK(sub_group_rotate(mine, -2), (own + most * 2 - 2) % most);
  CHECK(sub_group_broadcast_first(mine), 0);
  V2(T) got = sub_group_broadcast(numbers(me), count / 2), wanted = numbers(from + count / 2);
  bad |= any(got != wanted) << bit++;
  if (own % 2) {
    CHECK(sub_group_broadcast_first(mine), 1);
    CHECK(sub_group_non_uniform_broadcast(mine, 1), 1);
    CHECK(sub_group_shuffle(mine, own ^ 2), own ^ 2);
    got = sub_group_non_uniform_broadcast(numbers(me), 1);
    bad |= any(got != numbers(from + 1)) << bit++;
  } else {
    CHECK(sub_group_shuffle_xor(mine, 4), own ^ 4);
  }
  out[get_global_linear_id()] = bad;
}
