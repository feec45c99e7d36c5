// RUN: kernel=k local=4 groups=3 std=CL3.0
// ARG: buffer float[4*G] = i + 0.5
// ARG: buffer float[8*G] out
// ARG: buffer int[G] = 0
// EXPECT: 1[i] = i%8 < 4 ? i/8*4 + i%8 + 0.5 : i%8 == 4 ? 0.25 : i%8 == 5 ? 0.75 : i%8 == 6 ? 3 : 1
// EXPECT: 2[i] = 2*i + 2
void all(float *from, float *to, int *count, float *part, int *power) {
    vstore4(vload4(0, from), 0, to);
    part[0] = fract(3.25f, part + 1);
    float m = frexp(6.0f, power);
    part[1] = m;
    to[6] = *power;
    float whole;
    float *w = &whole;
    modf(1.5f, w);
    to[7] = *w;
    atomic_fetch_add((atomic_int *)count, 2);
}

kernel void k(global float *a, global float *out, global int *count) {
    local int powers[4];
    int g = get_global_id(0), n = get_local_id(0);
    float part[2];
    count[g] = 2 * g;
    all(a + 4 * g, out + 8 * g, count + g, part, &powers[n]);
    out[8 * g + 4] = part[0];
    out[8 * g + 5] = part[1];
}
