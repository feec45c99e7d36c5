// Powers: pow, powr, pown, rootn (OpenCL C 3.0, 6.15.2; special cases: C99 F.9.4.4 and OpenCL C 3.0, 7.5.1).
//
// Method, float: 2^(y log2 |x|), the product and what decides it in double, the rest in float. Double: the logarithm and
// the product in double-double. The polynomials are minimax (our own Remez exchange).

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

// |x|^y for a = |x|, with the values for 0, infinity and NaN that follow from the logarithm
float OVERLOAD __clo_power(float a, double y)
{
    float g = __clo_mantissa(a) - 1.0f;
    float tail = fma(0x1.b737f4p-5f, g, -0x1.0d5d78p-3f);
    tail = fma(tail, g, 0x1.5b8c46p-3f);
    tail = fma(tail, g, -0x1.78e8eep-3f);
    tail = fma(tail, g, 0x1.a5b19p-3f);
    tail = fma(tail, g, -0x1.ebfea8p-3f);
    tail = fma(tail, g, 0x1.277508p-2f);
    double f = (double)g;
    double p = fma((double)tail, f, -0x1.7155a7ed95772p-2);
    p = fma(p, f, 0x1.ec70a982389c2p-2);
    p = fma(p, f, -0x1.7154756c8d891p-1);
    p = fma(p, f, 0x1.71547650ee19dp0);
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

// log(a) = e ln2 + 2 atanh(s), s = f / (2 + f), in double-double: the terms in s and s^3 in twice the precision, the
// rest once. Of 0 and infinity the lower part is a NaN.
double OVERLOAD __clo_log_twice(double a, double *low)
{
    double e = __clo_exponent(a);
    double f = __clo_mantissa(a) - 1.0;
    double d = 2.0 + f;
    double d_low = (2.0 - d) + f;
    double reciprocal = 1.0 / d;
    double s = f * reciprocal;
    double s_low = fma(-s, d_low, fma(-s, d, f)) * reciprocal;
    double z = s * s;
    double z_low = fma(2.0 * s, s_low, fma(s, s, -z));
    double v = s * z;
    double v_low = fma(s, z_low, fma(s_low, z, fma(s, z, -v)));
    double w = v * 0x1.5555555555555p-1;
    double w_low = fma(v, 0x1.5555555555555p-1, -w);
    w_low = fma(v_low, 0x1.5555555555555p-1, fma(v, 0x1.5555555555555p-55, w_low));
    double b = fma(0x1.17e04255ae092p-3, z, 0x1.0e60fbaafafb7p-3);
    b = fma(b, z, 0x1.3b2c066ddebadp-3);
    b = fma(b, z, 0x1.745c9ecf810afp-3);
    b = fma(b, z, 0x1.c71c730300a6fp-3);
    b = fma(b, z, 0x1.24924923d4b8ep-2);
    b = fma(b, z, 0x1.9999999999dbp-2);
    double h = fma(2.0, s, w);
    double l = fma(2.0, s, -h) + w + fma(2.0, s_low, fma(v * z, b, w_low));
    // e times the upper 41 bits of ln2 is exact
    double el = e * 0x1.62e42fefa3p-1;
    double high = el + h;
    *low = fma(e, 0x1.3de6af278ece6p-42, (el - high) + h + l);
    return high;
}

// e^(p + p_low)
double OVERLOAD __clo_exp_twice(double p, double p_low)
{
    p_low = fabs(p) < 800.0 ? p_low : 0.0;
    p = p > 720.0 ? 720.0 : p;
    p = p < -760.0 ? -760.0 : p;
    double n = fma(p, 0x1.71547652b82fep0, 0x1.8p52) - 0x1.8p52;
    double r = fma(n, -0x1.abc9e3b39803fp-56, fma(n, -0x1.62e42fefa39efp-1, p)) + p_low;
    return __clo_scale(1.0 + __clo_expm1_core(r), n);
}

// a^y
double OVERLOAD __clo_power(double a, double y)
{
    double low;
    double high = __clo_log_twice(a, &low);
    double p = y * high;
    return __clo_exp_twice(p, fma(y, low, fma(y, high, -p)));
}

// a^(y + y_low)
double OVERLOAD __clo_power(double a, double y, double y_low)
{
    double low;
    double high = __clo_log_twice(a, &low);
    double p = y * high;
    return __clo_exp_twice(p, fma(y, high, -p) + fma(y, low, y_low * high));
}

// pow where x or y is out of the ordinary; r is |x|^y. Integers at or above HUGE are even.
#define POW(T, AS, HUGE, POWER) \
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
        /* by bits: x is positive and finite, y is finite */ \
        if (AS(x) - 1 >= AS((T)INFINITY) - 1 || AS(fabs(y)) >= AS((T)INFINITY)) { \
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

POW(float, as_uint, 0x1p24f, __clo_power(a, (double)y))
POW(double, as_ulong, 0x1p53, __clo_power(a, y))

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

POWN(double, __clo_power(a, (double)n), __clo_root(a, n))
