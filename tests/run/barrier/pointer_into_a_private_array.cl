// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = 1000*(i%5) + i + 1000*((i+1)%5) + i + 5
kernel void k(global int *out) {
    int g = get_global_id(0), a[5];
    int *p = &a[g % 5];
    int *const end = a + 5;
    for (int j = 0; j < 5; j++)
        a[j] = 1000 * j + g;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = *p++;
    if (p == end)
        p = a;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = x + *p + (int)(end - a);
}
