// Powers: pow, powr, pown, rootn (OpenCL C 3.0, 6.15.2; special cases: C99 F.9.4.4 and OpenCL C 3.0, 7.5.1).
//
// Method, float: 2^(y log2 |x|) in double, rounded once at the end. Double: the logarithm and the product in
// double-double. The polynomials are minimax (our own Remez exchange).

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

// |x|^y for a = |x|, with the values for 0, infinity and NaN that follow from the logarithm
float OVERLOAD __clo_power(float a, double y)
{
    double f = (double)(__clo_mantissa(a) - 1.0f);
    double w = f * f;
    double p = fma(0x1.b737f36780596p-5, w, fma(-0x1.0d5d785a5e68fp-3, f, 0x1.5b8c46607f766p-3));
    p = fma(p, w, fma(-0x1.78e8eeea0ea28p-3, f, 0x1.a5b18fd90f7f6p-3));
    p = fma(p, w, fma(-0x1.ebfea75dcca88p-3, f, 0x1.277508b39a61bp-2));
    p = fma(p, w, fma(-0x1.7155a7ed95772p-2, f, 0x1.ec70a982389c2p-2));
    p = fma(p, w, fma(-0x1.7154756c8d891p-1, f, 0x1.71547650ee19dp0));
    double z = y * fma(p, f, (double)__clo_exponent(a));
    z = z > 200.0 ? 200.0 : z;
    z = z < -200.0 ? -200.0 : z;
    double n = z + 0x1.8p52 - 0x1.8p52;
    float r = (float)(z - n);
    float q = fma(0x1.41fa9p-13f, r, 0x1.5f400ep-10f);
    q = fma(q, r, 0x1.3b2d52p-7f);
    q = fma(q, r, 0x1.c6aee6p-5f);
    q = fma(q, r, 0x1.ebfbdcp-3f);
    q = fma(q, r, 0x1.62e43p-1f);
    return __clo_scale(fma(q, r, 1.0f), (float)n);
}

double OVERLOAD __clo_expm1_core(double r);

// a^(y + y_low). log(a) = e ln2 + 2 atanh(s), s = f / (2 + f), in double-double: the terms in s and s^3 in twice the
// precision, the rest once.
double OVERLOAD __clo_power(double a, double y, double y_low)
{
    int subnormal = a < 0x1p-1022;
    long i = as_long(subnormal ? a * 0x1p54 : a);
    int k = ((int)(i >> 32) - 0x3fe6a09e) >> 20;
    double f = as_double(i - ((long)k << 52)) - 1.0;
    double e = (double)(k - (subnormal ? 54 : 0));
    double d = 2.0 + f;
    double d_low = (2.0 - d) + f;
    double reciprocal = 1.0 / d;
    double s = f * reciprocal;
    double s_low = (fma(-s, d, f) - s * d_low) * reciprocal;
    double z = s * s;
    double z_low = fma(2.0 * s, s_low, fma(s, s, -z));
    double v = s * z;
    double v_low = fma(s, z_low, fma(s_low, z, fma(s, z, -v)));
    double w = v * 0x1.5555555555555p-1;
    double w_low = fma(v, 0x1.5555555555555p-1, -w);
    w_low = fma(v_low, 0x1.5555555555555p-1, fma(v, 0x1.5555555555555p-55, w_low));
    double b = fma(0x1.0e45a1c91b173p-3, z, 0x1.0f7f9a9deb118p-3);
    b = fma(b, z, 0x1.3b1eef50d0e8fp-3);
    b = fma(b, z, 0x1.745ce9d1debaap-3);
    b = fma(b, z, 0x1.c71c722d9764ap-3);
    b = fma(b, z, 0x1.2492492457b43p-2);
    b = fma(b, z, 0x1.9999999999b31p-2);
    double h = fma(2.0, s, w);
    double l = fma(2.0, s, -h) + w + (fma(v * z, b, w_low) + 2.0 * s_low);
    // e times the upper 41 bits of ln2 is exact
    double el = e * 0x1.62e42fefa3p-1;
    double log_high = el + h;
    double log_low = fma(e, 0x1.3de6af278ece6p-42, (el - log_high) + h + l);
    log_high = a == 0.0 ? -(double)INFINITY : a < (double)INFINITY ? log_high : a;
    double p = y * log_high;
    double p_low = fma(y, log_high, -p) + fma(y, log_low, y_low * log_high);
    p_low = fabs(p) < 800.0 ? p_low : 0.0;
    p = p > 720.0 ? 720.0 : p < -760.0 ? -760.0 : p;
    double n = fma(p, 0x1.71547652b82fep0, 0x1.8p52) - 0x1.8p52;
    double r = fma(n, -0x1.abc9e3b39803fp-56, fma(n, -0x1.62e42fefa39efp-1, p)) + p_low;
    return __clo_scale(1.0 + __clo_expm1_core(r), n);
}

// pow where x or y is out of the ordinary; r is |x|^y. Integers at or above HUGE are even.
#define POW(T, HUGE, POWER) \
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
        T a = fabs(x); \
        T r = POWER; \
        if (!(x > (T)0 && x < (T)INFINITY && fabs(y) < (T)INFINITY)) { \
            r = __clo_pow_edge(x, y, r); \
        } \
        return r; \
    } \
    T OVERLOAD powr(T x, T y) \
    { \
        T a = x == (T)0 ? (T)0 : x; \
        T r = POWER; \
        return x < (T)0 || isnan(x) ? (T)NAN : r; \
    }

POW(float, 0x1p24f, __clo_power(a, (double)y))
POW(double, 0x1p53, __clo_power(a, y, 0.0))

#define POWN(T, POWER, ROOT) \
    T OVERLOAD pown(T x, int n) \
    { \
        T a = fabs(x); \
        T r = POWER; \
        r = a == (T)1 ? (T)1 : r; \
        r = n & 1 ? copysign(r, x) : r; \
        return n == 0 ? (T)1 : r; \
    } \
    T OVERLOAD rootn(T x, int n) \
    { \
        T a = fabs(x); \
        T r = ROOT; \
        r = n & 1 ? copysign(r, x) : x < (T)0 ? (T)NAN : r; \
        return n == 0 ? (T)NAN : r; \
    }

POWN(float, __clo_power(a, (double)n), __clo_power(a, 1.0 / (double)n))

// 1/n to twice the precision
double OVERLOAD __clo_root(double a, int n)
{
    double d = n == 0 ? 1.0 : (double)n;
    double q = 1.0 / d;
    return __clo_power(a, q, fma(-q, d, 1.0) / d);
}

POWN(double, __clo_power(a, (double)n, 0.0), __clo_root(a, n))
