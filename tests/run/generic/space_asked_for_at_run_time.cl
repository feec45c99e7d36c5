// to_global, to_local and to_private give null for pointers into other spaces; get_fence names the memory.
// RUN: kernel=k local=* groups=2 std=CL3.0
// RUN: kernel=k local=8 groups=2 std=CL2.0
// ARG: buffer int[G] = 1000 + i
// ARG: buffer int[G] out
// ARG: scalar int 4
// EXPECT: 1[i] = i%4 == 0 ? 11000 + i : i%4 == 1 ? 20000 + i%L : i%4 == 2 ? 30000 + 7*i : 60000
int what(int *p) {
    int found = 0;
    if (to_global(p))
        found += 10000 + *to_global(p);
    if (to_local(p))
        found += 20000 + *to_local(p);
    if (to_private(p))
        found += 30000 + *to_private(p);
    int is_local = get_fence(p) == CLK_LOCAL_MEM_FENCE;
    return found && is_local != (to_local(p) != 0) ? -1 : found;
}

kernel void k(global int *a, global int *out, int four) {
    local int l[1024];
    int g = get_global_id(0), n = get_local_id(0);
    int own[3] = { 1, 7 * g, 4 };
    l[n] = n;
    int *p = g % four == 0 ? &a[g] : (int *)0;
    if (g % four == 1)
        p = &l[n];
    if (g % four == 2)
        p = &own[four - 3];
    out[g] = p ? what(p) : 60000 + what(p);
}
