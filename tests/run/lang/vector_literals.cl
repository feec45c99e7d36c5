// A vector is made of any mixture of scalars and shorter vectors; one scalar fills all components.
// RUN: kernel=k local=1 groups=1
// ARG: buffer int[24] out
// EXPECT: 0[i] = i < 4 ? i : i < 8 ? 9 : i < 16 ? i : i < 20 ? 7 : i
kernel void k(global int4 *out) {
    int2 a = (int2)(1, 2);
    out[0] = (int4)(0, a, 3);
    out[1] = (int4)(9);
    int4 lower = (int4)(8, 9, (int2)(10, 11));
    int8 both = (int8)(lower, 12, 13, (int2)(14, 15));
    out[2] = both.lo;
    out[3] = both.hi;
    out[4] = 7;
    out[5] = (int4)((int3)(20, 21, 22), 23);
}
