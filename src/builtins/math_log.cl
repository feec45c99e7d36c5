// Logarithms: log, log2, log10, log1p, logb, ilogb (OpenCL C 3.0, 6.15.2).
//
// Method: x = 2^e m with m around 1 (float: [2/3, 4/3), double: [sqrt(1/2), sqrt(2))), f = m - 1 exactly;
// log(m) = f + q with q small, so that f is rounded once only. Float: q = f^2 (f P(f) - 1/2). Double: with
// s = f / (2 + f), log(m) = 2 atanh(s) = f + s (f^2/2 + R(s^2)) - f^2/2, the form of P. T. P. Tang (ACM TOMS 16, 1990).
// The polynomials are minimax in the relative error of the result (our own Remez exchange).

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

// The value for arguments outside (0, infinity), else y
#define LOG_EDGE(x, y, INF, NOT) ((x) > 0 ? ((x) < INF ? (y) : (x)) : (x) == 0 ? -INF : NOT)
#define LOG_EDGE_F(x, y) LOG_EDGE(x, y, (float)INFINITY, (float)NAN)
#define LOG_EDGE_D(x, y) LOG_EDGE(x, y, (double)INFINITY, (double)NAN)

// log(1 + f) - f for f in [-1/3, 1/3]
float OVERLOAD __clo_log_tail(float f)
{
    float p = fma(-0x1.0801fp-3f, f, 0x1.1e6588p-3f);
    p = fma(p, f, -0x1.f312dep-4f);
    p = fma(p, f, 0x1.1ed75ap-3f);
    p = fma(p, f, -0x1.559dbcp-3f);
    p = fma(p, f, 0x1.99d024p-3f);
    p = fma(p, f, -0x1.fffefp-3f);
    p = fma(p, f, 0x1.555506p-2f);
    return f * f * fma(p, f, -0.5f);
}

double OVERLOAD __clo_log_tail(double f)
{
    double s = f / (2.0 + f);
    double z = s * s;
    double w = z * z;
    double a = fma(fma(0x1.2f09072ffd4cbp-3, w, 0x1.74664229d65p-3), w, 0x1.2492494202807p-2);
    double b = fma(0x1.39a162674e7a3p-3, w, 0x1.c71c51fa596acp-3);
    a = fma(a, w, 0x1.5555555555593p-1);
    b = fma(b, w, 0x1.999999997fc94p-2);
    double r = z * fma(b, z, a);
    double h = 0.5 * f * f;
    return fma(s, h + r, -h);
}

// m - 1, and its exponent in *e; x is positive and finite
float OVERLOAD __clo_log_reduce(float x, float *e)
{
    int subnormal = x < 0x1p-126f;
    int i = as_int(subnormal ? x * 0x1p25f : x);
    int k = (i - 0x3f2aaaab) >> 23;
    *e = (float)(k - (subnormal ? 25 : 0));
    return as_float(i - (k << 23)) - 1.0f;
}

double OVERLOAD __clo_log_reduce(double x, double *e)
{
    int subnormal = x < 0x1p-1022;
    long i = as_long(subnormal ? x * 0x1p54 : x);
    int k = ((int)(i >> 32) - 0x3fe6a09e) >> 20;
    *e = (double)(k - (subnormal ? 54 : 0));
    return as_double(i - ((long)k << 52)) - 1.0;
}

float OVERLOAD log(float x)
{
    float e;
    float f = __clo_log_reduce(x, &e);
    float y = f + __clo_log_tail(f);
    return LOG_EDGE_F(x, fma(e, 0x1.62e43p-1f, fma(e, -0x1.05c61p-29f, y)));
}

double OVERLOAD log(double x)
{
    double e;
    double f = __clo_log_reduce(x, &e);
    double y = fma(e, 0x1.abc9e3b39803fp-56, __clo_log_tail(f));
    return LOG_EDGE_D(x, fma(e, 0x1.62e42fefa39efp-1, f + y));
}

float OVERLOAD log2(float x)
{
    float e;
    float f = __clo_log_reduce(x, &e);
    float q = fma(f, 0x1.4ae0cp-26f, __clo_log_tail(f) * 0x1.715476p0f);
    return LOG_EDGE_F(x, e + fma(f, 0x1.715476p0f, q));
}

double OVERLOAD log2(double x)
{
    double e;
    double f = __clo_log_reduce(x, &e);
    double q = fma(f, 0x1.777d0ffda0d24p-56, __clo_log_tail(f) * 0x1.71547652b82fep0);
    return LOG_EDGE_D(x, e + fma(f, 0x1.71547652b82fep0, q));
}

float OVERLOAD log10(float x)
{
    float e;
    float f = __clo_log_reduce(x, &e);
    float q = fma(f, -0x1.5b235ep-27f, __clo_log_tail(f) * 0x1.bcb7b2p-2f);
    q = fma(e, -0x1.ec10cp-27f, fma(f, 0x1.bcb7b2p-2f, q));
    return LOG_EDGE_F(x, fma(e, 0x1.344136p-2f, q));
}

double OVERLOAD log10(double x)
{
    double e;
    double f = __clo_log_reduce(x, &e);
    double q = fma(f, 0x1.95355baaafad3p-57, __clo_log_tail(f) * 0x1.bcb7b1526e50ep-2);
    q = fma(e, -0x1.9dc1da994fd21p-59, fma(f, 0x1.bcb7b1526e50ep-2, q));
    return LOG_EDGE_D(x, fma(e, 0x1.34413509f79ffp-2, q));
}

// u = 1 + x rounded, c = what the rounding lost; the reduced f gets c along, scaled as u was
float OVERLOAD log1p(float x)
{
    float u = 1.0f + x;
    float c = x < 1.0f ? x - (u - 1.0f) : 1.0f - (u - x);
    int k = (as_int(u) - 0x3f2aaaab) >> 23;
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
    int k = ((int)(as_long(u) >> 32) - 0x3fe6a09e) >> 20;
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
