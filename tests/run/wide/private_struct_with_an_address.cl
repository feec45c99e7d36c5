// Private structs that are copied, and reached through pointers that differ between work-items.
// RUN: kernel=k local=37 groups=2
// ARG: buffer int[4*G] = 7*i
// ARG: buffer int[4*G] out
// EXPECT: 1 as interpreted
struct S { int x; short y; char z; int w; };
int change(struct S *s, int by) { s->x += by; s->y -= by; return s->w + s->z; }
kernel void k(global const struct S *in, global struct S *out) {
    int g = get_global_id(0);
    struct S a = in[g], b = {1, 2, 3, 4}, *p = g & 1 ? &a : &b;
    p->z = 5;
    int *q = &a.w;
    if (g % 3 == 0)
        q = &b.x;
    *q += g;
    a.x = change(p, g);
    out[g].x = a.x + b.x;
    out[g].y = a.y + b.y;
    out[g].z = a.z + b.z;
    out[g].w = a.w + b.w;
}
