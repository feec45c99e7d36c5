// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer int[G] out
// EXPECT: 0[i] = i%2 ? i*10 : i + 1
void choose(int **p, int *a, int *b, int which) { *p = which ? a : b; }
kernel void k(global int *out) {
    int g = get_global_id(0), a = g, b = g, *p;
    choose(&p, &a, &b, g % 2);
    *p *= 10;
    b = g % 2 ? b : g + 1;
    out[g] = g % 2 ? a : b;
}
