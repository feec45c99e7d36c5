// RUN: kernel=k local=1 groups=1
// ARG: buffer int[16] out
// EXPECT: 0[i] = i == 0 ? 20 : i == 1 ? 10 : i == 2 ? 30 : i == 3 ? 31 : i < 8 ? i : i < 12 ? (i%2 ? 200+i : 100) : i < 14 ? 77 : i == 14 ? 15 : 14
kernel void k(global int4 *out) {
    int4 a;
    a.yx = (int2)(10, 20);
    a.hi = (int2)(30, 31);
    out[0] = a;
    int4 b = (int4)(0);
    b.even = (int2)(4, 6);
    b.odd = (int2)(5, 7);
    out[1] = b;
    int4 c = (int4)(208, 209, 210, 211);
    c.xz = 100;
    out[2] = c;
    int4 d = (int4)(77, 78, 14, 15);
    d.y = d.x;
    d.zw = d.wz;
    out[3] = d;
}
