// A private array with many initialisers, some of them no constants, is filled anew by each work-item.
// RUN: kernel=k local=4 groups=2
// ARG: buffer int[G] out
// EXPECT: 0[i] = i == 0 ? 70 + 1 : i == 5 ? 0 : i == 7 ? 5 : i + 1
kernel void k(global int *out)
{
    int i = get_global_id(0);
    int t[80] = { 1, 2, 3, 4, 5, -6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
        29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56,
        57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, i, [5] = 0 };
    if (i == 0) t[0] += t[69];
    out[i] = i == 7 ? t[i - 2] + t[70] - 2 + t[75] : t[i];
}
