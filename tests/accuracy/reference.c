// The reference of the accuracy test, and the measuring of errors in units in the last place.
//
// Results for float and half are computed in double by the C library, those for double in __float128 by libquadmath: at least
// 29 (60) bits more than are measured. What it returns for special values is exact, zeros and their signs included.

#define _GNU_SOURCE
#include <limits.h>
#include <math.h>
#include <quadmath.h>
#include <string.h>

typedef __float128 quad;

static quad exp10q(quad x) { return powq(10, x); }

#define T double
#define M(f) f
#include "reference.inc"
#undef T
#undef M
#define T quad
#define M(f) f##q
#include "reference.inc"
#undef T
#undef M

// The error of `got` in ulps of a format with `digits` bits, least exponent `least` (of the last place) and overflow
// from 2^`top` on. A NaN, infinity or zero of another kind or sign than the reference's is an infinite error;
// infinity counts as 2^top where the reference is finite.
static double error(quad got, quad want, int digits, int least, int top)
{
    if (isnanq(want) || isnanq(got))
        return isnanq(want) && isnanq(got) ? 0 : INFINITY;
    if (isinfq(want) || want == 0)
        return got == want && !signbitq(got) == !signbitq(want) ? 0 : INFINITY;
    if (isinfq(got)) {
        if (!signbitq(got) != !signbitq(want))
            return INFINITY;
        if (fabsq(want) >= scalbnq(1, top))
            return 0;
        got = copysignq(scalbnq(1, top), got);
    }
    int e;
    frexpq(want, &e);
    int place = e - digits < least ? least : e > top ? top - digits : e - digits;
    return (double)scalbnq(fabsq(got - want), -place);
}

static double error_f(float got, double want)
{
    // the plain case in double, which is exact enough and quick
    double a = fabs(want);
    if (isfinite(got) && a >= 0x1p-120 && a < 0x1p127) {
        int e;
        frexp(want, &e);
        return ldexp(fabs(got - want), 24 - e);
    }
    return error(got, want, 24, -149, 128);
}

static double error_d(double got, quad want) { return error(got, want, 53, -1074, 1024); }

// Half's exponents are all moderate in double.
static double error_h(_Float16 got, double want)
{
    double a = fabs(want);
    if (isfinite(got) && a > 0 && a < 65536) {
        int e;
        frexp(want, &e);
        return ldexp(fabs((double)got - want), e - 11 < -24 ? 24 : 11 - e);
    }
    return error(got, want, 11, -24, 16);
}

static float next_f(float x, float y) { return nextafterf(x, y); }
static double next_d(double x, double y) { return nextafter(x, y); }

static _Float16 next_h(_Float16 x, _Float16 y)
{
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    short bits;
    memcpy(&bits, &x, 2);
    if (x == 0)
        bits = y < 0 ? -32767 : 1;
    else
        bits += (x < y) == (x > 0) ? 1 : -1;
    memcpy(&x, &bits, 2);
    return x;
}

struct worst {
    double ulp;
    long index;
    long failures;
};

static void note(struct worst *w, long i, double e, double bound)
{
    if (!(e <= w->ulp)) {
        w->ulp = e;
        w->index = i;
    }
    w->failures += !(e <= bound);
}

static double larger(double a, double b) { return a > b ? a : b; }

#define ID(f) f
#define QUAD(f) f##q

// Measures n results: `got`, and what a pointer got in `second` or `number`. False if the name is unknown.
#define MEASURE(NAME, S, T, M, ERROR, NEXT, BELOW_ONE) \
    int NAME(const char *name, long n, const S *x, const S *y, const int *k, const S *got, const S *second, \
        const int *number, double bound, struct worst *w) \
    { \
        T (*one)(T) = 0; \
        T (*two)(T, T) = 0; \
        T (*power)(T, int) = 0; \
        int kind = M(find)(name, &one, &two, &power); \
        int extreme = strchr("fm", name[0]) && (strstr(name, "max") || strstr(name, "min") || strstr(name, "mag")); \
        w->ulp = -1; \
        w->index = -1; \
        w->failures = 0; \
        for (long i = 0; i < n; i++) { \
            double e; \
            T other; \
            int whole; \
            if (kind == 1) \
                e = ERROR(got[i], one(x[i])); \
            else if (kind == 2) \
                e = ERROR(got[i], two(x[i], y[i])); \
            else if (kind == 3) \
                e = ERROR(got[i], power(x[i], k[i])); \
            else if (!strcmp(name, "fract")) { \
                e = ERROR(got[i], M(r_fract)(x[i], &other, BELOW_ONE)); \
                e = larger(e, ERROR(second[i], other)); \
            } else if (!strcmp(name, "modf")) { \
                e = ERROR(got[i], M(r_modf)(x[i], &other)); \
                e = larger(e, ERROR(second[i], other)); \
            } else if (!strcmp(name, "sincos")) { \
                e = ERROR(got[i], M(sin)(x[i])); \
                e = larger(e, ERROR(second[i], M(cos)(x[i]))); \
            } else if (!strcmp(name, "frexp")) { \
                e = ERROR(got[i], M(r_frexp)(x[i], &whole)); \
                e = whole == number[i] ? e : INFINITY; \
            } else if (!strcmp(name, "lgamma_r")) { \
                e = ERROR(got[i], M(r_lgamma_r)(x[i], &whole)); \
                e = x[i] != x[i] || isinf(x[i]) || whole == number[i] ? e : INFINITY; \
            } else if (!strcmp(name, "remquo")) { \
                e = ERROR(got[i], M(r_remquo)(x[i], y[i], &whole)); \
                int same = whole == (number[i] < 0 ? -(-number[i] & 127) : number[i] & 127); \
                e = same ? e : INFINITY; \
            } else if (!strcmp(name, "ilogb")) { \
                whole = x[i] == 0 ? INT_MIN : isnan(x[i]) || isinf(x[i]) ? INT_MAX : ilogb(x[i]); \
                e = whole == number[i] ? 0 : INFINITY; \
            } else if (!strcmp(name, "nextafter")) \
                e = ERROR(got[i], NEXT(x[i], y[i])); \
            else if (!strcmp(name, "nan")) \
                e = isnan(got[i]) ? 0 : INFINITY; \
            else \
                return 0; \
            /* which zero a maximum of two zeros is, C99 leaves open */ \
            e = extreme && got[i] == 0 && x[i] == 0 && y[i] == 0 ? 0 : e; \
            note(w, i, e, bound); \
        } \
        return 1; \
    }

MEASURE(measure_f, float, double, ID, error_f, next_f, 0x1.fffffep-1)
MEASURE(measure_d, double, quad, QUAD, error_d, next_d, 0x1.fffffffffffffp-1)
MEASURE(measure_h, _Float16, double, ID, error_h, next_h, 0x1.ffcp-1)
