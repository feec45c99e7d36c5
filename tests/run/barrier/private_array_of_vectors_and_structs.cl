// RUN: kernel=k local=* groups=3
// ARG: buffer int[G] out
// EXPECT: 0[i] = i*3 + 2 + i%4 + i
typedef struct { char c; int v; } pair;
kernel void k(global int *out) {
    int g = get_global_id(0);
    float4 f[3];
    pair p[4];
    for (int j = 0; j < 3; j++)
        f[j] = (float4)(g * j, j, g, 1);
    for (int j = 0; j < 4; j++) {
        p[j].c = j;
        p[j].v = g;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = (int)(f[2].x + f[2].y + f[1].z) + p[g % 4].c + p[(g + 1) % 4].v;
}
