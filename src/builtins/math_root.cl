// Roots: rsqrt, cbrt, hypot (OpenCL C 3.0, 6.15.2).
//
// hypot scales by a power of two where squares would overflow or lose bits. cbrt: the exponent's third by integer
// arithmetic gives a first value within 4 percent, then a step of fourth order, then one Newton step with the residual
// in twice the precision.

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

// The estimate y and a step of third order: x y^2 = 1 - e. Where y is 0 or infinite e is a NaN and y is right.
float OVERLOAD rsqrt(float x)
{
    float y = __clo_rsqrt(x);
    float e = fma(-x * y, y, 1.0f);
    float r = fma(y * e, fma(e, 0.375f, 0.5f), y);
    return isnan(e) ? y : r;
}

double OVERLOAD rsqrt(double x) { return 1.0 / sqrt(x); }

#define HYPOT(T, BIG, SMALL, DOWN, UP) \
    T OVERLOAD hypot(T x, T y) \
    { \
        T a = fabs(x); \
        T b = fabs(y); \
        T m = a > b ? a : b; \
        T scale = m > BIG ? DOWN : m < SMALL ? UP : (T)1; \
        T back = m > BIG ? UP : m < SMALL ? DOWN : (T)1; \
        T u = a * scale; \
        T v = b * scale; \
        T r = sqrt(fma(u, u, v * v)) * back; \
        return isinf(x) || isinf(y) ? (T)INFINITY : r; \
    }

HYPOT(float, 0x1p60f, 0x1p-40f, 0x1p-80f, 0x1p80f)
HYPOT(double, 0x1p500, 0x1p-400, 0x1p-600, 0x1p600)

float OVERLOAD cbrt(float x)
{
    float a = fabs(x);
    int subnormal = a < 0x1p-126f;
    float m = subnormal ? a * 0x1p24f : a;
    float y = as_float(as_int(m) / 3 + 0x2a5119f2);
    // y <- y (1 + h/3 + 2/9 h^2) with 1 - h = y^3 / m
    float h = fma(-y * y, y / m, 1.0f);
    y = fma(y * h, fma(h, fma(h, 0x1.61f9aep-3f, 0x1.c71c72p-3f), 0x1.555556p-2f), y);
    float s = y * y;
    float s_low = fma(y, y, -s);
    float c = s * y;
    float residual = (m - c) - fma(s_low, y, fma(s, y, -c));
    y = fma(residual, 0x1.555556p-2f / s, y);
    y = subnormal ? y * 0x1p-8f : y;
    return x == 0.0f || !isfinite(x) ? x : copysign(y, x);
}

double OVERLOAD cbrt(double x)
{
    double a = fabs(x);
    int subnormal = a < 0x1p-1022;
    double m = subnormal ? a * 0x1p54 : a;
    // the upper word alone: one 32-bit division
    int high = (int)(as_long(m) >> 32) / 3 + 0x2a9f7893;
    double y = as_double((long)high << 32);
    double h = fma(-y * y, y / m, 1.0);
    y = fma(y * h, fma(h, fma(h, 14.0 / 81.0, 2.0 / 9.0), 1.0 / 3.0), y);
    double s = y * y;
    h = fma(-s, y / m, 1.0);
    y = fma(y * h, fma(h, 2.0 / 9.0, 1.0 / 3.0), y);
    s = y * y;
    double s_low = fma(y, y, -s);
    double c = s * y;
    double residual = (m - c) - fma(s_low, y, fma(s, y, -c));
    y = fma(residual, (1.0 / 3.0) / s, y);
    y = subnormal ? y * 0x1p-18 : y;
    return x == 0.0 || !isfinite(x) ? x : copysign(y, x);
}
