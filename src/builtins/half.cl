// The library for half (cl_khr_fp16; OpenCL C 3.1, 6.15.2, 6.15.4, 6.15.5; bounds: 7.4, "ULP Values for Half-Precision").
//
// Method: every function computes in float, which holds any product of two halves exactly, and rounds once. What is left
// of half's 11 bits is far from float's 24, so that short float polynomials serve where their range does: the native_
// exponentials and logarithms have relative errors of 2^-16 and better, half_sin and half_cos reduce any half.
//
// Exact functions stay exact: a remainder, mantissa or scaled half is a float, and rounding it to half is the one
// rounding that the function may do.

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

#define ONE(NAME, WITH) \
    half OVERLOAD NAME(half x) { return (half)WITH((float)x); }
#define TWO(NAME, WITH) \
    half OVERLOAD NAME(half x, half y) { return (half)WITH((float)x, (float)y); }
#define POWER(NAME) \
    half OVERLOAD NAME(half x, int n) { return (half)NAME((float)x, n); }

ONE(acos, acos)
ONE(acosh, acosh)
ONE(acospi, acospi)
ONE(asin, asin)
ONE(asinh, asinh)
ONE(asinpi, asinpi)
ONE(atan, atan)
ONE(atanh, atanh)
ONE(atanpi, atanpi)
ONE(cbrt, cbrt)
ONE(cos, half_cos)
ONE(cosh, cosh)
ONE(cospi, cospi)
ONE(degrees, degrees)
ONE(erf, erf)
ONE(erfc, erfc)
ONE(exp, native_exp)
ONE(exp2, native_exp2)
ONE(exp10, native_exp10)
ONE(expm1, expm1)
ONE(lgamma, lgamma)
ONE(log, native_log)
ONE(log2, native_log2)
ONE(log10, native_log10)
ONE(log1p, log1p)
ONE(logb, logb)
ONE(radians, radians)
ONE(rsqrt, rsqrt)
ONE(sign, sign)
ONE(sin, half_sin)
ONE(sinh, sinh)
ONE(sinpi, sinpi)
ONE(tan, half_tan)
ONE(tanh, tanh)
ONE(tanpi, tanpi)
ONE(tgamma, tgamma)

TWO(atan2, atan2)
TWO(atan2pi, atan2pi)
TWO(fdim, fdim)
TWO(fmod, fmod)
TWO(maxmag, maxmag)
TWO(minmag, minmag)
TWO(pow, pow)
TWO(powr, powr)
TWO(remainder, remainder)
TWO(step, step)

POWER(ldexp)
POWER(pown)
POWER(rootn)

int OVERLOAD ilogb(half x) { return ilogb((float)x); }

// No square of a half overflows or vanishes.
half OVERLOAD hypot(half x, half y)
{
    float a = (float)x;
    float b = (float)y;
    float r = sqrt(fma(a, a, b * b));
    return (half)(isinf(x) || isinf(y) ? (float)INFINITY : r);
}

half OVERLOAD sincos(half x, half *cosine)
{
    *cosine = cos(x);
    return sin(x);
}

// What is below 1 in float may round to 1.
half OVERLOAD fract(half x, half *whole)
{
    float w;
    half r = (half)fract((float)x, &w);
    *whole = (half)w;
    return r >= 1.0h ? 0x1.ffcp-1h : r;
}

half OVERLOAD modf(half x, half *whole)
{
    float w;
    half r = (half)modf((float)x, &w);
    *whole = (half)w;
    return r;
}

half OVERLOAD frexp(half x, int *e) { return (half)frexp((float)x, e); }
half OVERLOAD lgamma_r(half x, int *sign) { return (half)lgamma_r((float)x, sign); }
half OVERLOAD remquo(half x, half y, int *quotient) { return (half)remquo((float)x, (float)y, quotient); }
half OVERLOAD nan(ushort code) { return as_half((ushort)(0x7e00 | (code & 0x01ff))); }

// One up or down in the order of the bits, which counts away from zero
half OVERLOAD nextafter(half x, half y)
{
    short i = as_short(x);
    short away = (x < y) == (x > 0.0h) ? 1 : -1;
    half r = as_half((short)(x == 0.0h ? (as_short(y) & (short)0x8000) | 1 : i + away));
    return isnan(x) ? x : isnan(y) ? y : x == y ? y : r;
}

half OVERLOAD clamp(half x, half low, half high) { return min(max(x, low), high); }
half OVERLOAD mix(half x, half y, half a) { return (half)fma((float)y - (float)x, (float)a, (float)x); }

half OVERLOAD smoothstep(half low, half high, half x)
{
    return (half)smoothstep((float)low, (float)high, (float)x);
}

#define DOT(N) \
    half OVERLOAD dot(half##N a, half##N b) { return (half)dot(convert_float##N(a), convert_float##N(b)); }

DOT()
DOT(2)
DOT(3)
DOT(4)

half3 OVERLOAD cross(half3 a, half3 b) { return convert_half3(cross(convert_float3(a), convert_float3(b))); }
half4 OVERLOAD cross(half4 a, half4 b) { return convert_half4(cross(convert_float4(a), convert_float4(b))); }

#define LENGTH(N) \
    half OVERLOAD length(half##N v) { return (half)length(convert_float##N(v)); } \
    half OVERLOAD distance(half##N a, half##N b) { return (half)distance(convert_float##N(a), convert_float##N(b)); } \
    half##N OVERLOAD normalize(half##N v) { return convert_half##N(normalize(convert_float##N(v))); }

LENGTH()
LENGTH(2)
LENGTH(3)
LENGTH(4)
