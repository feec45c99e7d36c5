// What is not listed is zero; designators choose.
// RUN: kernel=k local=1 groups=1
// ARG: buffer int[12] out
// EXPECT: 0[i] = i < 3 ? i+1 : i < 5 ? 0 : i == 5 ? 0 : i == 6 ? 9 : i == 7 ? 8 : i == 8 ? 4 : i == 9 ? 104 : i == 10 ? 0 : 3
kernel void k(global int *out) {
    int a[5] = { 1, 2, 3 };
    int b[] = { [1] = 9, 8 };
    int c[2][2] = { { 1, 2 }, { 3, 4 } };
    const char text[] = "hi";
    struct { int x, y, z; } s = { .z = 3 };
    for (int j = 0; j < 5; j++)
        out[j] = a[j];
    for (int j = 0; j < 3; j++)
        out[5 + j] = b[j];
    out[8] = c[1][1];
    out[9] = text[0];
    out[10] = text[2] + s.x;
    out[11] = s.z;
}
