// The last group of a range that is no multiple of the local size is smaller.
// RUN: kernel=remainder global=37 local=16 std=CL3.0
// RUN: kernel=remainder global=100 local=64 std=CL3.0
// ARG: buffer int[G] out
// EXPECT: 0[i] = min(L, G - i/L*L)*100 + i%L

kernel void remainder(global int *out) {
  int size = work_group_reduce_add(1), before = work_group_scan_exclusive_add(1);
  out[get_global_id(0)] = size * 100 + before;
}
