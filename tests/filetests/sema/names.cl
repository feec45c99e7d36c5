int helper(int first, float second);
struct pair { int a, b; };
kernel void names(global int *out, int size) {
    int a = undefined;
    int b = sise;
    int b;
    struct pair p;
    p.c = 1;
    out->a = 2;
    p->a = 3;
    helper(1);
    helper(1, 2.0f, 3);
    helpr(1, 2.0f);
    size();
    unknown_t t;
    goto nowhere;
    out[0] = helper;
}
