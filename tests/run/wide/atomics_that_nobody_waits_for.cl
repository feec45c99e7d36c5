// Operations on global memory of which nobody asks for the old value, from all work-items: more places than fit in a
// table of what waits, places that share an entry of it (2 KiB and 4 KiB apart), and every operation.
// RUN: kernel=add local=64 groups=5
// RUN: kernel=add local=37 groups=9
// ARG: buffer uint[2048] = i
// EXPECT: 0[i] = i + sum(k, 0, G, k * 7 % 2048 == i ? 1 : 0) + sum(k, 0, G, (k % 5 * 512 + 3) % 2048 == i ? k : 0)
kernel void add(global uint *a) {
    uint i = get_global_id(0);
    atomic_inc(&a[i * 7 % 2048]);
    atomic_add(&a[(i % 5 * 512 + 3) % 2048], i);
}
// RUN: kernel=sub local=64 groups=5
// ARG: buffer int[8] = 1000
// EXPECT: 0[i] = 1000 - sum(k, 0, G, k % 8 == i && k % 3 != 0 ? k : 0)
kernel void sub(volatile global int *a) {
    int i = get_global_id(0);
    if (i % 3)
        atomic_sub(&a[i % 8], i);
}
// RUN: kernel=smin local=64 groups=5
// ARG: buffer int[8] = 1000 - 500*i
// EXPECT: 0[i] = min(1000 - 500*i, -(G - 8 + i))
kernel void smin(global int *a) {
    int i = get_global_id(0);
    atomic_min(&a[i % 8], -i);
}
// RUN: kernel=umax local=64 groups=5
// ARG: buffer uint[8] = 100*i
// EXPECT: 0[i] = max(100*i, G - 8 + i)
kernel void umax(global uint *a) {
    uint i = get_global_id(0);
    atomic_max(&a[i % 8], i);
}
// RUN: kernel=bits local=64 groups=5
// ARG: buffer uint[16] = i < 4 ? 0 : i
// EXPECT: 0[i] = i < 4 ? 4294967295 : i
kernel void bits(global uint *a) {
    uint i = get_global_id(0);
    atomic_or(&a[i % 4], 1u << (i / 4 % 32));
}
// RUN: kernel=odd local=64 groups=5
// ARG: buffer uint[16] = i
// EXPECT: 0[i] = i < 4 ? i ^ (G / 4 % 2 == 1 ? 5 : 0) : i
kernel void odd(global uint *a) {
    atomic_xor(&a[get_global_id(0) % 4], 5u);
}
// RUN: kernel=wide local=64 groups=5 options="-cl-std=CL3.0"
// ARG: buffer long[600] = i
// EXPECT: 0[i] = i + sum(k, 0, G, k * 3 % 600 == i ? 4294967296 * k : 0)
kernel void wide(global atomic_long *a) {
    int i = get_global_id(0);
    atomic_fetch_add_explicit(&a[i * 3 % 600], (long)i << 32, memory_order_relaxed);
}
// What the work-item looks at later does not wait.
// RUN: kernel=own local=64 groups=5
// ARG: buffer int[320] = i
// ARG: buffer int[320] out
// EXPECT: 1[i] = 2*i + 1
kernel void own(global int *a, global int *out) {
    int i = get_global_id(0);
    atomic_add(&a[i], i + 1);
    out[i] = a[i];
}
