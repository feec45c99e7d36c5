// Collectives in loops, in conditions that are the same for the group, and in called functions; what follows may go by
// their results.
// RUN: kernel=flow local=* std=CL3.0
// ARG: buffer int[G] out
// EXPECT: 0[i] = (i/L%2 ? 5*(i%L+1) : 100) + sum(k, 0, 4, (i%L)*(k+1)) + L

int total(int x) { return work_group_reduce_add(x); }

int up_to_here(int x, int n) {
  int sum = 0;
  for (int k = 0; k < n; k++) {
    if (work_group_any(k == 3)) return sum + work_group_scan_inclusive_add(x) * (n - k);
    sum += work_group_scan_inclusive_add(x);
  }
  return sum;
}

kernel void flow(global int *out) {
  int me = (int)get_local_id(0), result;
  if (get_group_id(0) % 2)
    result = up_to_here(1, 5);
  else
    result = 100;
  for (int k = 1; k <= 4; k++) result += work_group_scan_exclusive_add(k);
  // Halved until one is left: the number of rounds is the group's.
  int left = total(1), rounds = 0;
  while (work_group_any(left > 1)) {
    left -= left / 2;
    rounds++;
  }
  int expected = 0;
  for (int n = (int)get_local_size(0); n > 1; n -= n / 2) expected++;
  out[get_global_id(0)] = result + (rounds == expected ? total(1) : 0);
}
