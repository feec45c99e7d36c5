// RUN: kernel=one_argument local=16
// RUN: kernel=one_argument local=37
// RUN: kernel=two_arguments local=16
// RUN: kernel=two_arguments local=37
// RUN: kernel=pointers_and_ints local=16
// RUN: kernel=pointers_and_ints local=37
// ARG: buffer float[G] = (i - 20) * 0.37
// ARG: buffer int[G] out
// EXPECT: 1[i] = 0

// Each counts the components that are not what the scalar form gives.

#define SAME(a, b) (as_int(a) == as_int(b) || (isnan(a) && isnan(b)))
#define CHECK4(v, e0, e1, e2, e3) \
    bad += !SAME(v.s0, e0) + !SAME(v.s1, e1) + !SAME(v.s2, e2) + !SAME(v.s3, e3);

#define ONE(f) \
    { \
        float4 r = f(v); \
        CHECK4(r, f(v.s0), f(v.s1), f(v.s2), f(v.s3)) \
    }

__kernel void one_argument(__global const float *in, __global int *out)
{
    size_t i = get_global_id(0);
    float4 v = (float4)(in[i], in[i] * 0.1f, fabs(in[i]), in[i] + 100.0f);
    int bad = 0;
    ONE(acos) ONE(acosh) ONE(acospi) ONE(asin) ONE(asinh) ONE(asinpi) ONE(atan) ONE(atanh) ONE(atanpi) ONE(cbrt)
    ONE(cos) ONE(cosh) ONE(cospi) ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(lgamma) ONE(log)
    ONE(log2) ONE(log10) ONE(log1p) ONE(logb) ONE(rsqrt) ONE(sin) ONE(sinh) ONE(sinpi) ONE(tan) ONE(tanh) ONE(tanpi)
    ONE(tgamma) ONE(half_sin) ONE(native_exp)
    out[i] = bad;
}

#define TWO(f) \
    { \
        float4 r = f(v, w); \
        CHECK4(r, f(v.s0, w.s0), f(v.s1, w.s1), f(v.s2, w.s2), f(v.s3, w.s3)) \
    }

__kernel void two_arguments(__global const float *in, __global int *out)
{
    size_t i = get_global_id(0);
    float4 v = (float4)(in[i], in[i] * 0.1f, fabs(in[i]), in[i] + 100.0f);
    float4 w = v.s3102 * 0.25f;
    int bad = 0;
    TWO(atan2) TWO(atan2pi) TWO(fdim) TWO(hypot) TWO(maxmag) TWO(minmag) TWO(nextafter) TWO(pow) TWO(powr)
    TWO(remainder) TWO(half_powr) TWO(native_divide)
    out[i] = bad;
}

__kernel void pointers_and_ints(__global const float *in, __global int *out)
{
    size_t i = get_global_id(0);
    float2 v = (float2)(in[i], in[i] * 3.0f + 100.0f);
    int bad = 0;
    float2 r, p;
    float s0, s1;
#define POINTER(f) \
    r = f(v, &p); \
    bad += !SAME(r.s0, f(v.s0, &s0)) + !SAME(r.s1, f(v.s1, &s1)); \
    bad += !SAME(p.s0, s0) + !SAME(p.s1, s1);
    POINTER(fract) POINTER(modf) POINTER(sincos)
    int2 n;
    int n0, n1;
#define INT_POINTER(f) \
    r = f(v, &n); \
    bad += !SAME(r.s0, f(v.s0, &n0)) + !SAME(r.s1, f(v.s1, &n1)); \
    bad += (n.s0 != n0) + (n.s1 != n1);
    INT_POINTER(frexp) INT_POINTER(lgamma_r)
    r = remquo(v, v.s10, &n);
    bad += !SAME(r.s0, remquo(v.s0, v.s1, &n0)) + !SAME(r.s1, remquo(v.s1, v.s0, &n1));
    bad += (n.s0 != n0) + (n.s1 != n1);
    n = ilogb(v);
    bad += (n.s0 != ilogb(v.s0)) + (n.s1 != ilogb(v.s1));
    int2 k = (int2)((int)i - 20, 3);
#define EXPONENT(f) \
    r = f(v, k); \
    bad += !SAME(r.s0, f(v.s0, k.s0)) + !SAME(r.s1, f(v.s1, k.s1));
    EXPONENT(ldexp) EXPONENT(pown) EXPONENT(rootn)
    r = ldexp(v, 3);
    bad += !SAME(r.s0, ldexp(v.s0, 3)) + !SAME(r.s1, ldexp(v.s1, 3));
    r = nan((uint2)(1, 2));
    bad += !isnan(r.s0) + !isnan(r.s1);
    out[i] = bad;
}
