// What the source wishes of a loop stands at the loop's head.
kernel void hints(global int *p, int n) {
    #pragma unroll
    for (int i = 0; i < n; i++)
        p[i] = i;
    #pragma nounroll
    while (n > 0)
        p[n--] = 0;
    __attribute__((opencl_unroll_hint(4)))
    do
        p[n]++;
    while (++n < 9);
    __attribute__((opencl_unroll_hint))
    for (;;)
        if (p[n++])
            return;
}
