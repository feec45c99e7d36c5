// Sub-groups go their own ways: in conditions and loops that are the same for a sub-group only, in called functions, and
// with barriers of the whole group before and behind.
// RUN: kernel=flow local=1 std=CL3.0
// RUN: kernel=flow local=7 std=CL3.0
// RUN: kernel=flow local=16 std=CL3.0
// RUN: kernel=flow local=33 std=CL3.0
// RUN: kernel=flow local=256 std=CL3.0
// RUN: kernel=flow local=64 std=CL3.0 options="-DS=8"
// RUN: kernel=flow local=33 std=CL3.0 options="-DS=8"
// RUN: kernel=flow local=6,7 std=CL3.0
// ARG: buffer int[G] out
// ARG: local 4*L
// EXPECT: 0[i] = 0

int total(int x) { return sub_group_reduce_add(x); }

int rounds(int n) {
  int sum = 0;
  for (int k = 0; k < n; k++) {
    if (sub_group_any(k == 7)) return sum;
    sum += total(k);
  }
  return sum;
}

#ifdef S
__attribute__((intel_reqd_sub_group_size(S)))
#endif
kernel void flow(global int *out, local int *tile) {
  int me = (int)get_local_linear_id(), own = (int)get_sub_group_local_id();
  int id = (int)get_sub_group_id(), count = (int)get_sub_group_size(), bad = 0;
  int size = (int)(get_local_size(0) * get_local_size(1));
  tile[me] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id % 2)
    bad |= total(1) != count;
  else
    bad |= sub_group_scan_inclusive_add(1) != own + 1;
  // As many rounds as the sub-group's number says.
  int n = min(id, 7);
  bad |= (rounds(id) != count * n * (n - 1) / 2) << 1;
  // Exchange through local memory, within the sub-group.
  for (int k = 0; k < 3; k++) {
    tile[me] = me + k;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    int neighbour = tile[me - own + (own + 1) % count];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    bad |= (neighbour != me - own + (own + 1) % count + k) << 2;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  // One of each sub-group writes, and the whole group reads.
  int sum = sub_group_reduce_add(me);
  if (own == 0) tile[id] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  int all = 0;
  for (int k = 0; k < (int)get_num_sub_groups(); k++) all += tile[k];
  bad |= (all != size * (size - 1) / 2) << 3;
  // Work-items leave a loop one by one; those that are left vote.
  int left = 0;
  for (int k = 0; k <= own; k++) left += (int)sub_group_ballot_bit_count(sub_group_ballot(1));
  int expected = 0;
  for (int k = 0; k <= own; k++) expected += count - k;
  bad |= (left != expected) << 4;
  bad |= (work_group_reduce_add(own == 0) != (int)get_num_sub_groups()) << 5;
  out[get_global_linear_id()] = bad;
}
