foo x;
int f(bar y) { return 0; }
kernel void k(global int *a) {
    int x = 1
    x = 2
    a[0] = ;
    baz z = 3;
    if (x { a[1] = 2; }
    for (int i = 0; i < 3) { }
    a[(x] = 1;
    while ) x++;
    int unsigned float y;
    do x++; until (x);
    float4 = 3;
    return x y;
}
struct S { int a int b; nope c; };
int tail = (1 + ;
}
const x = 3;
asm("nop");
int good;
