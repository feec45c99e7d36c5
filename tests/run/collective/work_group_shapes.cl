// Scans go by the linear local id, whatever the shape of the group.
// RUN: kernel=scan local=5,3 std=CL3.0
// RUN: kernel=scan local=16,4 std=CL3.0
// RUN: kernel=scan local=7,1,9 std=CL3.0
// RUN: kernel=scan local=4,4,4 std=CL3.0
// RUN: kernel=scan local=1,1,33 std=CL3.0
// ARG: buffer uint[G] out
// EXPECT: 0[i] = 0

kernel void scan(global uint *out) {
  uint me = (uint)get_local_linear_id();
  uint size = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  uint bad = work_group_scan_exclusive_add(me) != me * (me - 1) / 2;
  bad |= (work_group_scan_inclusive_max(me ^ 1) != max(me ^ 1, me == 0 ? 0 : me)) << 1;
  bad |= (work_group_reduce_add(me) != size * (size - 1) / 2) << 2;
  bad |= (work_group_reduce_min(me + 3) != 3) << 3;
  out[get_global_linear_id()] = bad;
}
