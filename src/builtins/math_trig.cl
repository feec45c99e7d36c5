// Circular functions: sin, cos, tan, sincos (OpenCL C 3.0, 6.15.2).
//
// Method: x = n pi/2 + r, |r| <= pi/4. Up to a bound r comes from three fma steps with pi/2 in three parts (Cody and
// Waite; each step is exact or rounds relative to its result); above, from the bits of 2/pi that matter (Payne and
// Hanek), in a branch that lanes seldom take. sin(r) and cos(r) are minimax polynomials (our own Remez exchange).

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

// Bits of 2/pi behind one word of zeros: bit j of the stream weighs 2^(31-j) and 2^(63-j)
constant uint __clo_two_over_pi_f[] = {
    0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};
constant ulong __clo_two_over_pi_d[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
    0xf0cfbc209af4361d, 0xa9e391615ee61b08};

// r, and n modulo 4 in *n, for |x| >= 2^16: x = m 2^e, and m times 96 bits of 2/pi from bit 30 + e on, modulo 2^96
float OVERLOAD __clo_reduce_large(float x, int *n)
{
    int i = as_int(x) & 0x7fffffff;
    uint m = (i & 0x007fffff) | 0x00800000;
    int start = (i >= 0x7f800000 ? 254 : i >> 23) - 120;
    int word = start >> 5;
    int shift = start & 31;
    ulong a = __clo_two_over_pi_f[word];
    ulong b = __clo_two_over_pi_f[word + 1];
    ulong c = __clo_two_over_pi_f[word + 2];
    ulong d = __clo_two_over_pi_f[word + 3];
    ulong p2 = m * ((((c << 32) | d) << shift) >> 32);
    ulong p1 = m * ((((b << 32) | c) << shift) >> 32) + (p2 >> 32);
    ulong p0 = m * ((((a << 32) | b) << shift) >> 32);
    ulong turns = (p0 << 32) + p1;
    ulong k = (turns + 0x2000000000000000) >> 62;
    float r = (float)((double)(long)(turns - (k << 62)) * 0x1.921fb54442d18p-62);
    *n = x < 0.0f ? -(int)k : (int)k;
    return i >= 0x7f800000 ? (float)NAN : x < 0.0f ? -r : r;
}

// The same for |x| >= 2^28 with 192 bits of 2/pi from bit 62 + e on
double OVERLOAD __clo_reduce_large(double x, int *n)
{
    long i = as_long(x) & 0x7fffffffffffffff;
    ulong m = (i & 0x000fffffffffffff) | 0x0010000000000000;
    int start = (i >= 0x7ff0000000000000 ? 2046 : (int)(i >> 52)) - 1013;
    int word = start >> 6;
    int shift = start & 63;
    ulong a = __clo_two_over_pi_d[word];
    ulong b = __clo_two_over_pi_d[word + 1];
    ulong c = __clo_two_over_pi_d[word + 2];
    ulong d = __clo_two_over_pi_d[word + 3];
    // two shifts, since one by 64 would be none
    ulong q0 = (a << shift) | (b >> 1 >> (63 - shift));
    ulong q1 = (b << shift) | (c >> 1 >> (63 - shift));
    ulong q2 = (c << shift) | (d >> 1 >> (63 - shift));
    ulong low = m * q1;
    ulong low_sum = low + mul_hi(m, q2);
    ulong turns = m * q0 + mul_hi(m, q1) + (low_sum < low ? 1 : 0);
    ulong k = (turns + 0x2000000000000000) >> 62;
    long part = (long)(turns - (k << 62));
    long sign = part >> 63;
    ulong high = (ulong)(part ^ sign);
    low_sum ^= (ulong)sign;
    int zeros = min((int)clz(high), 63);
    high = (high << zeros) | (low_sum >> 1 >> (63 - zeros));
    // 53 and 11 bits, so that only the sum is rounded
    double upper = (double)(high >> 11) * 0x1p11;
    double lower = (double)(high & 0x7ff);
    double r = fma(upper, 0x1.921fb54442d18p0, fma(upper, 0x1.1a62633145c07p-54, lower * 0x1.921fb54442d18p0));
    r *= as_double((long)(1023 - 62 - zeros) << 52);
    int negative = (x < 0.0) ^ (sign != 0);
    *n = x < 0.0 ? -(int)k : (int)k;
    return i >= 0x7ff0000000000000 ? (double)NAN : negative ? -r : r;
}

// r, and n modulo 4 in the low bits of *n
float OVERLOAD __clo_reduce(float x, int *n)
{
    float t = fma(x, 0x1.45f306p-1f, 0x1.8p23f);
    float k = t - 0x1.8p23f;
    float r = fma(k, 0x1.ee59dap-50f, fma(k, 0x1.777a5cp-25f, fma(k, -0x1.921fb6p0f, x)));
    *n = as_int(t);
    if (!(fabs(x) < 0x1p16f)) {
        r = __clo_reduce_large(x, n);
    }
    return r;
}

double OVERLOAD __clo_reduce(double x, int *n)
{
    double t = fma(x, 0x1.45f306dc9c883p-1, 0x1.8p52);
    double k = t - 0x1.8p52;
    double r = fma(k, 0x1.f1976b7ed9p-110, fma(k, -0x1.1a62633145c07p-54, fma(k, -0x1.921fb54442d18p0, x)));
    *n = (int)as_long(t);
    if (!(fabs(x) < 0x1p28)) {
        r = __clo_reduce_large(x, n);
    }
    return r;
}

// sin(r), cos(r) for |r| <= pi/4
float OVERLOAD __clo_sin_core(float r)
{
    float z = r * r;
    float p = fma(fma(-0x1.9947cap-13f, z, 0x1.11074cp-7f), z, -0x1.555546p-3f);
    return fma(r * z, p, r);
}

float OVERLOAD __clo_cos_core(float r)
{
    float z = r * r;
    float p = fma(fma(0x1.99e54ep-16f, z, -0x1.6c0c1ep-10f), z, 0x1.55554ap-5f);
    return fma(z * z, p, fma(z, -0.5f, 1.0f));
}

double OVERLOAD __clo_sin_core(double r)
{
    double z = r * r;
    double p = fma(0x1.5d8f8b1951167p-33, z, -0x1.ae5e5aab516a2p-26);
    p = fma(p, z, 0x1.71de356977fdep-19);
    p = fma(p, z, -0x1.a01a019c01d33p-13);
    p = fma(p, z, 0x1.111111110f802p-7);
    p = fma(p, z, -0x1.5555555555549p-3);
    return fma(r * z, p, r);
}

double OVERLOAD __clo_cos_core(double r)
{
    double z = r * r;
    double p = fma(-0x1.8fa087cf6e11p-37, z, 0x1.1ee9d002732e9p-29);
    p = fma(p, z, -0x1.27e4f7dfb2ccbp-22);
    p = fma(p, z, 0x1.a01a019c755a2p-16);
    p = fma(p, z, -0x1.6c16c16c14efcp-10);
    p = fma(p, z, 0x1.555555555554ap-5);
    return fma(z * z, p, fma(z, -0.5, 1.0));
}

// sin and cos of n pi/2 + r
float OVERLOAD __clo_sin_of(float r, int n)
{
    float y = n & 1 ? __clo_cos_core(r) : __clo_sin_core(r);
    return as_float(as_int(y) ^ ((n & 2) << 30));
}

double OVERLOAD __clo_sin_of(double r, int n)
{
    double y = n & 1 ? __clo_cos_core(r) : __clo_sin_core(r);
    return as_double(as_long(y) ^ ((long)(n & 2) << 62));
}

// s / c, or -c / s for odd n
float OVERLOAD __clo_tan_of(float r, int n)
{
    float s = __clo_sin_core(r);
    float c = __clo_cos_core(r);
    return (n & 1 ? -c : s) / (n & 1 ? s : c);
}

double OVERLOAD __clo_tan_of(double r, int n)
{
    double s = __clo_sin_core(r);
    double c = __clo_cos_core(r);
    return (n & 1 ? -c : s) / (n & 1 ? s : c);
}

// Below the bounds the sine and tangent are x: it keeps its zero's sign and its subnormal.
#define CIRCULAR(T, TINY) \
    T OVERLOAD sin(T x) \
    { \
        int n; \
        T r = __clo_reduce(x, &n); \
        T y = __clo_sin_of(r, n); \
        return fabs(x) < TINY ? x : y; \
    } \
    T OVERLOAD cos(T x) \
    { \
        int n; \
        T r = __clo_reduce(x, &n); \
        return __clo_sin_of(r, n + 1); \
    } \
    T OVERLOAD tan(T x) \
    { \
        int n; \
        T r = __clo_reduce(x, &n); \
        T y = __clo_tan_of(r, n); \
        return fabs(x) < TINY ? x : y; \
    } \
    T OVERLOAD sincos(T x, T *c) \
    { \
        int n; \
        T r = __clo_reduce(x, &n); \
        T s = __clo_sin_of(r, n); \
        *c = __clo_sin_of(r, n + 1); \
        return fabs(x) < TINY ? x : s; \
    }

CIRCULAR(float, 0x1p-13f)
CIRCULAR(double, 0x1p-28)
