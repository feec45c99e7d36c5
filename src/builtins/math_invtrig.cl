// Inverse circular functions: asin, acos, atan, atan2, asinpi, acospi, atanpi, atan2pi (OpenCL C 3.0, 6.15.2 and 7.5.1).
//
// Method: asin(x) = x + x^3 P(x^2) for |x| <= 1/2, above by asin(x) = pi/2 - 2 asin(sqrt((1 - |x|) / 2)).
// atan(t) = t + t^3 Q(t^2) on [0, 1], above by atan(t) = pi/2 - atan(1/t). pi/2 is added in two parts. P and Q are
// minimax (our own Remez exchange).

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

// atan(t) for t in [0, 1]
float OVERLOAD __clo_atan_core(float t)
{
    float z = t * t;
    float p = fma(-0x1.d630ep-10f, z, 0x1.65a6e8p-7f);
    p = fma(p, z, -0x1.fed1e8p-6f);
    p = fma(p, z, 0x1.daca2cp-5f);
    p = fma(p, z, -0x1.5834a6p-4f);
    p = fma(p, z, 0x1.c09a06p-4f);
    p = fma(p, z, -0x1.2421b6p-3f);
    p = fma(p, z, 0x1.9991fep-3f);
    p = fma(p, z, -0x1.55553ep-2f);
    return fma(t * z, p, t);
}

double OVERLOAD __clo_atan_core(double t)
{
    double z = t * t;
    double w = z * z;
    double p = fma(0x1.bbc1a3eeee01dp-17, z, -0x1.3f1a295bcd378p-13);
    p = fma(p, w, fma(0x1.b3d96e4c9ea3ep-11, z, -0x1.7a2148e414a0ep-9));
    p = fma(p, w, fma(0x1.d7a0c45d47379p-8, z, -0x1.c77df76f53dd8p-7));
    p = fma(p, w, fma(0x1.6832f276c70bap-6, z, -0x1.e9f1b1eee4b55p-6));
    p = fma(p, w, fma(0x1.2c2b993ebbf5ap-5, z, -0x1.59a29100d38ddp-5));
    p = fma(p, w, fma(0x1.82da436717ee9p-5, z, -0x1.ae5e4415009aep-5));
    p = fma(p, w, fma(0x1.e1bb9b1bdb089p-5, z, -0x1.110e501d3a941p-4));
    p = fma(p, w, fma(0x1.3b13667621dbbp-4, z, -0x1.745d11aaf9074p-4));
    p = fma(p, w, fma(0x1.c71c717f95228p-4, z, -0x1.249249237e278p-3));
    p = fma(p, w, fma(0x1.9999999995549p-3, z, -0x1.5555555555526p-2));
    return fma(t * z, p, t);
}

// (asin(s) - s) / s for z = s^2, |s| <= 1/2
float OVERLOAD __clo_asin_tail(float z)
{
    float p = fma(0x1.33d716p-5f, z, 0x1.d7a7f8p-7f);
    p = fma(p, z, 0x1.04ab02p-5f);
    p = fma(p, z, 0x1.6cabb4p-5f);
    p = fma(p, z, 0x1.333892p-4f);
    p = fma(p, z, 0x1.55554cp-3f);
    return p * z;
}

double OVERLOAD __clo_asin_tail(double z)
{
    double w = z * z;
    double p = fma(0x1.05ffc79fc388ap-5, z, -0x1.0b830ba5f3948p-6);
    p = fma(p, w, fma(0x1.410b31ccc2644p-6, z, 0x1.aa3319b6f2e18p-8));
    p = fma(p, w, fma(0x1.8ef3479a04be3p-7, z, 0x1.c6f64cd4d68b6p-7));
    p = fma(p, w, fma(0x1.1c6c43a348396p-6, z, 0x1.6e89eda928eddp-6));
    p = fma(p, w, fma(0x1.f1c72c804e37ap-6, z, 0x1.6db6db419a163p-5));
    p = fma(p, w, fma(0x1.333333336fe06p-4, z, 0x1.5555555555384p-3));
    return p * z;
}

// 0/0 is on the axis, infinity/infinity on the diagonal; a NaN stays one.
double OVERLOAD __clo_ratio(double low, double high)
{
    return low == high ? (low == 0.0 ? 0.0 : 1.0) : low / high;
}

// By an estimate and one step, where that has room
float OVERLOAD __clo_ratio(float low, float high)
{
    float y = __clo_recip(high);
    float q = low * y;
    q = fma(fma(-q, high, low), y, q);
    if (!(low > 0x1p-100f && high < 0x1p100f)) {
        q = low == high ? (low == 0.0f ? 0.0f : 1.0f) : low / high;
    }
    return q;
}

// QUARTER is pi/2 or its share of pi; SCALE and SCALE_LOW turn radians into the unit (1 and 0, or 1/pi).
// A product with the scale in two parts keeps the pi forms as good as the others.
#define INVERSE(T, NAME, PI_2, PI_2_LOW, SCALED) \
    T OVERLOAD asin##NAME(T x) \
    { \
        T a = fabs(x); \
        T z = (T)0.5 - (T)0.5 * a; \
        int outer = a > (T)0.5; \
        T s = outer ? sqrt(z) : a; \
        T p = __clo_asin_tail(outer ? z : a * a); \
        T y = SCALED(s, s * p); \
        y = outer ? PI_2 - ((T)2 * y - PI_2_LOW) : y; \
        return copysign(y, x); \
    } \
    T OVERLOAD acos##NAME(T x) \
    { \
        T a = fabs(x); \
        T z = (T)0.5 - (T)0.5 * a; \
        int outer = a > (T)0.5; \
        T s = outer ? sqrt(z) : x; \
        T p = __clo_asin_tail(outer ? z : a * a); \
        T y = SCALED(s, s * p); \
        T inner = PI_2 - (y - PI_2_LOW); \
        T turned = (T)2 * PI_2 - ((T)2 * y - (T)2 * PI_2_LOW); \
        return outer ? (x < (T)0 ? turned : (T)2 * y) : inner; \
    } \
    T OVERLOAD atan##NAME(T x) \
    { \
        T a = fabs(x); \
        int outer = a > (T)1; \
        T t = outer ? (T)1 / a : a; \
        T y = __clo_atan_core(t); \
        y = SCALED(y, (T)0); \
        y = outer ? PI_2 - (y - PI_2_LOW) : y; \
        return copysign(y, x); \
    } \
    T OVERLOAD atan2##NAME(T y, T x) \
    { \
        T a = fabs(y); \
        T b = fabs(x); \
        T low = a < b ? a : b; \
        T high = a < b ? b : a; \
        T r = __clo_atan_core(__clo_ratio(low, high)); \
        r = SCALED(r, (T)0); \
        r = a > b ? PI_2 - (r - PI_2_LOW) : r; \
        r = signbit(x) ? (T)2 * PI_2 - (r - (T)2 * PI_2_LOW) : r; \
        return copysign(r, y); \
    }

#define RADIANS(s, tail) ((s) + (tail))
#define OF_PI_F(s, tail) fma(s, 0x1.45f306p-2f, fma(s, 0x1.b9391p-27f, (tail) * 0x1.45f306p-2f))
#define OF_PI_D(s, tail) \
    fma(s, 0x1.45f306dc9c883p-2, fma(s, -0x1.6b01ec5417056p-56, (tail) * 0x1.45f306dc9c883p-2))

INVERSE(float, , 0x1.921fb6p0f, -0x1.777a5cp-25f, RADIANS)
INVERSE(double, , 0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, RADIANS)
INVERSE(float, pi, 0.5f, 0.0f, OF_PI_F)
INVERSE(double, pi, 0.5, 0.0, OF_PI_D)
