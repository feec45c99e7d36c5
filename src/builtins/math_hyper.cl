// Hyperbolic functions and their inverses: sinh, cosh, tanh, asinh, acosh, atanh (OpenCL C 3.0, 6.15.2).
//
// Method: with h = e^|x| / 2, cosh = h + 1 / (4h) and sinh = h - 1 / (4h), below 1 a minimax polynomial (our own Remez
// exchange); tanh = t / (t + 2) with t = expm1(2|x|). The inverses go to log1p with arguments that do not cancel.

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

float OVERLOAD __clo_exp_scaled(float x, float k);
double OVERLOAD __clo_exp_scaled(double x, double k);

// (sinh(x) - x) / x for z = x^2 <= 1
float OVERLOAD __clo_sinh_tail(float z)
{
    float p = fma(0x1.ab3c62p-13f, z, 0x1.10f77cp-7f);
    p = fma(p, z, 0x1.555598p-3f);
    return p * z;
}

double OVERLOAD __clo_sinh_tail(double z)
{
    double p = fma(0x1.9a79434a2d37bp-49, z, 0x1.ae756e8fc8a1ep-41);
    p = fma(p, z, 0x1.61246afa3cbe5p-33);
    p = fma(p, z, 0x1.ae6456741b762p-26);
    p = fma(p, z, 0x1.71de3a5573f7bp-19);
    p = fma(p, z, 0x1.a01a01a019fc1p-13);
    p = fma(p, z, 0x1.1111111111111p-7);
    p = fma(p, z, 0x1.5555555555555p-3);
    return p * z;
}

// From BIG on, asinh(x) and acosh(x) are log(2x) to the last bit, and log1p(x) is log(x).
#define HYPERBOLIC(T, BIG, LN2) \
    T OVERLOAD sinh(T x) \
    { \
        T a = fabs(x); \
        T h = __clo_exp_scaled(a, (T)-1); \
        T y = a < (T)1 ? fma(a, __clo_sinh_tail(a * a), a) : h - (T)0.25 / h; \
        return copysign(y, x); \
    } \
    T OVERLOAD cosh(T x) \
    { \
        T h = __clo_exp_scaled(fabs(x), (T)-1); \
        return h + (T)0.25 / h; \
    } \
    T OVERLOAD asinh(T x) \
    { \
        T a = fabs(x); \
        int big = a > BIG; \
        T s = a * a; \
        T t = a + s / ((T)1 + sqrt((T)1 + s)); \
        T y = log1p(big ? a : t) + (big ? LN2 : (T)0); \
        return copysign(y, x); \
    } \
    T OVERLOAD acosh(T x) \
    { \
        int big = x > BIG; \
        T t = x - (T)1; \
        T u = t + sqrt(fma(t, t, (T)2 * t)); \
        T y = log1p(big ? x : u) + (big ? LN2 : (T)0); \
        return x < (T)1 ? (T)NAN : y; \
    } \
    T OVERLOAD atanh(T x) \
    { \
        T a = fabs(x); \
        T y = (T)0.5 * log1p((T)2 * a / ((T)1 - a)); \
        return copysign(y, x); \
    }

HYPERBOLIC(float, 0x1p28f, 0x1.62e43p-1f)
HYPERBOLIC(double, 0x1p60, 0x1.62e42fefa39efp-1)

// With n the integer that is next to u = 2|x| log2(e) and f = u - n: t = e^(2|x|) - 1 = (2^f - 1) 2^n + 2^n - 1, the first by a minimax
// polynomial. The error of u, which grows with |x|, weighs the less. t / (t + 2) by an estimate and one step; 3.9 ULP at most.
float OVERLOAD tanh(float x)
{
    float a = fabs(x);
    float c = a > 10.0f ? 10.0f : a;
    float n = fma(c, 0x1.715476p1f, 0x1.8p23f) - 0x1.8p23f;
    float f = fma(c, 0x1.715476p1f, -n);
    float p = fma(0x1.4308fap-13f, f, 0x1.5f07b4p-10f);
    p = fma(p, f, 0x1.3b2bap-7f);
    p = fma(p, f, 0x1.c6af6ep-5f);
    p = fma(p, f, 0x1.ebfbdep-3f);
    p = fma(p, f, 0x1.62e43p-1f) * f;
    float s = __clo_scale(1.0f, n);
    float t = fma(p, s, s - 1.0f);
    float d = t + 2.0f;
    float y = __clo_recip(d);
    float q = t * y;
    q = fma(fma(-q, d, t), y, q);
    return copysign(q, x);
}

double OVERLOAD tanh(double x)
{
    double t = expm1(2.0 * fabs(x));
    double y = fabs(x) > 22.0 ? 1.0 : t / (t + 2.0);
    return copysign(y, x);
}
