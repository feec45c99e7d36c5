// RUN: kernel=k local=1 groups=1
// ARG: buffer int[1] = 100
// ARG: buffer int[8] out
// EXPECT: 0[i] = 51
// EXPECT: 1[i] = i == 0 ? 100 : i == 1 ? 105 : i == 2 ? 102 : i == 3 ? 7 : i == 4 ? 7 : i == 5 ? 50 : i == 6 ? 50 : 51
kernel void k(volatile global int *a, global int *out) {
    out[0] = atomic_add(a, 5);
    out[1] = atomic_sub(a, 3);
    out[2] = atomic_xchg(a, 7);
    out[3] = atomic_cmpxchg(a, 8, 99);
    out[4] = atomic_cmpxchg(a, 7, 50);
    out[5] = atomic_min(a, 60);
    out[6] = atomic_inc(a);
    out[7] = *a;
}
