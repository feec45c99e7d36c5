// RUN: kernel=k local=1 groups=1
// ARG: buffer int[8] out
// ARG: scalar float -3.75
// EXPECT: 0[i] = i == 0 ? -3 : i == 1 ? 1 : i == 2 ? 44 : i == 3 ? -1 : i == 4 ? 1 : i == 5 ? -7 : i == 6 ? 255 : 16777216
kernel void k(global int *out, float f) {
    int a = f;
    bool b = f;
    uchar c = 300;
    char d = 255;
    bool e = 256;
    double g = 2 * f;
    uchar h = -1;
    float m = 16777217;
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = g;
    out[6] = h;
    out[7] = m;
}
