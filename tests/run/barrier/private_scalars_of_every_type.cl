// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = char(i) + uchar(i+1) + short(i*3) + ushort(i*5) + (i-7) + uint(i) + (i*4294967296 >> 32) + 9*i + i*2 + i*4 + 1
kernel void k(global int *out) {
    int g = get_global_id(0);
    char a = g;
    uchar b = g + 1;
    short c = 3 * g;
    ushort d = 5 * g;
    int e = g - 7;
    uint f = g;
    long h = (long)g << 32;
    ulong m = 9 * (ulong)g;
    float n = 2.0f * g;
    double o = 4.0 * g;
    bool p = g >= 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a + b + c + d + e + (int)f + (int)(h >> 32) + (int)m + (int)n + (int)o + p;
}
