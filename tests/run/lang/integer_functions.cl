// RUN: kernel=k local=16 groups=4
// RUN: kernel=k local=37 groups=4
// ARG: buffer int[G] = (i-32)*70000001
// ARG: buffer int[G] = (31-i)*66666667
// ARG: buffer int[12*G] out
// EXPECT: 2[i] = i%12 == 0 ? uint(abs(a0[i/12])) : i%12 == 1 ? uint(abs(a0[i/12]-a1[i/12])) : i%12 == 2 ? max(-2147483648, min(2147483647, a0[i/12]+a1[i/12])) : i%12 == 3 ? max(-2147483648, min(2147483647, a0[i/12]-a1[i/12])) : i%12 == 4 ? a0[i/12]+a1[i/12] >> 1 : i%12 == 5 ? a0[i/12]+a1[i/12]+1 >> 1 : i%12 == 6 ? a0[i/12]*a1[i/12] >> 32 : i%12 == 7 ? popcount(uint(a0[i/12])) : i%12 == 8 ? uint(a0[i/12]) << 5 | uint(a0[i/12]) >> 27 : i%12 == 9 ? max(a0[i/12], a1[i/12]) : i%12 == 10 ? max(-100, min(a0[i/12], 100)) : (a0[i/12]*a1[i/12] >> 32) + 5
kernel void k(global const int *a, global const int *b, global int *out) {
    size_t g = get_global_id(0);
    int x = a[g], y = b[g];
    global int *o = out + 12 * g;
    o[0] = abs(x);
    o[1] = abs_diff(x, y);
    o[2] = add_sat(x, y);
    o[3] = sub_sat(x, y);
    o[4] = hadd(x, y);
    o[5] = rhadd(x, y);
    o[6] = mul_hi(x, y);
    o[7] = popcount(x);
    o[8] = rotate(x, 5);
    o[9] = max(x, y);
    o[10] = clamp(x, -100, 100);
    o[11] = mad_hi(x, y, 5);
}
