// What the source wishes of a loop is told to LLVM, at the edge back to the loop's head.
kernel void hints(global int *p, int n) {
    #pragma unroll 4
    for (int i = 0; i < n; i++)
        p[i] = i;
    #pragma nounroll
    for (int i = 0; i < n; i++)
        p[i] += n;
}
