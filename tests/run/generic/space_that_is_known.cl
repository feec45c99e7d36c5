// RUN: kernel=k local=5 groups=2 std=CL3.0
// ARG: buffer int[16] out
// ARG: buffer int[1] = 3
// ARG: local 40
// EXPECT: 0[i] = i < 9 ? i % 4 == 0 : i == 9 ? 3 : i == 10 ? 1 : i == 11 ? 2 : i == 12 ? 1 : 0
kernel void k(global int *out, global const int *a, local volatile int *l) {
    int own = 4;
    if (get_global_id(0))
        return;
    out[0] = to_global(a) == a;
    out[1] = to_local(a) != 0;
    out[2] = to_private(a) != 0;
    out[3] = to_global(l) != 0;
    out[4] = to_local(l) == l;
    out[5] = to_private(l) != 0;
    out[6] = to_global(&own) != 0;
    out[7] = to_local(&own) != 0;
    out[8] = to_private(&own) == &own;
    out[9] = *to_global(a);
    out[10] = get_fence(l);
    out[11] = get_fence(a);
    int *null = 0;
    out[12] = to_global(null) == 0 && to_local(null) == 0 && to_private(null) == 0;
    for (int j = 13; j < 16; j++)
        out[j] = 0;
}
