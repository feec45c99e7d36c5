// RUN: kernel=special_float local=1 groups=1
// RUN: kernel=special_double local=1 groups=1
// ARG: buffer int[1] = 0
// EXPECT: 0[i] = 0

// OpenCL C 3.0, 7.5.1, rule by rule. The result is the number of the first value that is wrong.

#define IS(value, want) \
    n++; \
    bad = bad || BITS(value) == BITS((T)(want)) ? bad : n;
#define NOT_A_NUMBER(value) \
    n++; \
    bad = bad || isnan(value) ? bad : n;
#define IS_INT(value, want) \
    n++; \
    bad = bad || (value) == (want) ? bad : n;

#define RULES(LEAST, BELOW_ONE) \
    int n = 0, bad = 0, k; \
    T zero = (T)*out, one = zero + (T)1, half_ = one / (T)2; \
    T inf = one / zero, none = inf - inf, w; \
    /* 1 */ IS(acospi(one), 0.0f) NOT_A_NUMBER(acospi(one + one)) IS(asinpi(-zero), -0.0f) NOT_A_NUMBER(asinpi(-2 * one)) \
    /* 5 */ IS(atanpi(-zero), -0.0f) IS(atanpi(inf), 0.5f) IS(atanpi(-inf), -0.5f) \
    /* 8 */ IS(atan2pi(zero, -zero), 1) IS(atan2pi(-zero, -zero), -1) IS(atan2pi(zero, zero), 0) \
    /* 11 */ IS(atan2pi(-zero, zero), -0.0f) IS(atan2pi(-zero, -one), -1) IS(atan2pi(-zero, one), -0.0f) \
    /* 14 */ IS(atan2pi(-one, -zero), -0.5f) IS(atan2pi(one, zero), 0.5f) IS(atan2pi(one, -inf), 1) \
    /* 17 */ IS(atan2pi(-one, inf), -0.0f) IS(atan2pi(-inf, one), -0.5f) IS(atan2pi(inf, -inf), 0.75f) \
    /* 20 */ IS(atan2pi(-inf, inf), -0.25f) IS(ceil(-half_), -0.0f) IS(cospi(-zero), 1) IS(cospi(half_), 0) \
    /* 24 */ IS(cospi(one + half_), 0) NOT_A_NUMBER(cospi(inf)) IS(exp10(-inf), 0) IS(exp10(inf), inf) \
    /* 28 */ NOT_A_NUMBER(fdim(one, none)) NOT_A_NUMBER(fdim(none, one)) NOT_A_NUMBER(fmod(zero, none)) \
    /* 31 */ IS(frexp(-inf, &k), -inf) IS_INT(k, 0) NOT_A_NUMBER(frexp(none, &k)) IS_INT(k, 0) \
    /* 35 */ IS(fract(-LEAST, &w), BELOW_ONE) IS(w, -1) IS(fract(-zero, &w), -0.0f) IS(w, -0.0f) \
    /* 39 */ IS(fract(inf, &w), 0) IS(w, inf) IS(fract(-inf, &w), -0.0f) IS(w, -inf) NOT_A_NUMBER(fract(none, &w)) \
    /* 44 */ NOT_A_NUMBER(w) lgamma_r(-one, &k); \
    /* 45 */ IS_INT(k, 0) lgamma_r(zero, &k); \
    /* 46 */ IS_INT(k, 0) IS(nextafter(-zero, one), LEAST) IS(nextafter(zero, -one), -LEAST) IS(pow(-zero, -inf), inf) \
    /* 50 */ IS(pown(none, 0), 1) IS(pown(-zero, -3), -inf) IS(pown(-zero, -2), inf) IS(pown(-zero, 2), 0) \
    /* 54 */ IS(pown(-zero, 3), -0.0f) IS(powr(half_, -zero), 1) IS(powr(-zero, -one), inf) IS(powr(-zero, -inf), inf) \
    /* 58 */ IS(powr(-zero, one), 0) IS(powr(one, half_), 1) NOT_A_NUMBER(powr(-one, one)) NOT_A_NUMBER(powr(zero, zero)) \
    /* 62 */ NOT_A_NUMBER(powr(inf, zero)) NOT_A_NUMBER(powr(one, inf)) NOT_A_NUMBER(powr(one, none)) \
    /* 65 */ NOT_A_NUMBER(powr(none, zero)) IS(rint(-half_), -0.0f) NOT_A_NUMBER(remquo(inf, one, &k)) IS_INT(k, 0) \
    /* 69 */ NOT_A_NUMBER(remquo(one, zero, &k)) IS_INT(k, 0) NOT_A_NUMBER(remquo(none, one, &k)) IS_INT(k, 0) \
    /* 73 */ IS(rootn(-zero, -3), -inf) IS(rootn(-zero, -2), inf) IS(rootn(-zero, 2), 0) IS(rootn(-zero, 3), -0.0f) \
    /* 77 */ NOT_A_NUMBER(rootn(-one, 2)) NOT_A_NUMBER(rootn(one, 0)) IS(round(-half_ / 2), -0.0f) \
    /* 80 */ IS(sinpi(-zero), -0.0f) IS(sinpi(2 * one), 0) IS(sinpi(-3 * one), -0.0f) NOT_A_NUMBER(sinpi(inf)) \
    /* 84 */ IS(tanpi(-zero), -0.0f) NOT_A_NUMBER(tanpi(-inf)) IS(tanpi(2 * one), 0) IS(tanpi(-2 * one), -0.0f) \
    /* 88 */ IS(tanpi(one), -0.0f) IS(tanpi(-one), 0) IS(tanpi(half_), inf) IS(tanpi(one + half_), -inf) \
    /* 92 */ IS(tanpi(-half_), -inf) IS(trunc(-half_), -0.0f) IS(modf(-inf, &w), -0.0f) IS(w, -inf) \
    /* C99, F.9 */ \
    /* 96 */ IS(pow(-one, inf), 1) IS(pow(one, none), 1) IS(pow(none, zero), 1) IS(pow(-zero, 3), -0.0f) \
    /* 100 */ IS(pow(-inf, -3), -0.0f) NOT_A_NUMBER(pow(-one, half_)) IS(log1p(-one), -inf) IS(log(-zero), -inf) \
    /* 104 */ NOT_A_NUMBER(log(-one)) IS(expm1(-inf), -1) IS(atan2(-zero, one), -0.0f) IS(hypot(none, -inf), inf) \
    /* 108 */ IS(sin(-zero), -0.0f) NOT_A_NUMBER(cos(inf)) IS(tgamma(-zero), -inf) NOT_A_NUMBER(tgamma(-one)) \
    /* 112 */ IS(atanh(-one), -inf) IS(cbrt(-zero), -0.0f) IS(erfc(-inf), 2) IS(tanh(-inf), -1) \
    /* 116 */ IS_INT(ilogb(zero), FP_ILOGB0) IS_INT(ilogb(none), FP_ILOGBNAN) IS_INT(ilogb(inf), INT_MAX) \
    /* 119 */ IS(logb(-zero), -inf) IS(logb(-inf), inf) \
    *out = bad;

#define T float
#define BITS as_int
__kernel void special_float(__global int *out)
{
    RULES(0x1p-149f, 0x1.fffffep-1f)
}
#undef T
#undef BITS
#define T double
#define BITS as_long
__kernel void special_double(__global int *out)
{
    RULES(0x1p-1074, 0x1.fffffffffffffp-1)
}
