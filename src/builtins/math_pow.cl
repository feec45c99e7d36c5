// Powers: pow, powr, pown, rootn (OpenCL C 3.0, 6.15.2; special cases: C99 F.9.4.4 and OpenCL C 3.0, 7.5.1).
//
// Method: 2^(y log2 |x|) for float, e^(y log |x|) for double; the logarithm and the product in two parts, of which the
// second holds some bits only: 6 in float and 8 in double are enough for the bound of 16 ulps. |x| = 2^e m, and r is a
// number of few bits near 1/m, from a small table that vector lanes look up in registers: f = m r - 1 is exact and small,
// and so is log(1 + f), whose first terms decide. P. T. Tang (ACM TOMS 16, 1990) has the method. The polynomials are
// minimax (our own Remez exchange).

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

double OVERLOAD __clo_exp_sixteenth(double r, double t);
float OVERLOAD __clo_clamp(float x, float low, float high);
double OVERLOAD __clo_clamp(double x, double low, double high);

// log2(a) and a^y for floats: by the leading five bits of a's mantissa, a number near its reciprocal that has so few
// bits that f is exact, and minus the logarithm of that in two parts; the first has 16 bits behind the point.
constant float __clo_inverse_f[] = {
    0x1p0f, 0x1.e8p-1f, 0x1.d8p-1f, 0x1.dp-1f, 0x1.cp-1f, 0x1.b8p-1f, 0x1.a8p-1f, 0x1.ap-1f, 0x1.98p-1f,
    0x1.88p-1f, 0x1.8p-1f, 0x1.78p-1f, 0x1.7p-1f, 0x1.68p-1f, 0x1.6p-1f, 0x1.58p-1f, 0x1.5p-1f, 0x1.48p-1f,
    0x1.48p-1f, 0x1.4p-1f, 0x1.38p-1f, 0x1.3p-1f, 0x1.3p-1f, 0x1.28p-1f, 0x1.2p-1f, 0x1.2p-1f, 0x1.18p-1f,
    0x1.1p-1f, 0x1.1p-1f, 0x1.08p-1f, 0x1.08p-1f, 0x1p-1f};
constant float __clo_inverse_log2_f[] = {
    0x0p0f, 0x1.1bbp-4f, 0x1.e0bp-4f, 0x1.22d8p-3f, 0x1.8a88p-3f, 0x1.bfc8p-3f, 0x1.169cp-2f, 0x1.32cp-2f,
    0x1.4f7p-2f, 0x1.8a88p-2f, 0x1.a9p-2f, 0x1.c818p-2f, 0x1.e7ep-2f, 0x1.042cp-1f, 0x1.14c6p-1f, 0x1.25cp-1f,
    0x1.3722p-1f, 0x1.48eep-1f, 0x1.48eep-1f, 0x1.5b2cp-1f, 0x1.6dep-1f, 0x1.811p-1f, 0x1.811p-1f, 0x1.94c2p-1f,
    0x1.a9p-1f, 0x1.a9p-1f, 0x1.bdcep-1f, 0x1.d338p-1f, 0x1.d338p-1f, 0x1.e946p-1f, 0x1.e946p-1f, 0x1p0f};
constant float __clo_inverse_log2_low_f[] = {
    0x0p0f, 0x1.953002p-19f, 0x1.ae8f3p-20f, 0x1.6e155ap-18f, 0x1.80abfcp-19f, -0x1.858p-19f, 0x1.4d8fc6p-24f,
    -0x1.1c8f12p-22f, -0x1.134c4ep-20f, 0x1.80abfcp-18f, -0x1.a39fbep-20f, 0x1.dc2d46p-18f, -0x1.40358ep-19f,
    -0x1.5a32c2p-20f, -0x1.3e032ep-18f, 0x1.408c78p-18f, 0x1.5db83ap-20f, 0x1.e3263p-18f, 0x1.e3263p-18f,
    0x1.ed0cbap-20f, -0x1.eac382p-20f, -0x1.6b9026p-19f, -0x1.6b9026p-19f, 0x1.0e9258p-18f, -0x1.a39fbep-19f,
    -0x1.a39fbep-19f, 0x1.3b992cp-18f, 0x1.20a6dep-21f, 0x1.20a6dep-21f, -0x1.a6eb1ep-18f, -0x1.a6eb1ep-18f, 0x0p0f};

// 2^(j/32)
constant float __clo_power_of_two_f[] = {
    0x1p0f, 0x1.059b0ep0f, 0x1.0b5586p0f, 0x1.11301ep0f, 0x1.172b84p0f, 0x1.1d4874p0f, 0x1.2387a6p0f, 0x1.29e9ep0f,
    0x1.306fep0f, 0x1.371a74p0f, 0x1.3dea64p0f, 0x1.44e086p0f, 0x1.4bfdaep0f, 0x1.5342b6p0f, 0x1.5ab07ep0f,
    0x1.6247ecp0f, 0x1.6a09e6p0f, 0x1.71f75ep0f, 0x1.7a1148p0f, 0x1.82589ap0f, 0x1.8ace54p0f, 0x1.93737cp0f,
    0x1.9c4918p0f, 0x1.a5503cp0f, 0x1.ae89fap0f, 0x1.b7f77p0f, 0x1.c199bep0f, 0x1.cb720ep0f, 0x1.d5818ep0f,
    0x1.dfc974p0f, 0x1.ea4afap0f, 0x1.f50766p0f};

// log2 |x| and in *low what is to be added to it, up to 2^-6 of it. Of 0 and infinity that is a NaN.
float OVERLOAD __clo_log_twice(float x, float *low)
{
    float m = __clo_significand(x);
    int j = (as_int(m) >> 18) & 31;
    float f = fma(m, __clo_inverse_f[j], -1.0f);
    float q = fma(0x1.288674p-2f, f, -0x1.71a88ap-2f);
    q = fma(q, f, 0x1.ec7098p-2f);
    q = fma(q, f, -0x1.715474p-1f);
    float u = f * 0x1.715476p0f;
    float whole = __clo_logb(x) + __clo_inverse_log2_f[j];
    float high = whole + u;
    q = fma(f, fma(f, q, 0x1.4ae0cp-26f), fma(f, 0x1.715476p0f, -u));
    *low = ((whole - high) + u) + (__clo_inverse_log2_low_f[j] + q);
    return high;
}

// 2^(p + low) for |p| < 2^17
float OVERLOAD __clo_exp_twice(float p, float low)
{
    float t = (p + low) + 0x1.8p18f;
    float n = t - 0x1.8p18f;
    float r = (p - n) + low;
    float q = r * fma(fma(0x1.c6b08ep-5f, r, 0x1.ebfbep-3f), r, 0x1.62e43p-1f);
    float power = __clo_power_of_two_f[as_int(t) & 31];
    return __clo_scale(fma(power, q, power), n);
}

// The same for double: four bits, and natural logarithms; the first parts have 42 bits behind the point.
constant double __clo_inverse_d[] = {
    0x1p0, 0x1.dp-1, 0x1.cp-1, 0x1.ap-1, 0x1.9p-1, 0x1.8p-1, 0x1.7p-1, 0x1.6p-1, 0x1.5p-1, 0x1.4p-1, 0x1.3p-1,
    0x1.3p-1, 0x1.2p-1, 0x1.1p-1, 0x1.1p-1, 0x1p-1};
constant double __clo_inverse_log_d[] = {
    0x0p0, 0x1.9335e5d594p-4, 0x1.1178e8227ep-3, 0x1.a93ed3c8aep-3, 0x1.f991c6cb3cp-3, 0x1.269621134ep-2,
    0x1.522ae0738ap-2, 0x1.7fafa3bd81p-2, 0x1.af5295248dp-2, 0x1.e148a1a272p-2, 0x1.0ae76e2d058p-1,
    0x1.0ae76e2d058p-1, 0x1.269621134d8p-1, 0x1.43d9ff2f92p-1, 0x1.43d9ff2f92p-1, 0x1.62e42fefa3p-1};
constant double __clo_inverse_log_low_d[] = {
    0x0p0, 0x1.3115c3abd47dap-45, 0x1.1ef78ce2d07f2p-45, -0x1.8724350562169p-45, -0x1.90d04cd7cc834p-44,
    -0x1.1b61f10522625p-44, 0x1.ebe708164c759p-45, 0x1.46fb79bf6d4cbp-44, -0x1.17cc552774458p-45,
    0x1.b36537e3375b2p-44, -0x1.82de51de06076p-44, -0x1.82de51de06076p-44, 0x1.c93c1df5bb3b6p-44,
    0x1.e267b0b7efae1p-44, 0x1.e267b0b7efae1p-44, 0x1.3de6af278ece6p-42};

// log |x| and in *low what is to be added to it: e ln2 + log(1/r) + (f - f^2/2 + f^3 P(f)), the sum of f and -f^2/2 in two
// parts too. Of 0 and infinity the lower part is a NaN.
double OVERLOAD __clo_log_twice(double x, double *low)
{
    double e = __clo_logb(x);
    double m = __clo_significand(x);
    long j = (as_long(m) >> 48) & 15;
    double f = fma(m, __clo_inverse_d[j], -1.0);
    double z = f * f;
    double a = fma(-0x1.2b5425a862738p-4, f, 0x1.73aab56a3fbb7p-4);
    double b = fma(-0x1.99bcb0725a8cep-4, f, 0x1.c71dbe72e252fp-4);
    double c = fma(-0x1.fffff633814e1p-4, f, 0x1.249248e6a3a35p-3);
    double d = fma(-0x1.55555555dc306p-3, f, 0x1.99999999a20f7p-3);
    double p = fma(-0x1.fffffffffffb6p-3, f, 0x1.5555555555553p-2);
    p = fma(fma(fma(fma(a, z, b), z, c), z, d), z, p);
    double g = f * -0.5;
    double h = fma(g, f, f);
    double h_low = fma(g, f, f - h);
    double whole = fma(e, 0x1.62e42fefa3p-1, __clo_inverse_log_d[j]);
    double high = whole + h;
    double rest = fma(e, 0x1.3de6af278ece6p-42, __clo_inverse_log_low_d[j]) + h_low;
    *low = ((whole - high) + h) + fma(f * z, p, rest);
    return high;
}

// e^(p + low) for |p| < 2^40
double OVERLOAD __clo_exp_twice(double p, double low)
{
    double t = fma(p + low, 0x1.71547652b82fep0, 0x1.8p48);
    double n = t - 0x1.8p48;
    double r = fma(n, -0x1.62e42fefa39efp-1, p) + fma(n, -0x1.abc9e3b39803fp-56, low);
    return __clo_scale(__clo_exp_sixteenth(r, t), n);
}

// Any p; nothing is lost of an infinite one. Below NEAR the result of __clo_exp_twice is a normal number.
#define POWER(T, NEAR, END) \
    T OVERLOAD __clo_exp_far(T p, T low) \
    { \
        low = fabs(p) < END ? low : (T)0; \
        return __clo_exp_twice(__clo_clamp(p, -END, END), low); \
    } \
    T OVERLOAD __clo_power(T x, T y, T y_low) \
    { \
        T low; \
        T high = __clo_log_twice(x, &low); \
        T p = y * high; \
        low = fma(y, low, fma(y_low, high, fma(y, high, -p))); \
        T r = __clo_exp_twice(p, low); \
        if (!(fabs(p + low) < NEAR)) { \
            r = __clo_exp_far(p, low); \
        } \
        return r; \
    }

POWER(float, 125.0f, 200.0f)
POWER(double, 700.0, 800.0)

// __clo_pow_edge: where x or y is out of the ordinary; r is |x|^y. Integers at or above HUGE are even.
#define POW(T, NEAR, HUGE) \
    T OVERLOAD __clo_pow_edge(T x, T y, T r) \
    { \
        T a = fabs(x); \
        int whole = trunc(y) == y; \
        T h = y * (T)0.5; \
        int odd = whole && trunc(h) != h && fabs(y) < HUGE; \
        r = a == (T)1 && !isnan(y) ? (T)1 : r; \
        r = x < (T)0 && a < (T)INFINITY && !whole ? (T)NAN : r; \
        r = odd ? copysign(r, x) : r; \
        return x == (T)1 || y == (T)0 ? (T)1 : r; \
    } \
    T OVERLOAD pow(T x, T y) \
    { \
        T low; \
        T high = __clo_log_twice(x, &low); \
        T p = y * high; \
        low = fma(y, low, fma(y, high, -p)); \
        T r = __clo_exp_twice(p, low); \
        if (!(x > (T)0 && fabs(p + low) < NEAR)) { \
            r = __clo_pow_edge(x, y, __clo_exp_far(p, low)); \
        } \
        return r; \
    } \
    T OVERLOAD powr(T x, T y) \
    { \
        T r = __clo_power(x, y, (T)0); \
        return x < (T)0 || isnan(x) ? (T)NAN : r; \
    }

POW(float, 125.0f, 0x1p24f)
POW(double, 700.0, 0x1p53)

// n in two parts
float OVERLOAD __clo_power_int(float x, int n)
{
    float upper = (float)(n & -256);
    float lower = (float)(n & 255);
    float y = upper + lower;
    return __clo_power(x, y, lower - (y - upper));
}

double OVERLOAD __clo_power_int(double x, int n) { return __clo_power(x, (double)n, 0.0); }

// 1/n to twice the precision; of an n that a float does not hold, as near as needed
#define POWN(T) \
    T OVERLOAD pown(T x, int n) \
    { \
        T r = __clo_power_int(x, n); \
        r = fabs(x) == (T)1 ? (T)1 : r; \
        r = n & 1 ? copysign(r, x) : r; \
        return n == 0 ? (T)1 : r; \
    } \
    T OVERLOAD rootn(T x, int n) \
    { \
        T d = n == 0 ? (T)1 : (T)n; \
        T q = (T)1 / d; \
        T r = __clo_power(x, q, fma(-q, d, (T)1) / d); \
        r = n & 1 ? copysign(r, x) : x < (T)0 ? (T)NAN : r; \
        return n == 0 ? (T)NAN : r; \
    }

POWN(float)
POWN(double)
