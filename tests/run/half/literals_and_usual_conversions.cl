// A half beside an integer is a half, beside a float a float; a half vector takes a scalar half, integer or constant.
// RUN: kernel=k local=1 groups=1
// ARG: buffer half[16] out
// ARG: buffer float[4] out
// ARG: buffer int[12] out
// EXPECT: 0[i] = i == 0 ? 0.1 : i == 1 ? 65504 : i == 2 ? 2048 : i == 3 ? 0.25 : i == 4 ? 3.140625 : i == 5 ? 2048 : i == 6 ? inf : i == 7 ? 1.5 : i < 12 ? (i - 7) * 2 + 1 : i == 12 ? 0.5 : i == 13 ? -2 : i == 14 ? 7 : 2.5
// EXPECT: 1[i] = i == 0 ? half(0.1) + 1 : i == 1 ? 2049 : i == 2 ? half(1.0/3) : 0.5
// EXPECT: 2[i] = i == 0 ? 2 : i == 1 ? 4 : i == 2 ? 8 : i == 3 ? 1 : i == 4 ? 1 : i == 5 ? 0 : i == 6 ? -7 : i == 7 ? 3 : i == 8 ? 11 : i == 9 ? 16 : i == 10 ? 8 : 32
constant half table[2] = {0.5h, -2};
half seven(void) { return 7; }
half twice(half x) { return x * 2; }
kernel void k(global half *h, global float *f, global int *n) {
    half x = 0.1h;
    h[0] = x;
    h[1] = HALF_MAX;
    h[2] = (half)2047 + 1;
    h[3] = 0x1p-2h;
    h[4] = M_PI_H;
    h[5] = (half)2048 + 1;
    h[6] = HALF_MAX * 2.0h;
    h[7] = true ? 1.5h : 1;
    half4 v = (half4)(1, 2, (half2)(3, 4)) * 2 + 1.0h;
    vstore4(v, 2, h);
    h[12] = table[0];
    h[13] = table[1];
    h[14] = seven();
    h[15] = twice(1.25h);
    f[0] = x + 1.0f;
    f[1] = 2048 + 1.0f * (half)1;
    f[2] = (half)(1.0 / 3);
    f[3] = table[0];
    n[0] = sizeof(half);
    n[1] = sizeof(1.0h + (char)1) * 2;
    n[2] = sizeof(half3);
    n[3] = x < 1;
    n[4] = x != 0.1;
    n[5] = !x;
    n[6] = (int)-7.9h;
    n[7] = (half)3.0 == 3 ? 3 : 4;
    n[8] = HALF_MANT_DIG;
    n[9] = HALF_MAX_EXP;
    n[10] = sizeof(double) == sizeof(x * 1.0) ? 8 : 0;
    n[11] = sizeof(half16);
}
