// Every operation at an address that is the same for all, with and without a look at the result, for all and for some.
// RUN: kernel=k local=37 groups=1
// RUN: kernel=k local=64 groups=1
// ARG: buffer int[32] = i*i*77
// ARG: buffer int[8*G] out
// EXPECT: 0 as interpreted
// EXPECT: 1 as interpreted
kernel void k(global int *a, global int *out) {
    local int shared[8];
    int g = get_global_id(0), v = (g * 37) ^ 0x155;
    if (get_local_id(0) < 8)
        shared[get_local_id(0)] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(a, v);
    atomic_sub(a + 1, v);
    atomic_and(a + 2, ~v);
    atomic_or(a + 3, v);
    atomic_xor(a + 4, v);
    atomic_min(a + 5, v - 1000);
    atomic_max(a + 6, v);
    atomic_min((global uint *)a + 7, (uint)v);
    atomic_max((global uint *)a + 8, (uint)v);
    atomic_inc(a + 9);
    atomic_dec(a + 10);
    atomic_add(a + 11, 5);
    atomic_xor(a + 12, 6);
    out[8 * g] = atomic_inc(a + 13);
    out[8 * g + 1] = atomic_add(a + 14, v);
    out[8 * g + 2] = atomic_sub(a + 15, v);
    out[8 * g + 3] = atomic_xchg(a + 16, v);
    out[8 * g + 4] = atomic_cmpxchg(a + 17, 17 * 17 * 77, v);
    if (g % 3) {
        atomic_add(a + 18, v);
        atomic_and(a + 19, ~v);
        atomic_xor(a + 20, 3);
        atomic_max(a + 21, v);
        out[8 * g + 5] = atomic_inc(a + 22);
        out[8 * g + 6] = atomic_add(shared + 1, v);
        out[8 * g + 7] = atomic_or(shared + 4 + (g & 3), v);
        atomic_inc(shared + 2);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 8)
        a[24 + get_local_id(0)] = shared[get_local_id(0)];
}
