// RUN: kernel=k local=8
// RUN: kernel=k local=37
// ARG: buffer int[G] out
// EXPECT: 0[i] = i*4 + 6 + 2
int total(int values[4], const int grid[2][2]) {
    int t = 0;
    for (int j = 0; j < 4; j++)
        t += values[j];
    return t + grid[1][0];
}
kernel void k(global int *out) {
    int g = get_global_id(0), v[4] = { g, g + 1, g + 2, g + 3 };
    const int m[2][2] = { { 0, 1 }, { 2, 3 } };
    out[g] = total(v, m);
}
