// Exponentials: exp, exp2, exp10, expm1 (OpenCL C 3.0, 6.15.2).
//
// Method: x = k ln2 + r with k from the round-to-integer constant 1.5 * 2^p, r exact to twice the precision by two
// fma steps (Cody and Waite); a minimax polynomial in r; the factor 2^k by the machine, which rounds once. exp of a
// double takes k in sixteenths, and 2^(j/16) from a table that vector lanes look up in registers. The
// polynomials are minimax in the relative error of the result (our own Remez exchange). NaN passes through the
// comparisons of the clamps.

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

float OVERLOAD __clo_clamp(float x, float low, float high)
{
    x = x > high ? high : x;
    return x < low ? low : x;
}

double OVERLOAD __clo_clamp(double x, double low, double high)
{
    x = x > high ? high : x;
    return x < low ? low : x;
}

// e^r - 1 for |r| <= ln2 / 2
float OVERLOAD __clo_expm1_core(float r)
{
    float p = fma(0x1.6a21bcp-10f, r, 0x1.123b6ap-7f);
    p = fma(p, r, 0x1.5558fap-5f);
    p = fma(p, r, 0x1.55549p-3f);
    p = fma(p, r, 0x1.fffffcp-2f);
    return fma(r * r, p, r);
}

double OVERLOAD __clo_expm1_core(double r)
{
    double z = r * r;
    double a = fma(0x1.1e3d629653271p-29, r, 0x1.af6d43bc07f3dp-26);
    double b = fma(0x1.27e5b5608bf5p-22, r, 0x1.71ddef5c83dfap-19);
    double c = fma(0x1.a01a01355b812p-16, r, 0x1.a01a01b3cb5e9p-13);
    double d = fma(0x1.6c16c16c30b48p-10, r, 0x1.111111110eb9ap-7);
    double e = fma(0x1.5555555555501p-5, r, 0x1.555555555555cp-3);
    double p = fma(fma(fma(a, z, b), z, c), z, d);
    p = fma(fma(p, z, e), r, 0.5);
    return fma(z, p, r);
}

// e^x * 2^k, so that k = -1 has room too
float OVERLOAD __clo_exp_scaled(float x, float k)
{
    float c = __clo_clamp(x, -104.0f, 90.0f);
    float n = fma(c, 0x1.715476p0f, 0x1.8p23f) - 0x1.8p23f;
    float r = fma(n, 0x1.05c61p-29f, fma(n, -0x1.62e43p-1f, c));
    float p = fma(0x1.6a21bcp-10f, r, 0x1.123b6ap-7f);
    p = fma(p, r, 0x1.5558fap-5f);
    p = fma(p, r, 0x1.55549p-3f);
    p = fma(p, r, 0x1.fffffcp-2f);
    p = fma(p, r, 1.0f);
    return __clo_scale(fma(p, r, 1.0f), n + k);
}

// 2^(j/16): lanes look it up in registers.
constant double __clo_power_of_two_d[] = {
    0x1p0, 0x1.0b5586cf9890fp0, 0x1.172b83c7d517bp0, 0x1.2387a6e756238p0, 0x1.306fe0a31b715p0, 0x1.3dea64c123422p0,
    0x1.4bfdad5362a27p0, 0x1.5ab07dd485429p0, 0x1.6a09e667f3bcdp0, 0x1.7a11473eb0187p0, 0x1.8ace5422aa0dbp0,
    0x1.9c49182a3f09p0, 0x1.ae89f995ad3adp0, 0x1.c199bdd85529cp0, 0x1.d5818dcfba487p0, 0x1.ea4afa2a490dap0};

// 2^(j/16) e^r for |r| <= ln2 / 32; j is the number in the last four bits of t.
double OVERLOAD __clo_exp_sixteenth(double r, double t)
{
    double power = __clo_power_of_two_d[as_long(t) & 15];
    double z = r * r;
    double p = fma(0x1.6c185ec061aedp-10, z, fma(0x1.11123b483aea6p-7, r, 0x1.555555545dafp-5));
    p = fma(p, z, fma(0x1.555555548ebbfp-3, r, 0x1.0000000000005p-1));
    return fma(power, fma(z, p, r), power);
}

// x = k ln2 + r with k in sixteenths, which are what the scaling drops
double OVERLOAD __clo_exp_scaled(double x, double k)
{
    double c = __clo_clamp(x, -746.0, 711.0);
    double t = fma(c, 0x1.71547652b82fep0, 0x1.8p48);
    double n = t - 0x1.8p48;
    double r = fma(n, -0x1.abc9e3b39803fp-56, fma(n, -0x1.62e42fefa39efp-1, c));
    return __clo_scale(__clo_exp_sixteenth(r, t), n + k);
}

float OVERLOAD exp(float x) { return __clo_exp_scaled(x, 0.0f); }
double OVERLOAD exp(double x) { return __clo_exp_scaled(x, 0.0); }

// 2^r for |r| <= 1/2
float OVERLOAD __clo_exp2_core(float r)
{
    float p = fma(0x1.41fa9p-13f, r, 0x1.5f400ep-10f);
    p = fma(p, r, 0x1.3b2d52p-7f);
    p = fma(p, r, 0x1.c6aee6p-5f);
    p = fma(p, r, 0x1.ebfbdcp-3f);
    p = fma(p, r, 0x1.62e43p-1f);
    return fma(p, r, 1.0f);
}

double OVERLOAD __clo_exp2_core(double r)
{
    double z = r * r;
    double a = fma(0x1.cb1d2adfc8977p-36, r, 0x1.e9e730b71c942p-32);
    double b = fma(0x1.e4ca7d475b8dep-28, r, 0x1.b524ef7e68053p-24);
    double c = fma(0x1.62c0236e55a2ep-20, r, 0x1.ffcbfc6be0677p-17);
    double d = fma(0x1.430912f828a14p-13, r, 0x1.5d87fe78a448cp-10);
    double e = fma(0x1.3b2ab6fba4f3ep-7, r, 0x1.c6b08d704a0c5p-5);
    double f = fma(0x1.ebfbdff82c58ep-3, r, 0x1.62e42fefa39efp-1);
    double p = fma(fma(fma(fma(fma(a, z, b), z, c), z, d), z, e), z, f);
    return fma(p, r, 1.0);
}

float OVERLOAD exp2(float x)
{
    float c = __clo_clamp(x, -151.0f, 128.0f);
    float n = c + 0x1.8p23f - 0x1.8p23f;
    return __clo_scale(__clo_exp2_core(c - n), n);
}

double OVERLOAD exp2(double x)
{
    double c = __clo_clamp(x, -1076.0, 1024.0);
    double n = c + 0x1.8p52 - 0x1.8p52;
    return __clo_scale(__clo_exp2_core(c - n), n);
}

float OVERLOAD exp10(float x)
{
    float c = __clo_clamp(x, -46.0f, 39.0f);
    float n = fma(c, 0x1.a934fp1f, 0x1.8p23f) - 0x1.8p23f;
    float r = fma(n, 0x1.ec10cp-27f, fma(n, -0x1.344136p-2f, c));
    float p = fma(0x1.a6898ap-3f, r, 0x1.158686p-1f);
    p = fma(p, r, 0x1.2bd9dep0f);
    p = fma(p, r, 0x1.046f64p1f);
    p = fma(p, r, 0x1.53524ap1f);
    p = fma(p, r, 0x1.26bb1cp1f);
    return __clo_scale(fma(p, r, 1.0f), n);
}

double OVERLOAD exp10(double x)
{
    double w = __clo_clamp(x, -325.0, 309.0);
    double n = fma(w, 0x1.a934f0979a371p1, 0x1.8p52) - 0x1.8p52;
    double r = fma(n, 0x1.9dc1da994fd21p-59, fma(n, -0x1.34413509f79ffp-2, w));
    double z = r * r;
    double a = fma(0x1.8b59a8f53f74ep-15, r, 0x1.fbf774d1d0c1ap-13);
    double b = fma(0x1.2ea224c746e6cp-10, r, 0x1.489789a668ab8p-8);
    double c = fma(0x1.4116b17847ap-6, r, 0x1.16e4dfcdd0a76p-4);
    double d = fma(0x1.a7ed708422c36p-3, r, 0x1.1429ffd1d31d2p-1);
    double e = fma(0x1.2bd7609fd9984p0, r, 0x1.0470591de2ca8p1);
    double f = fma(0x1.53524c73cea68p1, r, 0x1.26bb1bbb55516p1);
    double p = fma(fma(fma(fma(fma(a, z, b), z, c), z, d), z, e), z, f);
    return __clo_scale(fma(p, r, 1.0), n);
}

// 2^k (e^r - 1) + (2^k - 1), halved on the way so that k = 128 has room
float OVERLOAD expm1(float x)
{
    float c = __clo_clamp(x, -20.0f, 89.0f);
    float n = fma(c, 0x1.715476p0f, 0x1.8p23f) - 0x1.8p23f;
    float p = __clo_expm1_core(fma(n, 0x1.05c61p-29f, fma(n, -0x1.62e43p-1f, c)));
    float s = __clo_scale(0.5f, n);
    float y = 2.0f * fma(p, s, s - 0.5f);
    return x == 0.0f ? x : y;
}

double OVERLOAD expm1(double x)
{
    double c = __clo_clamp(x, -40.0, 710.0);
    double n = fma(c, 0x1.71547652b82fep0, 0x1.8p52) - 0x1.8p52;
    double p = __clo_expm1_core(fma(n, -0x1.abc9e3b39803fp-56, fma(n, -0x1.62e42fefa39efp-1, c)));
    double s = __clo_scale(0.5, n);
    double y = 2.0 * fma(p, s, s - 0.5);
    return x == 0.0 ? x : y;
}
