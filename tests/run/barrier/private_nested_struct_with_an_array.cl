// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = sum(k, 0, 4, i*k) + i+5 + (i%L)
typedef struct { int values[4]; struct { long a; short b; } inner; } thing;
kernel void k(global int *out) {
    int g = get_global_id(0);
    thing t;
    for (int j = 0; j < 4; j++)
        t.values[j] = g * j;
    t.inner.a = g + 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    t.inner.b = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    int total = 0;
    for (int j = 0; j < 4; j++)
        total += t.values[j];
    out[g] = total + (int)t.inner.a + t.inner.b;
}
