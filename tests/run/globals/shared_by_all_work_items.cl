// RUN: kernel=k local=16 groups=3 std=CL3.0
// ARG: buffer int[G] out
// EXPECT: 0[i] = i
atomic_int next;
global int taken[4096];

kernel void k(global int *out) {
    static global int steps[2];
    int mine = atomic_fetch_add(&next, 1);
    atomic_inc(&taken[mine]);
    atomic_add(&steps[mine & 1], mine);
    out[mine] = mine + taken[mine] - 1;
}
