// options: -Wall -Wextra -Wshadow -Wdouble-promotion
static int never_called(int a) { return a; }
static int marked(int a) __attribute__((unused));
static int marked(int a) { return a; }
static inline int header_like(int a) { return a; }
constant int table[2] = { 1, 2 };
kernel void unused(global float *out, int parameter, int quiet __attribute__((unused))) {
    int variable;
    int kept __attribute__((unused));
    float table = 0.0f;
    label: out[0] = table;
    for (int i = 0; i < 2; ++i) { int i = 1; out[i] = i; }
    out[0] + 1;
    out[0] == 1;
    -out[0];
    out;
    (void)out[0];
    out[0] = 1, 2;
    if (out[0] > 0);
    out[1] = out[0] * 2.0;
    out[1] = out[0] * 2.0f;
}
kernel void constants(global uchar *c, global short *s, global uint *u, global char *b) {
    c[0] = 256;
    c[1] = -1;
    c[2] = 255;
    s[0] = 40000;
    s[1] = -32768;
    s[2] = 1.5f;
    s[3] = 2.0f;
    u[0] = -1;
    u[1] = 0x1ffffffffL;
    b[0] = 200;
    b[1] = 'a';
}
kernel void values(global int *out, int n) {
    int never, later, arm, loop, taken, itself = itself;
    int4 part;
    struct { int a, b; } pair;
    out[0] = never;
    out[1] = never;
    later = 1;
    out[2] = later;
    if (n) arm = 1;
    out[3] = arm;
    while (n--) { out[4] = loop; loop = n; }
    int *p = &taken;
    out[5] = taken + *p;
    out[6] = itself;
    part.x = 1;
    out[7] = part.y;
    out[8] = pair.b;
    int chosen;
    switch (n) {
        case 0: chosen = 1; break;
        case 1: out[9] = chosen;
        default: chosen = 2;
    }
    out[9] = chosen;
    int shorted;
    if (n && (shorted = n)) out[10] = shorted;
    for (;;) { int fresh; if (n) break; fresh += n; }
}
