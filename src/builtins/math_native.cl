// The native_ and half_ functions (OpenCL C 3.0, 6.15.2): native_ as cheap as it is decent, half_ within 8192 ulp and
// with the special cases of the functions that they stand for.
//
// Method: as in the full forms with shorter polynomials and reductions. The sines take x modulo pi, so that one
// polynomial on [-pi/2, pi/2] serves. Polynomials are minimax in the relative error (our own Remez exchange).

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

float OVERLOAD __clo_clamp(float x, float low, float high);
float OVERLOAD __clo_sin_core(float r);
float OVERLOAD __clo_cos_core(float r);

// sin(r) on [-pi/2, pi/2], negated if bit 0 of n is set
float OVERLOAD __clo_native_sine(float r, int n)
{
    float z = r * r;
    float p = fma(0x1.5db3acp-19f, z, -0x1.9f6f5p-13f);
    p = fma(p, z, 0x1.110edp-7f);
    p = fma(p, z, -0x1.55554cp-3f);
    float y = fma(r * z, p, r);
    return as_float(as_int(y) ^ (n << 31));
}

float OVERLOAD native_sin(float x)
{
    float t = fma(x, 0x1.45f306p-2f, 0x1.8p23f);
    float k = t - 0x1.8p23f;
    return __clo_native_sine(fma(k, 0x1.777a5cp-24f, fma(k, -0x1.921fb6p1f, x)), as_int(t));
}

// cos(x) = -sin(x - (n + 1/2) pi) for even n
float OVERLOAD native_cos(float x)
{
    float t = fma(x, 0x1.45f306p-2f, -0.5f) + 0x1.8p23f;
    float k = t - 0x1.8p23f + 0.5f;
    return __clo_native_sine(fma(k, 0x1.777a5cp-24f, fma(k, -0x1.921fb6p1f, x)), as_int(t) + 1);
}

// Both, modulo pi/2
float2 OVERLOAD __clo_native_sin_cos(float x)
{
    float t = fma(x, 0x1.45f306p-1f, 0x1.8p23f);
    float k = t - 0x1.8p23f;
    float r = fma(k, 0x1.777a5cp-25f, fma(k, -0x1.921fb6p0f, x));
    int n = as_int(t);
    float s = __clo_sin_core(r), c = __clo_cos_core(r);
    int sine = as_int(n & 1 ? c : s) ^ ((n & 2) << 30);
    int cosine = as_int(n & 1 ? s : c) ^ (((n + 1) & 2) << 30);
    return (float2)(as_float(sine), as_float(cosine));
}

float OVERLOAD native_tan(float x) { return native_sin(x) / native_cos(x); }

float OVERLOAD native_exp2(float x)
{
    float c = __clo_clamp(x, -151.0f, 128.0f);
    float n = c + 0x1.8p23f - 0x1.8p23f;
    float r = c - n;
    float p = fma(0x1.5bb9ecp-10f, r, 0x1.3ceab6p-7f);
    p = fma(p, r, 0x1.c6b754p-5f);
    p = fma(p, r, 0x1.ebf9bcp-3f);
    p = fma(p, r, 0x1.62e42ap-1f);
    return __clo_scale(fma(p, r, 1.0f), n);
}

float OVERLOAD native_exp(float x) { return native_exp2(x * 0x1.715476p0f); }
float OVERLOAD native_exp10(float x) { return native_exp2(x * 0x1.a934fp1f); }

// log2(1 + f) = f P(f), here times a constant
#define NATIVE_LOG(NAME, SCALE) \
    float OVERLOAD NAME(float x) \
    { \
        float f = __clo_mantissa(x) - 1.0f; \
        float p = fma((float)(-0x1.94e146p-4 * SCALE), f, (float)(0x1.a7fc02p-3 * SCALE)); \
        p = fma(p, f, (float)(-0x1.016838p-2 * SCALE)); \
        p = fma(p, f, (float)(0x1.28e39ep-2 * SCALE)); \
        p = fma(p, f, (float)(-0x1.70ebdep-2 * SCALE)); \
        p = fma(p, f, (float)(0x1.ec6354p-2 * SCALE)); \
        p = fma(p, f, (float)(-0x1.7154fep-1 * SCALE)); \
        p = fma(p, f, (float)(0x1.71547ap0 * SCALE)); \
        return fma(p, f, __clo_exponent(x) * (float)SCALE); \
    }

NATIVE_LOG(native_log2, 1.0)
NATIVE_LOG(native_log, 0x1.62e42fefa39efp-1)
NATIVE_LOG(native_log10, 0x1.34413509f79ffp-2)

float OVERLOAD native_powr(float x, float y) { return native_exp2(y * native_log2(x)); }
float OVERLOAD native_recip(float x) { return __clo_recip(x); }
float OVERLOAD native_divide(float x, float y) { return x * __clo_recip(y); }
float OVERLOAD native_sqrt(float x) { return sqrt(x); }
float OVERLOAD native_rsqrt(float x) { return __clo_rsqrt(x); }

// half_sin, half_cos and half_tan need not serve |x| > 2^16; but what they give stays a sine, a cosine or a tangent, of 0.
static float __clo_in_reach(float x) { return fabs(x) > 0x1p16f ? x - x : x; }

float OVERLOAD half_sin(float x)
{
    x = __clo_in_reach(x);
    float t = fma(x, 0x1.45f306p-2f, 0x1.8p23f);
    float k = t - 0x1.8p23f;
    float r = fma(k, 0x1.ee59dap-49f, fma(k, 0x1.777a5cp-24f, fma(k, -0x1.921fb6p1f, x)));
    float y = __clo_native_sine(r, as_int(t));
    return fabs(x) < 0x1p-13f ? x : y;
}

float OVERLOAD half_cos(float x)
{
    x = __clo_in_reach(x);
    float t = fma(x, 0x1.45f306p-2f, -0.5f) + 0x1.8p23f;
    float k = t - 0x1.8p23f + 0.5f;
    float r = fma(k, 0x1.ee59dap-49f, fma(k, 0x1.777a5cp-24f, fma(k, -0x1.921fb6p1f, x)));
    return __clo_native_sine(r, as_int(t) + 1);
}

float OVERLOAD half_tan(float x)
{
    float y = half_sin(x) / half_cos(x);
    return fabs(x) < 0x1p-13f ? x : y;
}

float OVERLOAD half_recip(float x) { return 1.0f / x; }
float OVERLOAD half_divide(float x, float y) { return x / y; }
float OVERLOAD half_sqrt(float x) { return sqrt(x); }
float OVERLOAD half_rsqrt(float x) { return 1.0f / sqrt(x); }
float OVERLOAD half_exp(float x) { return exp(x); }
float OVERLOAD half_exp2(float x) { return exp2(x); }
float OVERLOAD half_exp10(float x) { return exp10(x); }
float OVERLOAD half_log(float x) { return log(x); }
float OVERLOAD half_log2(float x) { return log2(x); }
float OVERLOAD half_log10(float x) { return log10(x); }
float OVERLOAD half_powr(float x, float y) { return powr(x, y); }
