// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = 3*i + 100*i
struct s { int a, b[2]; };
kernel void k(global int *out) {
    int g = get_global_id(0);
    struct s s = { g, { 2, 3 } };
    struct s *whole = &s;
    int *part = &s.b[1];
    barrier(CLK_LOCAL_MEM_FENCE);
    *part *= g;
    whole->a *= 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = whole->b[1] + s.a;
}
