// The result has the width of the operands: char for uchar, long for double.
// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer char[2*G] out
// ARG: buffer long[2*G] out
// ARG: buffer short[2*G] out
// EXPECT: 0[i] = -(i/2 > 5)
// EXPECT: 1[i] = -(i/2 > 5)
// EXPECT: 2[i] = i%2 ? -1 : 0
kernel void k(global char2 *a, global long2 *b, global short2 *c) {
    size_t g = get_global_id(0);
    a[g] = (uchar2)((uchar)g) > (uchar2)(5);
    b[g] = (double2)(g) > 5.0;
    c[g] = (ushort2)(7, 8) == (ushort)8;
}
