// RUN: kernel=k local=1 groups=1 std=CL3.0
// ARG: buffer int[8] = i
// ARG: buffer int[10] out
// EXPECT: 1[i] = i < 8 ? 1 : i == 8 ? 5 : 3
int same(int *a, int *b) { return a == b; }

kernel void k(global int *a, global int *out) {
    int *p = &a[1];
    global int *q = &a[3];
    const int *c = a;
    void *v = a;
    global int *back = (global int *)p;
    out[0] = p < q;
    out[1] = q >= p;
    out[2] = q - p == 2;
    out[3] = (q > p ? q : p) == q;
    out[4] = back == a + 1;
    out[5] = c == v;
    out[6] = same(p, a + 1);
    out[7] = p != NULL && !(int *)NULL;
    int own[2] = { 4, 5 };
    int (*row)[2] = &own;
    out[8] = (*row)[1];
    global int (*there)[4] = (global int (*)[4])a;
    int (*any)[4] = there;
    out[9] = (*any)[3];
}
