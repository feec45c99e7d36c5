// Logarithms: log, log2, log10, log1p, logb, ilogb (OpenCL C 3.0, 6.15.2).
//
// Method: x = 2^e m with m in [3/4, 3/2) by the machine (special values: `FMantissa` in ir/inst.rs), f = m - 1 exactly;
// log(m) = f + q with q small, so that f is rounded once only. Float: q = f^2 (f P(f) - 1/2). Double: with
// s = f / (2 + f), log(m) = 2 atanh(s) = f + s (f^2/2 + R(s^2)) - f^2/2, the form of P. T. Tang (ACM TOMS 16, 1990).
// The polynomials are minimax in the relative error of the result (our own Remez exchange). Of 0 and infinity f is 0
// and e is infinite: what e is multiplied by is positive in all its parts, so that no NaN comes of it.

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

// (log(1 + f) - f) / f^2 for f in [-1/4, 1/2]
float OVERLOAD __clo_log_core(float f)
{
    float p = fma(0x1.c7763cp-5f, f, -0x1.f035a6p-4f);
    p = fma(p, f, 0x1.313f4ap-3f);
    p = fma(p, f, -0x1.57d5b8p-3f);
    p = fma(p, f, 0x1.993cc8p-3f);
    p = fma(p, f, -0x1.ffeceap-3f);
    p = fma(p, f, 0x1.5555b2p-2f);
    return fma(p, f, -0.5f);
}

// log(1 + f) - f
float OVERLOAD __clo_log_tail(float f) { return f * f * __clo_log_core(f); }

double OVERLOAD __clo_log_tail(double f)
{
    double s = f / (2.0 + f);
    double z = s * s;
    double w = z * z;
    double a = fma(fma(0x1.3a0138d2b8468p-3, w, 0x1.74734464bba03p-3), w, 0x1.2492499b14ae1p-2);
    double b = fma(0x1.386eaac145df8p-3, w, 0x1.c71c0d6a23b0ep-3);
    a = fma(a, w, 0x1.555555555569dp-1);
    b = fma(b, w, 0x1.999999991acafp-2);
    double r = z * fma(b, z, a);
    double h = 0.5 * f * f;
    return fma(s, h + r, -h);
}

// ln2 has less than half a unit in the last place behind its first 24 bits.
float OVERLOAD log(float x)
{
    float f = __clo_mantissa(x) - 1.0f;
    return fma(__clo_exponent(x), 0x1.62e43p-1f, fma(f * f, __clo_log_core(f), f));
}

double OVERLOAD log(double x)
{
    double e = __clo_exponent(x);
    double f = __clo_mantissa(x) - 1.0;
    double y = fma(e, 0x1.abc9e3b39803fp-56, __clo_log_tail(f));
    return fma(e, 0x1.62e42fefa39efp-1, f + y);
}

float OVERLOAD log2(float x)
{
    float f = __clo_mantissa(x) - 1.0f;
    float q = fma(f, 0x1.4ae0cp-26f, __clo_log_tail(f) * 0x1.715476p0f);
    return __clo_exponent(x) + fma(f, 0x1.715476p0f, q);
}

double OVERLOAD log2(double x)
{
    double f = __clo_mantissa(x) - 1.0;
    double q = fma(f, 0x1.777d0ffda0d24p-56, __clo_log_tail(f) * 0x1.71547652b82fep0);
    return __clo_exponent(x) + fma(f, 0x1.71547652b82fep0, q);
}

float OVERLOAD log10(float x)
{
    float e = __clo_exponent(x);
    float f = __clo_mantissa(x) - 1.0f;
    float q = fma(f, -0x1.5b235ep-27f, __clo_log_tail(f) * 0x1.bcb7b2p-2f);
    q = fma(e, 0x1.09f7ap-26f, fma(f, 0x1.bcb7b2p-2f, q));
    return fma(e, 0x1.344134p-2f, q);
}

double OVERLOAD log10(double x)
{
    double e = __clo_exponent(x);
    double f = __clo_mantissa(x) - 1.0;
    double q = fma(f, 0x1.95355baaafad3p-57, __clo_log_tail(f) * 0x1.bcb7b1526e50ep-2);
    q = fma(e, 0x1.e623e2566b02ep-55, fma(f, 0x1.bcb7b1526e50ep-2, q));
    return fma(e, 0x1.34413509f79fep-2, q);
}

// u = 1 + x rounded, c = what the rounding lost; the reduced f gets c along, scaled as u was
float OVERLOAD log1p(float x)
{
    float u = 1.0f + x;
    float c = x < 1.0f ? x - (u - 1.0f) : 1.0f - (u - x);
    int k = (as_int(u) - 0x3f400000) >> 23;
    float m = as_float(as_int(u) - (k << 23)) - 1.0f;
    c *= k > 30 ? 0.0f : as_float((127 - k) << 23);
    float f = m + c;
    float e = (float)k;
    // what m + c lost
    float t = (m - f) + c;
    float y = fma(e, -0x1.05c61p-29f, __clo_log_tail(f) + t);
    y = fma(e, 0x1.62e43p-1f, f + y);
    y = x < (float)INFINITY ? y : x;
    y = x > -1.0f ? y : x == -1.0f ? -(float)INFINITY : (float)NAN;
    return fabs(x) < 0x1p-25f ? x : y;
}

double OVERLOAD log1p(double x)
{
    double u = 1.0 + x;
    double c = x < 1.0 ? x - (u - 1.0) : 1.0 - (u - x);
    int k = ((int)(as_long(u) >> 32) - 0x3fe80000) >> 20;
    double m = as_double(as_long(u) - ((long)k << 52)) - 1.0;
    c *= k > 60 ? 0.0 : as_double((long)(1023 - k) << 52);
    double f = m + c;
    double e = (double)k;
    double t = (m - f) + c;
    double y = fma(e, 0x1.abc9e3b39803fp-56, __clo_log_tail(f) + t);
    y = fma(e, 0x1.62e42fefa39efp-1, f + y);
    y = x < (double)INFINITY ? y : x;
    y = x > -1.0 ? y : x == -1.0 ? -(double)INFINITY : (double)NAN;
    return fabs(x) < 0x1p-54 ? x : y;
}

int OVERLOAD ilogb(float x)
{
    int i = as_int(x) & 0x7fffffff;
    int k = i < 0x00800000 ? -118 - clz(i) : (i >> 23) - 127;
    return i == 0 ? INT_MIN : i >= 0x7f800000 ? INT_MAX : k;
}

int OVERLOAD ilogb(double x)
{
    long i = as_long(x) & 0x7fffffffffffffff;
    int k = i < 0x0010000000000000 ? -1011 - (int)clz(i) : (int)(i >> 52) - 1023;
    return i == 0 ? INT_MIN : i >= 0x7ff0000000000000 ? INT_MAX : k;
}

float OVERLOAD logb(float x)
{
    return isnan(x) ? x : isinf(x) ? (float)INFINITY : x == 0.0f ? -(float)INFINITY : (float)ilogb(x);
}

double OVERLOAD logb(double x)
{
    return isnan(x) ? x : isinf(x) ? (double)INFINITY : x == 0.0 ? -(double)INFINITY : (double)ilogb(x);
}
