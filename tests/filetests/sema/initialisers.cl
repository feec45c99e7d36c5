struct point { int x, y; float4 v; };
constant int table[] = { 1, 2, 3 };
constant int few[4] = { [1] = 5, [9] = 1 };
constant struct point origin = { .x = 1, .z = 2 };
constant char text[3] = "toolong";
constant int *constant address = &table[1];
kernel void initialisers(global int *out) {
    int a[2] = { 1, 2, 3 };
    int b[2] = 5;
    struct point p = { 1, 2, (float4)(1.0f), 4 };
    int c = { 1, 2 };
    float4 v = { 1.0f, 2.0f, 3.0f, 4.0f };
    int n = out[0];
    constant int late = 7;
    constant int dynamic = n;
    int d[] = { [2] = 1 };
    out[0] = a[0] + b[0] + p.x + c + (int)v.x + late + dynamic + d[2] + sizeof(d);
}
