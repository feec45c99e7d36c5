// One function for pointers into three address spaces, called with each; which is known when it is inlined.
// RUN: kernel=k local=* groups=3 std=CL3.0
// RUN: kernel=k local=16 groups=3 std=CL2.0
// ARG: buffer int[G] = 2*i
// ARG: buffer int[G] out
// EXPECT: 0[i] = 2*i + 5
// EXPECT: 1[i] = 2*i + 5 + (i%L + 5) + (3*i + 5) + i%L + 7
int add(int *p, int by) { return *p += by; }

int third(const int *p) { return p[2]; }

kernel void k(global int *a, global int *out) {
    local int l[1024];
    int g = get_global_id(0), n = get_local_id(0);
    int own = 3 * g;
    int three[3] = { 5, 6, n + 7 };
    l[n] = n;
    int sum = add(&a[g], 5) + add(&l[n], 5) + add(&own, 5);
    sum += third(three);
    out[g] = sum;
}
