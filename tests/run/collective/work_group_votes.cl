// work_group_all and work_group_any: of all, of none, of one; in two and three dimensions.
// RUN: kernel=votes local=* std=CL3.0
// ARG: buffer int[G] out
// EXPECT: 0[i] = 1 + 4 + 8*(i/L%2 == 0) + 32
// RUN: kernel=shapes local=6,5 std=CL3.0
// RUN: kernel=shapes local=4,2,3 std=CL3.0
// RUN: kernel=shapes local=16,2,2 std=CL3.0
// ARG: buffer int[G] out
// EXPECT: 0[i] = 1 + 4

kernel void votes(global int *out) {
  uint me = get_local_id(0), last = get_local_size(0) - 1, group = get_group_id(0);
  int result = work_group_all((int)me + 1);
  result |= (work_group_all(me != last) != 0) << 1;
  result |= (work_group_any(me == last) != 0) << 2;
  result |= (work_group_any(group % 2 == 0 ? 256 : 0) != 0) << 3;
  result |= (work_group_any(me > last) != 0) << 4;
  result |= (work_group_all(work_group_any(me == 0)) != 0) << 5;
  out[get_global_id(0)] = result;
}

kernel void shapes(global int *out) {
  size_t me = get_local_linear_id();
  size_t size = get_local_size(0) * get_local_size(1) * get_local_size(2);
  int result = work_group_all(me < size) != 0;
  result |= (work_group_all(me != size / 2) != 0) << 1;
  result |= (work_group_any(me == size - 1) != 0) << 2;
  out[get_global_linear_id()] = result;
}
