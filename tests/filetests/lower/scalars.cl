// Arithmetic, conversions, conditions.
int arith(int a, uint b, short s, uchar c) {
    a += s * c - (a << b) / 3;
    b >>= a; b %= 7;
    return -a ^ ~(int)b | !c;
}
long mixed(float f, double d, bool t, long l) {
    bool u = f; t = l; u |= t; ++t; f = u;
    return (long)d + (uint)f + (char)l + u;
}
int logic(int a, int b, int *p) {
    int r = a && b;
    if (a > 0 && p[1] || !b) r = 2;
    return r ? a : b ? *p : p[a];
}
float cheap(float x, float y) { return x < y ? x + 1 : y; }
