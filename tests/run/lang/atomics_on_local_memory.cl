// RUN: kernel=k local=16 groups=4
// ARG: buffer uint[5*NG] out
// EXPECT: 0[i] = i%5 == 0 ? L : i%5 == 1 ? 1000 - L : i%5 == 2 ? 0 : i%5 == 3 ? 4294967295 : 3*L
kernel void k(global uint *out) {
    local uint a[5];
    uint l = get_local_id(0);
    if (l == 0) {
        a[0] = 0;
        a[1] = 1000;
        a[2] = 0;
        a[3] = 5;
        a[4] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&a[0]);
    atomic_dec(&a[1]);
    atomic_xor(&a[2], 1u << (l & 7));
    atomic_max(&a[3], l == 3 ? 0xffffffffu : l);
    atomic_add(&a[4], 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 5)
        out[5 * get_group_id(0) + l] = a[l];
}
