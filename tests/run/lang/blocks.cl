// Blocks that are called where they stand, through variables, within each other and at program scope; what they capture they
// capture when control comes to them.
// RUN: kernel=calls local=* std=CL3.0
// ARG: buffer int[G] out
// ARG: buffer int[G] = 3*i+1
// EXPECT: 0[i] = 7*(3*i+1) + 3*5 + (100+i) + 2*(i%L) + 9 + (i%2 ? 40 : 4) + 6
// SKIP-PEER: PoCL 3.1 has no blocks

int (^constant times)(int) = ^int(int n) { return 7 * n; };

struct pair { int x; long y; };

int of_function(int n) {
  int three = 3;
  int (^block)(int) = ^(int k) { return three * k; };
  three = 100;
  return block(n);
}

kernel void calls(global int *out, global int *in) {
  size_t i = get_global_id(0);
  struct pair pair = {100, (long)i};
  int array[2] = {1, 2};
  int (^sum)(void) = ^{ return pair.x + (int)pair.y; };
  int (^outer)(int) = ^(int n) {
    int l = (int)get_local_id(0);
    int (^inner)(int) = ^(int k) { return k * l + array[1]; };
    return inner(n);
  };
  pair.x = 5;
  array[1] = 9;
  int result = times(in[i]) + of_function(5) + sum() + outer(2);
  // In divergent code, and with an effect.
  int (^chosen)(int) = ^(int n) { return n * 10; };
  int more;
  if (i & 1)
    more = chosen(4);
  else
    more = ^(int n) { return n; }(4);
  int total = 0;
  for (int n = 1; n <= 3; n++) {
    int (^counts)(void) = ^{ return n; };
    total += counts();
  }
  void (^stores)(int) = ^(int value) { out[i] = value; };
  stores(result + more + total);
}
