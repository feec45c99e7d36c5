// Functions that take a number apart or step along it (OpenCL C 3.0, 6.15.2): fract, modf, frexp, ldexp, fdim,
// maxmag, minmag, nextafter, nan, fmod, remainder, remquo. All are exact or correctly rounded; the special cases are those
// of 7.5.1.

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

#define PARTS(T, BELOW_ONE) \
    T OVERLOAD fract(T x, T *whole) \
    { \
        T w = floor(x); \
        T r = x - w; \
        *whole = w; \
        r = r >= (T)1 ? BELOW_ONE : r; \
        r = isinf(x) ? (T)0 : r; \
        return isnan(x) ? x : copysign(r, x == (T)0 || isinf(x) ? x : (T)1); \
    } \
    T OVERLOAD modf(T x, T *whole) \
    { \
        T w = trunc(x); \
        *whole = w; \
        return copysign(isinf(x) ? (T)0 : x - w, x); \
    } \
    T OVERLOAD fdim(T x, T y) \
    { \
        return isnan(x) ? x : isnan(y) ? y : x > y ? x - y : (T)0; \
    } \
    T OVERLOAD maxmag(T x, T y) \
    { \
        T a = fabs(x); \
        T b = fabs(y); \
        return a > b ? x : b > a ? y : fmax(x, y); \
    } \
    T OVERLOAD minmag(T x, T y) \
    { \
        T a = fabs(x); \
        T b = fabs(y); \
        return a < b ? x : b < a ? y : fmin(x, y); \
    }

PARTS(float, 0x1.fffffep-1f)
PARTS(double, 0x1.fffffffffffffp-1)

float OVERLOAD frexp(float x, int *e)
{
    int subnormal = fabs(x) < 0x1p-126f;
    int i = as_int(subnormal ? x * 0x1p24f : x);
    int plain = x == 0.0f || !isfinite(x);
    *e = plain ? 0 : ((i >> 23) & 0xff) - (subnormal ? 150 : 126);
    return plain ? x : as_float((i & 0x807fffff) | 0x3f000000);
}

double OVERLOAD frexp(double x, int *e)
{
    int subnormal = fabs(x) < 0x1p-1022;
    long i = as_long(subnormal ? x * 0x1p54 : x);
    int plain = x == 0.0 || !isfinite(x);
    *e = plain ? 0 : (int)((i >> 52) & 0x7ff) - (subnormal ? 1076 : 1022);
    return plain ? x : as_double((i & (long)0x800fffffffffffff) | 0x3fe0000000000000);
}

// x = m 2^e with 1 <= |m| < 2; m times 2^(e + k) in two steps, of which the second alone can round
float OVERLOAD ldexp(float x, int k)
{
    int subnormal = fabs(x) < 0x1p-126f;
    int i = as_int(subnormal ? x * 0x1p24f : x);
    int e = ((i >> 23) & 0xff) - (subnormal ? 151 : 127);
    int n = e + (k > 400 ? 400 : k < -400 ? -400 : k);
    n = n > 190 ? 190 : n < -160 ? -160 : n;
    int last = n < 0 ? -64 : 64;
    float m = as_float((i & 0x807fffff) | 0x3f800000);
    float y = m * as_float((n - last + 127) << 23) * as_float((last + 127) << 23);
    return x == 0.0f || !isfinite(x) ? x : y;
}

double OVERLOAD ldexp(double x, int k)
{
    int subnormal = fabs(x) < 0x1p-1022;
    long i = as_long(subnormal ? x * 0x1p54 : x);
    int e = (int)((i >> 52) & 0x7ff) - (subnormal ? 1077 : 1023);
    int n = e + (k > 3000 ? 3000 : k < -3000 ? -3000 : k);
    n = n > 1100 ? 1100 : n < -1100 ? -1100 : n;
    int last = n < 0 ? -512 : 512;
    double m = as_double((i & (long)0x800fffffffffffff) | 0x3ff0000000000000);
    double y = m * as_double((long)(n - last + 1023) << 52) * as_double((long)(last + 1023) << 52);
    return x == 0.0 || !isfinite(x) ? x : y;
}

float OVERLOAD nan(uint code) { return as_float(0x7fc00000 | (code & 0x003fffff)); }
double OVERLOAD nan(ulong code) { return as_double(0x7ff8000000000000 | (code & 0x0007ffffffffffff)); }

// One up or down in the order of the bits, which counts away from zero
#define NEXT(T, I, as_T, as_I, SIGN) \
    T OVERLOAD nextafter(T x, T y) \
    { \
        I i = as_I(x); \
        I away = (x < y) == (x > (T)0) ? 1 : -1; \
        T r = as_T(x == (T)0 ? (as_I(y) & SIGN) | 1 : i + away); \
        return isnan(x) ? x : isnan(y) ? y : x == y ? y : r; \
    }

NEXT(float, int, as_float, as_int, (int)0x80000000)
NEXT(double, long, as_double, as_long, (long)0x8000000000000000)

// A quotient below END is off by one at most, and what is left by it is exact. Others are rare.
#define FMOD(T, END) \
    T OVERLOAD fmod(T x, T y) \
    { \
        T a = fabs(x); \
        T b = fabs(y); \
        T q = trunc(a / b); \
        T r = fma(-q, b, a); \
        r = r < (T)0 ? r + b : r; \
        r = r >= b ? r - b : r; \
        if (!(q < END && b < (T)INFINITY)) { \
            r = __clo_frem(a, b); \
        } \
        return copysign(r, x); \
    }

FMOD(float, 0x1p23f)
FMOD(double, 0x1p52)

// The quotient's low bits one by one, from 2^6 on; every difference is exact (Sterbenz). The rest is rounded to
// nearest, ties to an even quotient. 128 |y| overflows only where |x| is below it anyway.
#define REMAINDER(T) \
    T OVERLOAD remquo(T x, T y, int *quotient) \
    { \
        T b = fabs(y); \
        T period = b * (T)128; \
        T a = isinf(period) ? fabs(x) : fmod(fabs(x), period); \
        int q = 0; \
        for (int bit = 64; bit > 0; bit >>= 1) { \
            T step = b * (T)bit; \
            int take = a >= step; \
            a = take ? a - step : a; \
            q |= take ? bit : 0; \
        } \
        T rest = b - a; \
        int up = a > rest || (a == rest && (q & 1)); \
        a = up ? -rest : a; \
        q = (q + up) & 127; \
        int bad = isnan(x) || isnan(y) || isinf(x) || y == (T)0; \
        int far = isinf(y); \
        q = signbit(x) != signbit(y) ? -q : q; \
        T r = signbit(x) ? -a : a; \
        *quotient = bad || far ? 0 : q; \
        return isnan(x) ? x : isnan(y) ? y : bad ? (T)NAN : far ? x : r; \
    } \
    T OVERLOAD remainder(T x, T y) \
    { \
        int quotient; \
        return remquo(x, y, &quotient); \
    }

REMAINDER(float)
REMAINDER(double)
