// A clock goes on, within a work-item, across barriers of its group and in divergent loops (cl_khr_kernel_clock).
// RUN: kernel=goes_on local=*
// ARG: buffer uint[G] out
// ARG: buffer int[G] = 3*i+1
// EXPECT: 0[i] = 255
// SKIP-PEER: PoCL 3.1 and Intel's runtime have no cl_khr_kernel_clock

ulong whole(uint2 time) { return upsample(time.hi, time.lo); }

kernel void goes_on(global uint *out, global int *in) {
  size_t i = get_global_id(0);
  uint right = 0;
  ulong first = clock_read_device();
  ulong second = whole(clock_read_hilo_device());
  right |= (second >= first) << 0;
  ulong group = clock_read_work_group();
  right |= (group >= second) << 1;
  ulong sub_group = clock_read_sub_group();
  right |= (sub_group >= group) << 2;
  // Divergent: some work-items go round more often than others.
  ulong last = sub_group;
  int ok = 1;
  for (int n = 0; n < (in[i] & 3); n++) {
    ulong now = clock_read_device();
    ok &= now >= last;
    last = now;
  }
  right |= ok << 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong after = whole(clock_read_hilo_work_group());
  right |= (after > first) << 4;
  ulong end = whole(clock_read_hilo_sub_group());
  right |= (end >= after) << 5;
  // Two readings are two, not one that stands for both.
  ulong start = clock_read_device();
  ulong passed = 0;
  for (int n = 0; n < 1000 && passed == 0; n++) passed = clock_read_device() - start;
  right |= (passed > 0) << 6;
#if defined(cl_khr_kernel_clock) && __OPENCL_VERSION__ >= 300
  right |= 1 << 7;
#endif
  out[i] = right;
}
