int __attribute__((overloadable)) f(global int *p, float4 v) { return 1; }
int __attribute__((overloadable)) f(local int *p, float4 v, int n) { return 2; }
kernel void calls(global int *g, local int *l, constant float *c, float4 v, global const float *k) {
    f(g);
    f(l, v);
    f(g, (int4)(1));
    float4 r;
    fract(v, c);
    fract(v, k);
    atomic_add(l, 1, 2);
    atomic_add(*g, 1);
    dot((int4)(1), (int4)(2));
    clamp(v, 1, 2, 3);
    vload4(v, c);
    get_gobal_id(0);
    sqrtf(1.0f);
    read_pipe(g, 1);
    int x = threadIdx;
    lenth(v);
}
