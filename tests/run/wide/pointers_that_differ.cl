// Pointers chosen, carried through loops, kept in memory, made of integers, compared.
// RUN: kernel=k local=37 groups=2
// ARG: buffer int[G] = 7*i
// ARG: buffer int[G] = 5*i
// ARG: buffer int[G] out
// EXPECT: 2 as interpreted
kernel void k(global int *a, global int *b, global int *out) {
    local int la[64], lb[64];
    int g = get_global_id(0), l = get_local_id(0), n = get_global_size(0);
    la[l] = g;
    lb[l] = -g;
    barrier(CLK_LOCAL_MEM_FENCE);
    global int *p = g % 3 ? a : b;
    local int *q = g & 4 ? la : lb;
    int sum = p[g] + q[l];
    global int *kept[2] = {a + g, b + (n - 1 - g)};
    sum += *kept[g & 1] + (kept[0] < a + 5 + (n - g) / 2);
    for (global int *r = p + g; r < p + n; r += 1 + (g & 3))
        sum = sum * 3 + *r;
    uintptr_t bits = (uintptr_t)p + 4 * (g ^ 1);
    if (g + 1 < n)
        sum += *(global int *)bits;
    int *own = g & 2 ? &sum : (int *)0;
    if (own)
        *own += 1000;
    out[g] = sum;
}
