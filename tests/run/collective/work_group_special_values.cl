// Infinities, NaNs and the identities of empty scans.
// RUN: kernel=special local=* std=CL3.0
// RUN: kernel=special local=* std=CL3.0 options="-cl-fast-relaxed-math -DNO_NAN"
// ARG: buffer int[G] out
// EXPECT: 0[i] = 0

kernel void special(global int *out) {
  int me = (int)get_local_id(0), bad = 0;
  float down = work_group_scan_exclusive_min((float)-me), up = work_group_scan_exclusive_max((double)me);
  bad |= as_int(down) != (me == 0 ? 0x7f800000 : as_int((float)(1 - me)) & (me == 1 ? 0 : ~0));
  bad |= (me == 1 ? 0 : as_int((float)up) != (me == 0 ? (int)0xff800000 : as_int((float)(me - 1)))) << 1;
  bad |= (work_group_scan_exclusive_add(1.5f) != 1.5f * me) << 2;
  bad |= (work_group_scan_exclusive_mul(-1.0) != (me % 2 ? -1.0 : 1.0)) << 3;
  half low = work_group_scan_exclusive_min((half)me), high = work_group_scan_exclusive_max((half)me);
  bad |= (as_short(low) != (me == 0 ? 0x7c00 : 0)) << 7;
  bad |= (as_ushort(high) != (me == 0 ? 0xfc00 : as_ushort((half)(me - 1)))) << 8;
  bad |= (work_group_scan_exclusive_add(0.25h) != (half)(0.25f * me)) << 9;
#ifndef NO_NAN
  float most = work_group_reduce_max(me == 0 ? 1.0f : NAN);
  bad |= (most != 1.0f) << 4;
  bad |= !isnan(work_group_reduce_add(me == 0 ? NAN : 1.0f)) << 5;
  bad |= (as_int(work_group_reduce_add(-0.0f)) != as_int(-0.0f)) << 6;
  bad |= (work_group_reduce_min(me == 0 ? 1.0h : (half)NAN) != 1.0h) << 10;
  bad |= !isnan(work_group_reduce_add(me == 0 ? (half)NAN : 1.0h)) << 11;
  bad |= (as_ushort(work_group_reduce_add(-0.0h)) != 0x8000) << 12;
#endif
  out[get_global_id(0)] = bad;
}
