// What leads to one object or another (a program's variable, a parameter without `restrict`) may meet what leads to a third one
// or to it, however `restrict` the others are (C99 6.7.3.1).
// RUN: kernel=variable local=1 groups=1 std=CL3.0
// RUN: kernel=parameter local=1 groups=1 std=CL3.0
// RUN: kernel=counted local=1 groups=1 std=CL3.0
// ARG: buffer uint[4] = 3
// ARG: buffer uint[4] = 3
// ARG: buffer uint[4] = 3
// ARG: buffer uint[4] out
// ARG: scalar int 1
// EXPECT: 3[i] = 10 where i == 0
global uint kept;

kernel void variable(global uint *restrict a, global uint *restrict b, global uint *c, global uint *restrict out,
                     int first) {
    kept = 3;
    global uint *one = first ? &kept : a;
    global uint *other = first ? &kept : b;
    uint before = *other;
    *one = 7;
    *out = *other + before;
}

kernel void parameter(global uint *restrict a, global uint *restrict b, global uint *c, global uint *restrict out,
                      int first) {
    global uint *one = first ? c : a;
    global uint *other = first ? c : b;
    uint before = *other;
    *one = 7;
    *out = *other + before;
}

kernel void counted(global uint *restrict a, global uint *restrict b, global uint *c, global uint *restrict out,
                    int first) {
    kept = 3;
    global uint *one = first ? &kept : a;
    global uint *other = first ? &kept : b;
    atomic_fetch_add_explicit((global atomic_uint *)one, 7, memory_order_relaxed);
    *out = *other;
}
