// Work-items that have returned take no part: the others go on, as at a barrier.
// RUN: kernel=thinned local=* std=CL3.0
// ARG: buffer int[G] out
// EXPECT: 0[i] = i%L%3 == 1 ? -1 : (L - (L+1)/3)*1000 + (i%L - (i%L+1)/3)
// SKIP-PEER: undefined by the specification

kernel void thinned(global int *out) {
  int me = (int)get_local_id(0);
  out[get_global_id(0)] = -1;
  if (me % 3 == 1) return;
  int count = work_group_reduce_add(1);
  int before = work_group_scan_exclusive_add(1);
  out[get_global_id(0)] = count * 1000 + before;
}
