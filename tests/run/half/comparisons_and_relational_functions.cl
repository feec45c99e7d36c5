// Comparisons and relational functions of half vectors give short vectors of -1 and 0, of scalars int 1 and 0.
// RUN: kernel=k local=8 groups=2
// RUN: kernel=k local=33 groups=2
// ARG: buffer half[G] = i%5 == 4 ? nan : i%7 == 6 ? inf : (i%9 - 4) * 0.5
// ARG: buffer short[8*G] out
// ARG: buffer int[4*G] out
// ARG: buffer half[4*G] out
// EXPECT: 1[i] = -(a0[i/8] < 0.5) where i%8 == 0
// EXPECT: 1[i] = -(0.5 < a0[i/8]) where i%8 == 1
// EXPECT: 1[i] = -(a0[i/8] != a0[i/8]) where i%8 == 2
// EXPECT: 1[i] = 0 where i%8 == 3
// EXPECT: 1[i] = -(a0[i/8] == 0) where i%8 == 4
// EXPECT: 1[i] = -1 where i%8 == 5
// EXPECT: 1[i] = -(a0[i/8] == inf) where i%8 == 6
// EXPECT: 1[i] = -(a0[i/8] < 0) where i%8 == 7
// EXPECT: 2[i] = i%4 == 0 ? a0[i/4] > 0 : i%4 == 1 ? a0[i/4] == a0[i/4] : i%4 == 2 ? a0[i/4] != 0 && abs(a0[i/4]) < inf : a0[i/4] < 0
// EXPECT: 3[i] = i%4 == 0 ? (a0[i/4] < 0.5 ? 1 : 2) : i%4 == 1 ? (a0[i/4] > 0 ? -0.5 : 0.5) : i%4 == 2 ? (a0[i/4] != a0[i/4] ? 3 : 4) : -8
kernel void k(global const half *a, global short *s, global int *n, global half *h) {
    size_t g = get_global_id(0);
    half x = a[g];
    short2 less = (half2)(x, 0.5h) < (half2)(0.5h, x);
    vstore2(less, 4 * g, s);
    short2 nans = isnan((half2)(x, 1));
    vstore2(nans, 4 * g + 1, s);
    s[8 * g + 4] = ((half2)(x, x) == (half)0).y;
    s[8 * g + 5] = isordered((half3)(1, 2, x), (half3)(1, 1, 1)).x;
    s[8 * g + 6] = isinf((half4)(x, x, x, x)).w;
    s[8 * g + 7] = isless((half2)(x, x), (half2)(0, 0)).x;
    n[4 * g] = isgreater(x, 0.0h);
    n[4 * g + 1] = x == x;
    n[4 * g + 2] = isnormal(x);
    n[4 * g + 3] = signbit(x) && !isnan(x);
    h[4 * g] = select(2.0h, 1.0h, (short)(x < 0.5h));
    h[4 * g + 1] = select((half2)(0.5h), (half2)(-0.5h), (half2)(x, x) > (half2)(0)).x;
    h[4 * g + 2] = (isnan((half2)(x)) ? (half2)(3) : (half2)(4)).y;
    h[4 * g + 3] = bitselect(8.0h, -0.0h, as_half((ushort)0x8000));
}
