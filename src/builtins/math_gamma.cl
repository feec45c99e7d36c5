// Gamma functions: tgamma, lgamma, lgamma_r (OpenCL C 3.0, 6.15.2). The float forms compute in double.
//
// Method: for 0 < x < 10, x is brought to y in [1, 2] by exact steps of 1, and Gamma(x) = product / (1 / Gamma(y)), where
// 1 / Gamma is a polynomial (it is entire). From 10 on Stirling's series: Gamma(x) = sqrt(2 pi) x^(x - 1/2) e^(-x) e^mu(x),
// the power in two halves, so that it has room. Below 0 by reflection: Gamma(-a) = -pi / (a sin(pi a) Gamma(a)).
// lgamma(y) = (y - 1) (y - 2) P(y) on [1, 2] keeps its zeros' relative precision. Minimax polynomials (our own Remez
// exchange).

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

double OVERLOAD __clo_power(double a, double y, double y_low);

// x mu(x) for z = 1 / x^2, x >= 10
double OVERLOAD __clo_stirling(double z)
{
    double p = fma(-0x1.c444ed6d6748fp-10, z, 0x1.b8161d2c2ba7ap-11);
    p = fma(p, z, -0x1.38119f3cbb13ep-11);
    p = fma(p, z, 0x1.a01a00386a87ap-11);
    p = fma(p, z, -0x1.6c16c16bf9ec1p-9);
    p = fma(p, z, 0x1.5555555555554p-4);
    return p;
}

// 1 / Gamma(t + 3/2) for |t| <= 1/2
double OVERLOAD __clo_inverse_gamma(double t)
{
    double w = t * t;
    double p = fma(0x1.208624a3354edp-26, t, -0x1.82a75d61ed53ap-24);
    p = fma(p, w, fma(0x1.f2f98b85b012ep-25, t, 0x1.2172d3fe0069dp-19));
    p = fma(p, w, fma(-0x1.d24cf7437000bp-17, t, 0x1.a963741dde3c4p-16));
    p = fma(p, w, fma(0x1.3f8460ac330e9p-13, t, -0x1.232bd852566cfp-10));
    p = fma(p, w, fma(0x1.15f7f0600d1e1p-9, t, 0x1.b16203e5457d8p-8));
    p = fma(p, w, fma(-0x1.5955cc39719fap-5, t, 0x1.a18540be3368ep-5));
    p = fma(p, w, fma(0x1.669be41a93887p-3, t, -0x1.0da5a671c048cp-1));
    p = fma(p, w, fma(-0x1.514d3d90584b3p-5, t, 0x1.20dd750429b6dp0));
    return p;
}

// lgamma(t + 3/2) / ((t + 1/2) (t - 1/2)) for |t| <= 1/2
double OVERLOAD __clo_lgamma_core(double t)
{
    double w = t * t;
    double p = 0x1.98543269c00e6p-17;
    p = fma(p, w, fma(-0x1.37176658e494fp-16, t, 0x1.b93ac87f1937ap-17));
    p = fma(p, w, fma(-0x1.68363559fd526p-16, t, 0x1.691a9fd1b2f7bp-15));
    p = fma(p, w, fma(-0x1.1cfc7b14930f9p-14, t, 0x1.b9de21fdbf666p-14));
    p = fma(p, w, fma(-0x1.618405378868cp-13, t, 0x1.1c7e7f0503976p-12));
    p = fma(p, w, fma(-0x1.cb50457de4946p-12, t, 0x1.750a753a739bdp-11));
    p = fma(p, w, fma(-0x1.313e527d75a7p-10, t, 0x1.f814bad4d6b2ep-10));
    p = fma(p, w, fma(-0x1.a503537a6fbd7p-9, t, 0x1.64f0664c00a6cp-8));
    p = fma(p, w, fma(-0x1.34dbda1285736p-7, t, 0x1.133423527f817p-6));
    p = fma(p, w, fma(-0x1.007aa83cefa34p-5, t, 0x1.01af62a2929bdp-4));
    p = fma(p, w, fma(-0x1.2aed059bd6085p-3, t, 0x1.eeb95b094c191p-2));
    return p;
}

// y in [1, 2] and a product with Gamma(x) = product * Gamma(y), for 1 <= x < 10; other x in (0, 1) stay as they are
double OVERLOAD __clo_gamma_steps(double x, double *product)
{
    double p = 1.0;
    for (int i = 0; i < 8; i++) {
        int step = x >= 2.0 && x < 10.0;
        x = step ? x - 1.0 : x;
        p = step ? p * x : p;
    }
    *product = p;
    return x;
}

// 0 < a; the result is high * low
double OVERLOAD __clo_gamma_positive(double a, double *low)
{
    double p;
    double y = __clo_gamma_steps(a, &p);
    int below_one = a < 1.0;
    double near = p / ((below_one ? a : 1.0) * __clo_inverse_gamma(below_one ? a - 0.5 : y - 1.5));
    double b = a < 10.0 ? 10.0 : a > 200.0 ? 200.0 : a;
    double r = 1.0 / b;
    double half_power = __clo_power(b, fma(0.5, b, -0.25), 0.0);
    // the argument -b stays exact
    double e = exp(-b);
    e = fma(e, expm1(__clo_stirling(r * r) * r), e);
    double far = half_power * (e * 0x1.40d931ff62706p1);
    *low = a < 10.0 ? 1.0 : half_power;
    return a < 10.0 ? near : far;
}

double OVERLOAD tgamma(double x)
{
    double a = fabs(x);
    double low;
    double g = __clo_gamma_positive(a, &low);
    double reflected = -0x1.921fb54442d18p1 / (a * sinpi(a)) / g / low;
    double y = x < 0.0 ? reflected : g * low;
    y = a < 0x1p-60 ? 1.0 / x : y;
    // far below zero the sign alternates still
    y = x < -190.0 ? copysign(0.0, sinpi(x)) : y;
    y = x > 175.0 ? (double)INFINITY : y;
    return isnan(x) ? x : x < 0.0 && trunc(x) == x ? (double)NAN : y;
}

float OVERLOAD tgamma(float x) { return (float)tgamma((double)x); }

double OVERLOAD lgamma_r(double x, int *sign)
{
    double a = fabs(x);
    double p;
    double y = __clo_gamma_steps(a, &p);
    int below_one = a < 1.0;
    // t and its distances from the zeros at 1 and 2, all exact; below 1 it is lgamma(a + 1) - log(a)
    double t = below_one ? a - 0.5 : y - 1.5;
    double d1 = below_one ? a : y - 1.0;
    double d2 = below_one ? a - 1.0 : y - 2.0;
    double l = log(below_one ? a : a < 10.0 ? p : a);
    double near = fma(d1 * d2, __clo_lgamma_core(t), below_one ? -l : l);
    double r = 1.0 / a;
    double far = fma(a - 0.5, l - 1.0, 0x1.acfe390c97d69p-2 + __clo_stirling(r * r) * r);
    far = a > 0x1p60 ? a * (l - 1.0) : far;
    double g = a < 10.0 ? near : far;
    double s = sinpi(a);
    double reflected = log(0x1.921fb54442d18p1 / (a * fabs(s))) - g;
    reflected = a < 0x1p-60 ? -l : reflected;
    int pole = trunc(x) == x && x <= 0.0;
    *sign = pole ? 0 : x < 0.0 && s > 0.0 ? -1 : 1;
    double result = x < 0.0 ? reflected : g;
    return isnan(x) ? x : pole || isinf(x) ? (double)INFINITY : result;
}

double OVERLOAD lgamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

float OVERLOAD lgamma(float x) { return (float)lgamma((double)x); }
float OVERLOAD lgamma_r(float x, int *sign) { return (float)lgamma_r((double)x, sign); }
