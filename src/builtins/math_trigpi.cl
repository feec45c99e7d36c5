// Circular functions of multiples of pi: sinpi, cospi, tanpi (OpenCL C 3.0, 6.15.2; special cases 7.5.1).
//
// Method: x = 2m + n/2 + r, |r| <= 1/4, exactly; then the polynomials of sin and cos for pi r, with pi in two parts.

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

float OVERLOAD __clo_sin_of(float r, int n);
double OVERLOAD __clo_sin_of(double r, int n);
float OVERLOAD __clo_tan_of(float r, int n);
double OVERLOAD __clo_tan_of(double r, int n);

#define PI_F(r) fma(r, 0x1.921fb6p1f, (r) * -0x1.777a5cp-24f)
#define PI_D(r) fma(r, 0x1.921fb54442d18p1, (r) * 0x1.1a62633145c07p-53)

// An infinite x makes r a NaN; n is then read from the bits of a NaN, whatever they are.
#define REDUCE(T, ROUND, BITS) \
    T q = fma((T)-2, rint(x * (T)0.5), x); \
    T t = fma(q, (T)2, ROUND); \
    int n = (int)BITS(t); \
    T r = fma((T)-0.5, t - ROUND, q)

// sinpi(n) has the sign of n; cospi(n + 1/2) is +0. tanpi(n) is 0 with the sign of n, turned for odd n; tanpi(n + 1/2)
// is +infinity for even n and -infinity for odd n: q is then 1/2 and -1/2.
#define CIRCULAR_PI(T, ROUND, BITS, PI) \
    T OVERLOAD sinpi(T x) \
    { \
        REDUCE(T, ROUND, BITS); \
        T y = __clo_sin_of(PI(r), n); \
        return r == (T)0 && !(n & 1) ? copysign((T)0, x) : y; \
    } \
    T OVERLOAD cospi(T x) \
    { \
        REDUCE(T, ROUND, BITS); \
        T y = __clo_sin_of(PI(r), n + 1); \
        return r == (T)0 && (n & 1) ? (T)0 : y; \
    } \
    T OVERLOAD tanpi(T x) \
    { \
        REDUCE(T, ROUND, BITS); \
        T y = __clo_tan_of(PI(r), n); \
        T zero = copysign((T)0, n & 2 ? -x : x); \
        return r == (T)0 ? (n & 1 ? copysign((T)INFINITY, q) : zero) : y; \
    }

CIRCULAR_PI(float, 0x1.8p23f, as_int, PI_F)
CIRCULAR_PI(double, 0x1.8p52, as_long, PI_D)
