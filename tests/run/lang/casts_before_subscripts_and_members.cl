// A cast's operand takes its subscripts and members along; a vector literal ends before them. What decides is the type, not how its name ends.
// RUN: kernel=read local=4 groups=2
// ARG: buffer uchar[4*G] = 3*i
// ARG: buffer uint[G] out
// ARG: buffer uint[G] out
// EXPECT: 1[i] = 256*(12*i) + 12*i+3
// EXPECT: 2[i] = 12*i + 7
typedef unsigned int u32;
typedef uint4 vec;
typedef struct { uchar x2; } pair1;

kernel void read(global uchar *in, global uint *out, global uint *lanes) {
    size_t i = get_global_id(0);
    global uchar *p = in + 4 * i;
    out[i] = ((u32)(p)[0] << 8) + (u32)(p)[1];
    pair1 s = { 7 };
    pair1 *q = &s;
    lanes[i] = (vec)(p[0]).y + (u32)(q)->x2;
}
