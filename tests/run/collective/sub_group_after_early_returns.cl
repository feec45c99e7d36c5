// Work-items that have returned take no part.
// RUN: kernel=thinned local=* std=CL3.0 options="-DS=8"
// ARG: buffer int[G] out
// EXPECT: 0[i] = i%L%3 == 1 ? -1 : (min(8, L-i%L/8*8) - ((min(i%L/8*8+8, L)+1)/3 - (i%L/8*8+1)/3))*1000 + (i%L%8 - ((i%L+1)/3 - (i%L/8*8+1)/3))

__attribute__((intel_reqd_sub_group_size(S)))
kernel void thinned(global int *out) {
  int me = (int)get_local_id(0);
  out[get_global_id(0)] = -1;
  if (me % 3 == 1) return;
  int count = sub_group_non_uniform_reduce_add(1);
  int before = sub_group_non_uniform_scan_exclusive_add(1);
  barrier(0);
  out[get_global_id(0)] = count * 1000 + before;
}
