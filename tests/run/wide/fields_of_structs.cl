// Neighbouring fields read and written together, with accesses between them that must keep their order.
// RUN: kernel=k local=37 groups=2
// RUN: kernel=k local=64 groups=2
// ARG: buffer int[4*G] = 7*i
// ARG: buffer int[3*G] = 5*i
// ARG: buffer int[4*G] out
// ARG: buffer int[8*G] = 3*i
// EXPECT: 0 as interpreted
// EXPECT: 1 as interpreted
// EXPECT: 2 as interpreted
// EXPECT: 3 as interpreted
struct P { int x, y, z, w; };
struct T { int a, b, c; };
kernel void k(global struct P *p, global struct T *t, global struct P *out, global int4 *v) {
    size_t g = get_global_id(0);
    int i = g;
    p[g].x += p[g].y;
    p[g].z = p[g].x * 3;
    p[g].x = p[g].w - p[g].z;
    p[g].w = 1;
    t[i].b = t[i].a - t[i].c;
    t[i].a = t[i].b + 1;
    t[i].c = t[i].b * t[i].a;
    out[g].x = p[g].x;
    out[g].y = t[g].c;
    out[g].z = v[2 * g].z;
    out[g].w = v[2 * g + 1].x;
    if (g & 1) {
        v[2 * g] = v[2 * g] * 2 + v[2 * g + 1].wzyx;
        v[2 * i + 1].yz = v[2 * i].xy;
    }
}
