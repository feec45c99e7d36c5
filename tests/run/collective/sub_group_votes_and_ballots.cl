// Votes, elections, ballots and what can be asked of them.
// RUN: kernel=votes local=1 std=CL3.0
// RUN: kernel=votes local=7 std=CL3.0
// RUN: kernel=votes local=16 std=CL3.0
// RUN: kernel=votes local=33 std=CL3.0
// RUN: kernel=votes local=256 std=CL3.0
// RUN: kernel=votes local=64 std=CL3.0 options="-DS=32"
// RUN: kernel=votes local=33 std=CL3.0 options="-DS=4"
// RUN: kernel=votes local=6,7 std=CL3.0
// RUN: kernel=votes local=16,2,2 std=CL3.0 options="-DS=16"
// ARG: buffer int[G] out
// EXPECT: 0[i] = 0

uint word(uint4 m) { return m.y | m.z | m.w ? 0xbad : m.x; }

#ifdef S
__attribute__((intel_reqd_sub_group_size(S)))
#endif
kernel void votes(global int *out) {
  uint most = get_max_sub_group_size(), own = get_sub_group_local_id(), count = get_sub_group_size();
  uint id = get_sub_group_id();
  int bad = 0, bit = 0;
#define CHECK(CONDITION) bad |= (int)!(CONDITION) << bit++
  CHECK(sub_group_all(own < count));
  CHECK(!sub_group_all(own != count - 1));
  CHECK(sub_group_any(own == count - 1));
  CHECK(!sub_group_any(own == count));
  CHECK(!sub_group_all(id & 1) == !(id & 1));
  CHECK(sub_group_non_uniform_all_equal(id));
  CHECK(!sub_group_non_uniform_all_equal(own) == (count > 1));
  CHECK(!sub_group_non_uniform_all_equal((float)(own / (count - 1))) == (count > 1) || count == 1);
  CHECK(!sub_group_elect() == (own != 0));

  uint everyone = count == 32 ? ~0u : (1u << count) - 1, full = most == 32 ? ~0u : (1u << most) - 1;
  uint4 odd = sub_group_ballot(own % 2 ? 256 : 0);
  uint odd_bits = 0xaaaaaaaa & everyone;
  CHECK(word(odd) == odd_bits);
  CHECK(!sub_group_inverse_ballot(odd) == !(own % 2));
  CHECK(!sub_group_ballot_bit_extract(odd, count - 1) == !((count - 1) % 2));
  uint4 noise = (uint4)(odd.x, 7, 7, 7);
  CHECK(sub_group_ballot_bit_count(noise) == popcount(odd_bits));
  CHECK(sub_group_ballot_inclusive_scan(noise) == (own + 1) / 2);
  CHECK(sub_group_ballot_exclusive_scan(noise) == own / 2);
  CHECK(sub_group_ballot_find_lsb((uint4)(full & ~1u, 7, 7, 7)) == 1);
  CHECK(sub_group_ballot_find_msb((uint4)(~0u, 7, 7, 7)) == most - 1);
  CHECK(word(get_sub_group_eq_mask()) == 1u << own);
  CHECK(word(get_sub_group_lt_mask()) == (1u << own) - 1);
  CHECK(word(get_sub_group_le_mask()) == ((1u << own) | ((1u << own) - 1)));
  CHECK(word(get_sub_group_ge_mask()) == (full & ~((1u << own) - 1)));
  CHECK(word(get_sub_group_gt_mask()) == (full & ~((1u << own) | ((1u << own) - 1))));
  if (own % 3 == 2) {
    uint here = 0x24924924 & everyone;
    CHECK(word(sub_group_ballot(1)) == here);
    CHECK(!sub_group_elect() == (own != 2));
    CHECK(sub_group_non_uniform_all(own % 3 == 2));
    CHECK(!sub_group_non_uniform_any(own % 3 == 1));
    CHECK(sub_group_non_uniform_all_equal(own % 3));
    CHECK(word(sub_group_ballot(own > 4)) == (here & ~0x1fu));
  }
  out[get_global_linear_id()] = bad;
}
