// Private memory that lives across a barrier does not stand on the thread's stack: 1024 work-items x 4 KiB.
// RUN: kernel=k local=1 groups=3
// RUN: kernel=k local=64 groups=3
// RUN: kernel=k local=1024 groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = 3*i + 1023*3 + i*5%1024*3
kernel void k(global int *out) {
    int g = get_global_id(0), a[1024];
    for (int j = 0; j < 1024; j++)
        a[j] = g + 3 * j;
    barrier(CLK_LOCAL_MEM_FENCE);
    int at = 5 * g % 1024;
    int low = a[at], high = a[1023 - at];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = 2 * low + high;
}
