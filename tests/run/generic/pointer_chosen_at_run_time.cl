// The space is known to nobody before the kernel runs; items of one group take different ones.
// RUN: kernel=k local=* groups=3 std=CL3.0
// ARG: buffer int[G] = i
// ARG: buffer int[G] out
// ARG: scalar int 3
// EXPECT: 0[i] = i%3 == 0 ? i + 100 : i
// EXPECT: 1[i] = i%3 == 0 ? i + 100 : i%3 == 1 ? i + 200 : i + 300
kernel void k(global int *a, global int *out, int three) {
    local int l[1024];
    int g = get_global_id(0), n = get_local_id(0);
    int own[4] = { 1, 2, g, 4 };
    l[n] = g;
    int *p;
    switch (g % three) {
    case 0: p = &a[g]; break;
    case 1: p = &l[n]; break;
    default: p = &own[2]; break;
    }
    *p += 100 * (1 + g % three);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = *p;
}
