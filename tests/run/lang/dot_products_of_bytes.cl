// RUN: kernel=k local=16 global=64
// RUN: kernel=k local=37 global=74
// ARG: buffer uint[G] = i*2654435761 + 0x80ff7f01
// ARG: buffer uint[G] = 0xff80017f - i*40503
// ARG: buffer uint[2*G] out
// ARG: buffer int[12*G] out
// EXPECT: 2[i] = i%2 == 0 ? sum(k,0,4, uchar(a0[i/2] >> 8*k) * uchar(a1[i/2] >> 8*k)) : min(0xffffffff, sum(k,0,4, uchar(a0[i/2] >> 8*k) * uchar(a1[i/2] >> 8*k)) + 0xfffe0000)
// EXPECT: 3[i] = sum(k,0,4, char(a0[i/12] >> 8*k) * char(a1[i/12] >> 8*k)) where i%12 < 2
// EXPECT: 3[i] = sum(k,0,4, uchar(a0[i/12] >> 8*k) * char(a1[i/12] >> 8*k)) where i%12 == 2 || i%12 == 3
// EXPECT: 3[i] = sum(k,0,4, char(a0[i/12] >> 8*k) * uchar(a1[i/12] >> 8*k)) where i%12 == 4 || i%12 == 5
// EXPECT: 3[i] = min(0x7fffffff, sum(k,0,4, char(a0[i/12] >> 8*k) * char(a1[i/12] >> 8*k)) + 0x7ffffff0) where i%12 == 6 || i%12 == 7
// EXPECT: 3[i] = max(-0x80000000, sum(k,0,4, uchar(a0[i/12] >> 8*k) * char(a1[i/12] >> 8*k)) - 0x7ffffff0) where i%12 == 8 || i%12 == 9
// EXPECT: 3[i] = min(0x7fffffff, sum(k,0,4, char(a0[i/12] >> 8*k) * uchar(a1[i/12] >> 8*k)) + 0x7ffffff0) where i%12 >= 10
// SKIP-PEER: needs cl_khr_integer_dot_product
kernel void k(global const uint *a, global const uint *b, global uint *u, global int *s) {
    size_t g = get_global_id(0);
    uint x = a[g], y = b[g];
    uchar4 ux = as_uchar4(x), uy = as_uchar4(y);
    char4 sx = as_char4(x), sy = as_char4(y);
    u[2 * g] = dot(ux, uy);
    u[2 * g + 1] = dot_acc_sat_4x8packed_uu_uint(x, y, 0xfffe0000u);
    s += 12 * g;
    s[0] = dot(sx, sy);
    s[1] = dot_4x8packed_ss_int(x, y);
    s[2] = dot(ux, sy);
    s[3] = dot_4x8packed_us_int(x, y);
    s[4] = dot(sx, uy);
    s[5] = dot_4x8packed_su_int(x, y);
    s[6] = dot_acc_sat(sx, sy, 0x7ffffff0);
    s[7] = dot_acc_sat_4x8packed_ss_int(x, y, 0x7ffffff0);
    s[8] = dot_acc_sat(ux, sy, -0x7ffffff0);
    s[9] = dot_acc_sat_4x8packed_us_int(x, y, -0x7ffffff0);
    s[10] = dot_acc_sat(sx, uy, 0x7ffffff0);
    s[11] = dot_acc_sat_4x8packed_su_int(x, y, 0x7ffffff0);
    if (dot_4x8packed_uu_uint(x, y) != dot(ux, uy) || dot_acc_sat(ux, uy, 0xfffe0000u) != u[2 * g + 1])
        u[2 * g] = 1;
}
