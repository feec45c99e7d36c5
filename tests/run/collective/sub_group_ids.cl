// Sub-groups are work-items in a row by their linear local id, of one size but for the last.
// RUN: kernel=ids local=1 std=CL3.0
// RUN: kernel=ids local=7 std=CL3.0
// RUN: kernel=ids local=16 std=CL3.0
// RUN: kernel=ids local=33 std=CL3.0
// RUN: kernel=ids local=256 std=CL3.0
// RUN: kernel=ids local=1 std=CL3.0 options="-DS=4"
// RUN: kernel=ids local=7 std=CL3.0 options="-DS=4"
// RUN: kernel=ids local=16 std=CL3.0 options="-DS=4"
// RUN: kernel=ids local=33 std=CL3.0 options="-DS=4"
// RUN: kernel=ids local=256 std=CL3.0 options="-DS=4"
// RUN: kernel=ids local=33 std=CL3.0 options="-DS=8"
// RUN: kernel=ids local=64 std=CL3.0 options="-DS=8"
// RUN: kernel=ids local=33 std=CL3.0 options="-DS=16"
// RUN: kernel=ids local=64 std=CL3.0 options="-DS=16"
// RUN: kernel=ids local=33 std=CL3.0 options="-DS=32"
// RUN: kernel=ids local=64 std=CL3.0 options="-DS=32"
// RUN: kernel=ids local=5,3 std=CL3.0
// RUN: kernel=ids local=16,3 std=CL3.0 options="-DS=16"
// RUN: kernel=ids local=32,2,2 std=CL3.0
// RUN: kernel=ids local=3,5,7 std=CL3.0 options="-DS=8"
// RUN: kernel=ids local=1,40 std=CL3.0 options="-DS=8"
// RUN: kernel=ids global=100 local=48 std=CL3.0 options="-DS=32"
// ARG: buffer int[G] out
// EXPECT: 0[i] = 0

#ifdef S
__attribute__((intel_reqd_sub_group_size(S)))
#endif
kernel void ids(global int *out) {
  uint me = (uint)get_local_linear_id(), most = get_max_sub_group_size();
  uint size = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
  uint wanted = (uint)(get_enqueued_local_size(0) * get_enqueued_local_size(1) * get_enqueued_local_size(2));
  int bad = 0;
#ifdef S
  bad |= most != S;
#endif
  bad |= (most < 4 || most > 32 || (most & (most - 1))) << 1;
  bad |= (get_sub_group_id() != me / most) << 2;
  bad |= (get_sub_group_local_id() != me % most) << 3;
  bad |= (get_sub_group_size() != min(most, size - me / most * most)) << 4;
  bad |= (get_num_sub_groups() != (size + most - 1) / most) << 5;
  bad |= (get_enqueued_num_sub_groups() != (wanted + most - 1) / most) << 6;
  out[get_global_linear_id()] = bad;
}
