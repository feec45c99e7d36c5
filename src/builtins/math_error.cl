// Error functions: erf, erfc (OpenCL C 3.0, 6.15.2).
//
// Method: erf(x) = x P(x^2) below 0.9; above, erfc(x) = exp(-x^2) Q(t) / (1 + 2x) with t = (x - 3) / (x + 3), where Q is
// (1 + 2x) exp(x^2) erfc(x), which varies little. What the square of x loses in rounding is made good by a factor
// 1 - low. P and Q are minimax in the relative error (our own Remez exchange).

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

float OVERLOAD __clo_exp2_core(float r);

// erf(x) / x for z = x^2, |x| < 0.9
float OVERLOAD __clo_erf_core(float z)
{
    float p = fma(0x1.650fd4p-14f, z, -0x1.aca346p-11f);
    p = fma(p, z, 0x1.550a3cp-8f);
    p = fma(p, z, -0x1.b81522p-6f);
    p = fma(p, z, 0x1.ce2e54p-4f);
    p = fma(p, z, -0x1.812744p-2f);
    p = fma(p, z, 0x1.20dd76p0f);
    return p;
}

double OVERLOAD __clo_erf_core(double z)
{
    double w = z * z;
    double p = fma(-0x1.d24a8b967b91ap-31, z, 0x1.e29e152d0bd2p-27);
    p = fma(p, w, fma(-0x1.5d8357faea886p-23, z, 0x1.b9b75d4718f1p-20));
    p = fma(p, w, fma(-0x1.f4cf591ca5f38p-17, z, 0x1.f9a3062643355p-14));
    p = fma(p, w, fma(-0x1.c02db313fb7d8p-11, z, 0x1.565bcd0a31501p-8));
    p = fma(p, w, fma(-0x1.b82ce31271d9dp-6, z, 0x1.ce2f21a0427ep-4));
    p = fma(p, w, fma(-0x1.812746b0379e2p-2, z, 0x1.20dd750429b6dp0));
    return p;
}

// Q(t)
float OVERLOAD __clo_erfc_core(float t)
{
    float p = fma(-0x1.669806p-11f, t, 0x1.db74d8p-10f);
    p = fma(p, t, 0x1.47c792p-9f);
    p = fma(p, t, -0x1.852546p-6f);
    p = fma(p, t, 0x1.17ce36p-4f);
    p = fma(p, t, -0x1.e88d8ep-4f);
    p = fma(p, t, 0x1.09834ap-3f);
    p = fma(p, t, -0x1.85a136p-5f);
    p = fma(p, t, -0x1.15c084p-3f);
    p = fma(p, t, 0x1.40c522p0f);
    return p;
}

double OVERLOAD __clo_erfc_core(double t)
{
    double w = t * t;
    double p = fma(-0x1.4deb48cff8d7bp-26, t, 0x1.0547d4c3f4ab5p-25);
    p = fma(p, w, fma(0x1.f41d3a790e3eap-24, t, -0x1.26be6a2dbe505p-23));
    p = fma(p, w, fma(-0x1.51dd5afb6950ap-21, t, 0x1.809527bb22f5ap-22));
    p = fma(p, w, fma(0x1.d2d9ae81ffa01p-19, t, -0x1.89af980373c67p-21));
    p = fma(p, w, fma(-0x1.514267333c10fp-16, t, 0x1.4c33c84d4f0cbp-18));
    p = fma(p, w, fma(0x1.065a5d1eea321p-13, t, -0x1.b912a3ebab073p-14));
    p = fma(p, w, fma(-0x1.98db520e1135cp-11, t, 0x1.ef1bdda0759f5p-10));
    p = fma(p, w, fma(0x1.4b884e47f837cp-9, t, -0x1.8574c40c2cdb3p-6));
    p = fma(p, w, fma(0x1.17ca2877effe3p-4, t, -0x1.e88b803a48685p-4));
    p = fma(p, w, fma(0x1.098366a5b46e4p-3, t, -0x1.85a15c58aa621p-5));
    p = fma(p, w, fma(-0x1.15c084bb9e8f3p-3, t, 0x1.40c522d7e4987p0));
    return p;
}

// erfc(a) for 0.9 <= a; from END on the result is 0
#define ERROR(T, END) \
    T OVERLOAD __clo_erfc_outer(T x) \
    { \
        T a = x > END ? END : x; \
        T r = (T)1 / ((a + (T)3) * fma((T)2, a, (T)1)); \
        T g = __clo_erfc_core((a - (T)3) * (fma((T)2, a, (T)1) * r)) * ((a + (T)3) * r); \
        T s = a * a; \
        T low = fma(a, a, -s); \
        return exp(-s) * fma(-low, g, g); \
    } \
    T OVERLOAD erfc(T x) \
    { \
        T a = fabs(x); \
        T y = __clo_erfc_outer(a); \
        y = x < (T)0 ? (T)2 - y : y; \
        return a < (T)0.9 ? (T)1 - x * __clo_erf_core(a * a) : y; \
    }

ERROR(float, 10.5f)
ERROR(double, 28.0)

double OVERLOAD erf(double x)
{
    double a = fabs(x);
    double y = a < 0.9 ? a * __clo_erf_core(a * a) : 1.0 - __clo_erfc_outer(a);
    return copysign(y, x);
}

// Above 0.9 as 1 - 2^-q with a polynomial for q: an error there counts little. From 4 on that is 1.
float OVERLOAD erf(float x)
{
    float a = fabs(x);
    float c = a > 4.0f ? 4.0f : a;
    float q = fma(-0x1.2a4944p-12f, c, 0x1.20e646p-8f);
    q = fma(q, c, -0x1.074808p-5f);
    q = fma(q, c, 0x1.336462p-3f);
    q = fma(q, c, 0x1.d69216p-1f);
    q = fma(q, c, 0x1.a082fap0f);
    q = fma(q, c, 0x1.0c893ap-12f);
    float n = q + 0x1.8p23f - 0x1.8p23f;
    float outer = 1.0f - __clo_scale(__clo_exp2_core(n - q), -n);
    return copysign(a < 0.9f ? a * __clo_erf_core(a * a) : outer, x);
}
