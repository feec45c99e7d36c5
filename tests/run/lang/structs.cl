// RUN: kernel=k local=16
// RUN: kernel=k local=37
// ARG: buffer int[G] out
// EXPECT: 0[i] = i + (i+1)*2 + 3*7 + (i%2 ? i : -i) + 32
typedef struct { char tag; int id; } head;
struct body { head h; float4 f; short values[3]; };
struct body make(int n) {
    struct body b = { { 'x', n }, (float4)(n), { 5, 6, 7 } };
    b.f.y += 1;
    return b;
}
int total(struct body b) {
    b.h.id += 2 * (int)b.f.y;
    return b.h.id + 3 * b.values[2];
}
kernel void k(global int *out) {
    int g = get_global_id(0);
    struct body b = make(g), c = b;
    c.h.id = g % 2 ? g : -g;
    out[g] = total(b) + c.h.id + (int)((sizeof(struct body) == 48) * 32);
}
