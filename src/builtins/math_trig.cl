// Circular functions: sin, cos, tan, sincos (OpenCL C 3.0, 6.15.2).
//
// Method, float: sin(x) = +-sin(x - n pi), cos(x) = +-sin(x - (n + 1/2) pi), with one polynomial on [-pi/2, pi/2]. The
// others: x = n pi/2 + r, |r| <= pi/4, and polynomials for sin(r) and cos(r). Up to a bound r comes from three fma steps
// with pi in three parts (Cody and Waite; each step is exact or rounds relative to its result); above, in a branch
// that lanes seldom take, from the bits of 1/pi that matter (Payne and Hanek). The polynomials are minimax (our own Remez
// exchange).

#pragma OPENCL FP_CONTRACT OFF
#define OVERLOAD __attribute__((overloadable))

// 2^(e - 23) / pi modulo 2 for e from 16 to 127, in two parts each
constant double __clo_far_f[] = {
    0x1.45f306dc9c883p-9, -0x1.6b01ec5417056p-63, 0x1.45f306dc9c883p-8, -0x1.6b01ec5417056p-62,
    0x1.45f306dc9c883p-7, -0x1.6b01ec5417056p-61, 0x1.45f306dc9c883p-6, -0x1.6b01ec5417056p-60,
    0x1.45f306dc9c883p-5, -0x1.6b01ec5417056p-59, 0x1.45f306dc9c883p-4, -0x1.6b01ec5417056p-58,
    0x1.45f306dc9c883p-3, -0x1.6b01ec5417056p-57, 0x1.45f306dc9c883p-2, -0x1.6b01ec5417056p-56,
    0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55, 0x1.45f306dc9c883p+0, -0x1.6b01ec5417056p-54,
    0x1.17cc1b727220bp-1, -0x1.ac07b1505c159p-55, 0x1.17cc1b727220bp+0, -0x1.ac07b1505c159p-54,
    0x1.7cc1b727220a9p-3, 0x1.3f84eafa3ea6ap-57, 0x1.7cc1b727220a9p-2, 0x1.3f84eafa3ea6ap-56,
    0x1.7cc1b727220a9p-1, 0x1.3f84eafa3ea6ap-55, 0x1.7cc1b727220a9p+0, 0x1.3f84eafa3ea6ap-54,
    0x1.f306dc9c882a5p-1, 0x1.fc2757d1f534ep-56, 0x1.f306dc9c882a5p+0, 0x1.fc2757d1f534ep-55,
    0x1.e60db9391054ap+0, 0x1.fc2757d1f534ep-54, 0x1.cc1b727220a95p+0, -0x1.ec54170565912p-60,
    0x1.9836e4e44152ap+0, -0x1.ec54170565912p-59, 0x1.306dc9c882a54p+0, -0x1.ec54170565912p-58,
    0x1.836e4e44152a0p-2, -0x1.ec54170565912p-57, 0x1.836e4e44152a0p-1, -0x1.ec54170565912p-56,
    0x1.836e4e44152a0p+0, -0x1.ec54170565912p-55, 0x1.06dc9c882a540p+0, -0x1.ec54170565912p-54,
    0x1.b727220a94fe1p-5, 0x1.d5f47d4d37703p-60, 0x1.b727220a94fe1p-4, 0x1.d5f47d4d37703p-59,
    0x1.b727220a94fe1p-3, 0x1.d5f47d4d37703p-58, 0x1.b727220a94fe1p-2, 0x1.d5f47d4d37703p-57,
    0x1.b727220a94fe1p-1, 0x1.d5f47d4d37703p-56, 0x1.b727220a94fe1p+0, 0x1.d5f47d4d37703p-55,
    0x1.6e4e441529fc2p+0, 0x1.d5f47d4d37703p-54, 0x1.b9391054a7f0ap-1, -0x1.505c1596447e5p-56,
    0x1.b9391054a7f0ap+0, -0x1.505c1596447e5p-55, 0x1.727220a94fe14p+0, -0x1.505c1596447e5p-54,
    0x1.c9c882a53f84fp-1, -0x1.4170565911f92p-55, 0x1.c9c882a53f84fp+0, -0x1.4170565911f92p-54,
    0x1.9391054a7f09dp+0, 0x1.7d1f534ddc0dbp-54, 0x1.27220a94fe13bp+0, -0x1.05c1596447e49p-54,
    0x1.391054a7f09d6p-2, -0x1.70565911f924fp-59, 0x1.391054a7f09d6p-1, -0x1.70565911f924fp-58,
    0x1.391054a7f09d6p+0, -0x1.70565911f924fp-57, 0x1.c882a53f84eb0p-2, -0x1.70565911f924fp-56,
    0x1.c882a53f84eb0p-1, -0x1.70565911f924fp-55, 0x1.c882a53f84eb0p+0, -0x1.70565911f924fp-54,
    0x1.91054a7f09d5fp+0, 0x1.1f534ddc0db63p-54, 0x1.220a94fe13abfp+0, -0x1.c1596447e493bp-54,
    0x1.1054a7f09d5f4p-2, 0x1.f534ddc0db629p-56, 0x1.1054a7f09d5f4p-1, 0x1.f534ddc0db629p-55,
    0x1.1054a7f09d5f4p+0, 0x1.f534ddc0db629p-54, 0x1.054a7f09d5f48p-3, -0x1.596447e493ad5p-58,
    0x1.054a7f09d5f48p-2, -0x1.596447e493ad5p-57, 0x1.054a7f09d5f48p-1, -0x1.596447e493ad5p-56,
    0x1.054a7f09d5f48p+0, -0x1.596447e493ad5p-55, 0x1.529fc2757d1f5p-5, 0x1.a6ee06db14acdp-60,
    0x1.529fc2757d1f5p-4, 0x1.a6ee06db14acdp-59, 0x1.529fc2757d1f5p-3, 0x1.a6ee06db14acdp-58,
    0x1.529fc2757d1f5p-2, 0x1.a6ee06db14acdp-57, 0x1.529fc2757d1f5p-1, 0x1.a6ee06db14acdp-56,
    0x1.529fc2757d1f5p+0, 0x1.a6ee06db14acdp-55, 0x1.4a7f09d5f47d5p-1, -0x1.6447e493ad4cep-56,
    0x1.4a7f09d5f47d5p+0, -0x1.6447e493ad4cep-55, 0x1.29fc2757d1f53p-1, 0x1.377036d8a5665p-55,
    0x1.29fc2757d1f53p+0, 0x1.377036d8a5665p-54, 0x1.4fe13abe8fa9ap-2, 0x1.bb81b6c52b328p-56,
    0x1.4fe13abe8fa9ap-1, 0x1.bb81b6c52b328p-55, 0x1.4fe13abe8fa9ap+0, 0x1.bb81b6c52b328p-54,
    0x1.3f84eafa3ea6ap-1, -0x1.11f924eb53362p-55, 0x1.3f84eafa3ea6ap+0, -0x1.11f924eb53362p-54,
    0x1.fc2757d1f534ep-2, -0x1.1f924eb53361ep-57, 0x1.fc2757d1f534ep-1, -0x1.1f924eb53361ep-56,
    0x1.fc2757d1f534ep+0, -0x1.1f924eb53361ep-55, 0x1.f84eafa3ea69cp+0, -0x1.1f924eb53361ep-54,
    0x1.f09d5f47d4d37p+0, 0x1.c0db6295993c4p-54, 0x1.e13abe8fa9a6fp+0, -0x1.f924eb53361dep-56,
    0x1.c2757d1f534dep+0, -0x1.f924eb53361dep-55, 0x1.84eafa3ea69bcp+0, -0x1.f924eb53361dep-54,
    0x1.09d5f47d4d377p+0, 0x1.b6c52b3278872p-59, 0x1.3abe8fa9a6ee0p-4, 0x1.b6c52b3278872p-58,
    0x1.3abe8fa9a6ee0p-3, 0x1.b6c52b3278872p-57, 0x1.3abe8fa9a6ee0p-2, 0x1.b6c52b3278872p-56,
    0x1.3abe8fa9a6ee0p-1, 0x1.b6c52b3278872p-55, 0x1.3abe8fa9a6ee0p+0, 0x1.b6c52b3278872p-54,
    0x1.d5f47d4d37703p-2, 0x1.b6295993c4390p-56, 0x1.d5f47d4d37703p-1, 0x1.b6295993c4390p-55,
    0x1.d5f47d4d37703p+0, 0x1.b6295993c4390p-54, 0x1.abe8fa9a6ee07p+0, -0x1.275a99b0ef1bfp-55,
    0x1.57d1f534ddc0ep+0, -0x1.275a99b0ef1bfp-54, 0x1.5f47d4d377037p-1, -0x1.3ad4cd8778df8p-56,
    0x1.5f47d4d377037p+0, -0x1.3ad4cd8778df8p-55, 0x1.7d1f534ddc0dbp-1, 0x1.8a5664f10e410p-55,
    0x1.7d1f534ddc0dbp+0, 0x1.8a5664f10e410p-54, 0x1.f47d4d377036ep-1, -0x1.d6a66c3bc6fbep-55,
    0x1.f47d4d377036ep+0, -0x1.d6a66c3bc6fbep-54, 0x1.e8fa9a6ee06dbp+0, 0x1.4acc9e21c8210p-56,
    0x1.d1f534ddc0db6p+0, 0x1.4acc9e21c8210p-55, 0x1.a3ea69bb81b6cp+0, 0x1.4acc9e21c8210p-54,
    0x1.47d4d377036d9p+0, -0x1.6a66c3bc6fbe0p-54, 0x1.1f534ddc0db63p-1, -0x1.a99b0ef1bef80p-55,
    0x1.1f534ddc0db63p+0, -0x1.a99b0ef1bef80p-54, 0x1.f534ddc0db629p-3, 0x1.664f10e4107f9p-57,
    0x1.f534ddc0db629p-2, 0x1.664f10e4107f9p-56, 0x1.f534ddc0db629p-1, 0x1.664f10e4107f9p-55,
    0x1.f534ddc0db629p+0, 0x1.664f10e4107f9p-54, 0x1.ea69bb81b6c53p+0, -0x1.3361de37df00dp-54,
    0x1.d4d377036d8a5p+0, 0x1.993c439041fe5p-54, 0x1.a9a6ee06db14bp+0, -0x1.9b0ef1bef806cp-55,
    0x1.534ddc0db6296p+0, -0x1.9b0ef1bef806cp-54, 0x1.4d377036d8a56p-1, 0x1.93c439041fe51p-55,
    0x1.4d377036d8a56p+0, 0x1.93c439041fe51p-54, 0x1.34ddc0db6295ap-1, -0x1.b0ef1bef806bap-55};

// Bits of 2/pi behind one word of zeros: bit j of the stream weighs 2^(63-j)
constant ulong __clo_two_over_pi_d[] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41,
    0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
    0xf0cfbc209af4361d, 0xa9e391615ee61b08};

// a / pi modulo 2, and how far that is off in *low, for a >= 2^16; NaN for infinity
double OVERLOAD __clo_turns_far(float a, double *low)
{
    int i = as_int(a);
    int at = 2 * (min(i >> 23, 254) - 143);
    double m = (double)((i & 0x007fffff) | 0x00800000);
    double high = __clo_far_f[at];
    double p = m * high;
    *low = fma(m, high, -p) + m * __clo_far_f[at + 1];
    return p + (double)(a - a);
}

// What is left of a behind multiples of pi, shifted by `shift` pi; n is the multiple's number
float OVERLOAD __clo_half_turn_far(float a, double shift, int *n)
{
    double low;
    double turns = __clo_turns_far(a, &low) - shift;
    double k = rint(turns);
    *n = (int)k;
    return (float)(((turns - k) + low) * 0x1.921fb54442d18p1);
}

// r, and n modulo 4 in *n, for |x| >= 2^16
float OVERLOAD __clo_reduce_large(float x, int *n)
{
    double low;
    double turns = 2.0 * __clo_turns_far(fabs(x), &low);
    double k = rint(turns);
    float r = (float)(((turns - k) + 2.0 * low) * 0x1.921fb54442d18p0);
    *n = x < 0.0f ? -(int)k : (int)k;
    return x < 0.0f ? -r : r;
}

// r, and n modulo 4 in *n, for |x| >= 2^28: x = m 2^e, and m times 192 bits of 2/pi from bit 62 + e on
double OVERLOAD __clo_reduce_large(double x, int *n)
{
    long i = as_long(x) & 0x7fffffffffffffff;
    ulong m = (i & 0x000fffffffffffff) | 0x0010000000000000;
    int start = (i >= 0x7ff0000000000000 ? 2046 : (int)(i >> 52)) - 1013;
    int word = start >> 6;
    int shift = start & 63;
    ulong a = __clo_two_over_pi_d[word];
    ulong b = __clo_two_over_pi_d[word + 1];
    ulong c = __clo_two_over_pi_d[word + 2];
    ulong d = __clo_two_over_pi_d[word + 3];
    // two shifts, since one by 64 would be none
    ulong q0 = (a << shift) | (b >> 1 >> (63 - shift));
    ulong q1 = (b << shift) | (c >> 1 >> (63 - shift));
    ulong q2 = (c << shift) | (d >> 1 >> (63 - shift));
    ulong low = m * q1;
    ulong low_sum = low + mul_hi(m, q2);
    ulong turns = m * q0 + mul_hi(m, q1) + (low_sum < low ? 1 : 0);
    ulong k = (turns + 0x2000000000000000) >> 62;
    long part = (long)(turns - (k << 62));
    long sign = part >> 63;
    ulong high = (ulong)(part ^ sign);
    low_sum ^= (ulong)sign;
    int zeros = min((int)clz(high), 63);
    high = (high << zeros) | (low_sum >> 1 >> (63 - zeros));
    // 53 and 11 bits, so that only the sum is rounded
    double upper = (double)(high >> 11) * 0x1p11;
    double lower = (double)(high & 0x7ff);
    double r = fma(upper, 0x1.921fb54442d18p0, fma(upper, 0x1.1a62633145c07p-54, lower * 0x1.921fb54442d18p0));
    r *= as_double((long)(1023 - 62 - zeros) << 52);
    int negative = (x < 0.0) ^ (sign != 0);
    *n = x < 0.0 ? -(int)k : (int)k;
    return i >= 0x7ff0000000000000 ? (double)NAN : negative ? -r : r;
}

// r, and n modulo 4 in the low bits of *n
float OVERLOAD __clo_reduce(float x, int *n)
{
    float t = fma(x, 0x1.45f306p-1f, 0x1.8p23f);
    float k = t - 0x1.8p23f;
    float r = fma(k, 0x1.ee59dap-50f, fma(k, 0x1.777a5cp-25f, fma(k, -0x1.921fb6p0f, x)));
    *n = as_int(t);
    if (!(fabs(x) < 0x1p16f)) {
        r = __clo_reduce_large(x, n);
    }
    return r;
}

// Up to 2^28 only
double OVERLOAD __clo_reduce(double x, int *n)
{
    double t = fma(x, 0x1.45f306dc9c883p-1, 0x1.8p52);
    double k = t - 0x1.8p52;
    *n = (int)as_long(t);
    return fma(k, 0x1.f1976b7ed9p-110, fma(k, -0x1.1a62633145c07p-54, fma(k, -0x1.921fb54442d18p0, x)));
}

// sin(r), cos(r) for |r| <= pi/4
float OVERLOAD __clo_sin_core(float r)
{
    float z = r * r;
    float p = fma(fma(-0x1.9947cap-13f, z, 0x1.11074cp-7f), z, -0x1.555546p-3f);
    return fma(r * z, p, r);
}

float OVERLOAD __clo_cos_core(float r)
{
    float z = r * r;
    float p = fma(fma(0x1.99e54ep-16f, z, -0x1.6c0c1ep-10f), z, 0x1.55554ap-5f);
    return fma(z * z, p, fma(z, -0.5f, 1.0f));
}

double OVERLOAD __clo_sin_core(double r)
{
    double z = r * r;
    double p = fma(0x1.5d8f8b1951167p-33, z, -0x1.ae5e5aab516a2p-26);
    p = fma(p, z, 0x1.71de356977fdep-19);
    p = fma(p, z, -0x1.a01a019c01d33p-13);
    p = fma(p, z, 0x1.111111110f802p-7);
    p = fma(p, z, -0x1.5555555555549p-3);
    return fma(r * z, p, r);
}

double OVERLOAD __clo_cos_core(double r)
{
    double z = r * r;
    double p = fma(-0x1.8fa087cf6e11p-37, z, 0x1.1ee9d002732e9p-29);
    p = fma(p, z, -0x1.27e4f7dfb2ccbp-22);
    p = fma(p, z, 0x1.a01a019c755a2p-16);
    p = fma(p, z, -0x1.6c16c16c14efcp-10);
    p = fma(p, z, 0x1.555555555554ap-5);
    return fma(z * z, p, fma(z, -0.5, 1.0));
}

// sin and cos of n pi/2 + r
float OVERLOAD __clo_sin_of(float r, int n)
{
    float y = n & 1 ? __clo_cos_core(r) : __clo_sin_core(r);
    return as_float(as_int(y) ^ ((n & 2) << 30));
}

double OVERLOAD __clo_sin_of(double r, int n)
{
    double y = n & 1 ? __clo_cos_core(r) : __clo_sin_core(r);
    return as_double(as_long(y) ^ ((long)(n & 2) << 62));
}

// s / c, or -c / s for odd n
float OVERLOAD __clo_tan_of(float r, int n)
{
    float s = __clo_sin_core(r);
    float c = __clo_cos_core(r);
    return (n & 1 ? -c : s) / (n & 1 ? s : c);
}

double OVERLOAD __clo_tan_of(double r, int n)
{
    double s = __clo_sin_core(r);
    double c = __clo_cos_core(r);
    return (n & 1 ? -c : s) / (n & 1 ? s : c);
}

// sin(r) for |r| <= pi/2
float OVERLOAD __clo_sine(float r)
{
    float z = r * r;
    float p = fma(fma(fma(0x1.5dc84ap-19f, z, -0x1.9f70eap-13f), z, 0x1.110edap-7f), z, -0x1.55554cp-3f);
    return fma(r * z, p, r);
}

// a - k pi
float OVERLOAD __clo_less_pi(float a, float k)
{
    return fma(k, -0x1.84698ap-47f, fma(k, -0x1.4442dp-23f, fma(k, -0x1.921fb4p1f, a)));
}

float OVERLOAD sin(float x)
{
    float a = fabs(x);
    float t = fma(a, 0x1.45f306p-2f, 0x1.8p23f);
    float r = __clo_less_pi(a, t - 0x1.8p23f);
    int n = as_int(t);
    if (!(a < 0x1p16f)) {
        r = __clo_half_turn_far(a, 0.0, &n);
    }
    return as_float(as_int(__clo_sine(r)) ^ (n << 31) ^ (as_int(x) & (int)0x80000000));
}

float OVERLOAD cos(float x)
{
    float a = fabs(x);
    float t = fma(a, 0x1.45f306p-2f, -0.5f) + 0x1.8p23f;
    float r = __clo_less_pi(a, t - 0x1.8p23f + 0.5f);
    int n = as_int(t);
    if (!(a < 0x1p16f)) {
        r = __clo_half_turn_far(a, 0.5, &n);
    }
    return as_float(as_int(__clo_sine(r)) ^ ((n + 1) << 31));
}

// Below the bound the sine and tangent are x: it keeps its zero's sign and its subnormal.
float OVERLOAD tan(float x)
{
    int n;
    float r = __clo_reduce(x, &n);
    float y = __clo_tan_of(r, n);
    return fabs(x) < 0x1p-13f ? x : y;
}

// Both, for where both are wanted of one number (the compiler sees to that)
float2 OVERLOAD __clo_sin_cos(float x)
{
    int n;
    float r = __clo_reduce(fabs(x), &n);
    float s = __clo_sin_core(r), c = __clo_cos_core(r);
    int sine = as_int(n & 1 ? c : s) ^ ((n & 2) << 30) ^ (as_int(x) & (int)0x80000000);
    int cosine = as_int(n & 1 ? s : c) ^ (((n + 1) & 2) << 30);
    return (float2)(as_float(sine), as_float(cosine));
}

float OVERLOAD sincos(float x, float *c)
{
    float2 y = __clo_sin_cos(x);
    *c = y.y;
    return y.x;
}

// sin(a + quarters pi/2) for a >= 2^28, out of the way of what lanes do else
double __attribute__((noinline)) OVERLOAD __clo_sine_far(double a, int quarters)
{
    int n;
    double r = __clo_reduce_large(a, &n);
    return __clo_sin_of(r, n + quarters);
}

// sin(r) for |r| <= pi/2
double OVERLOAD __clo_sine(double r)
{
    double z = r * r;
    double p = fma(0x1.87f60f7b0793bp-49, z, -0x1.ae41836a6d8acp-41);
    p = fma(p, z, 0x1.6123c672f67bdp-33);
    p = fma(p, z, -0x1.ae6454bfa09p-26);
    p = fma(p, z, 0x1.71de3a5281208p-19);
    p = fma(p, z, -0x1.a01a01a014b2ap-13);
    p = fma(p, z, 0x1.11111111110c8p-7);
    p = fma(p, z, -0x1.5555555555555p-3);
    return fma(r * z, p, r);
}

// a - k pi
double OVERLOAD __clo_less_pi(double a, double k)
{
    return fma(k, -0x1.c1cd129024e09p-106, fma(k, -0x1.1a62633145c06p-53, fma(k, -0x1.921fb54442d18p1, a)));
}

double OVERLOAD sin(double x)
{
    double a = fabs(x);
    double t = fma(a, 0x1.45f306dc9c883p-2, 0x1.8p52);
    double y = __clo_sine(__clo_less_pi(a, t - 0x1.8p52));
    y = as_double(as_long(y) ^ (as_long(t) << 63));
    if (!(a < 0x1p28)) {
        y = __clo_sine_far(a, 0);
    }
    return as_double(as_long(y) ^ (as_long(x) & (long)0x8000000000000000));
}

double OVERLOAD cos(double x)
{
    double a = fabs(x);
    double t = fma(a, 0x1.45f306dc9c883p-2, -0.5) + 0x1.8p52;
    double y = __clo_sine(__clo_less_pi(a, t - 0x1.8p52 + 0.5));
    y = as_double(as_long(y) ^ ((as_long(t) + 1) << 63));
    if (!(a < 0x1p28)) {
        y = __clo_sine_far(a, 1);
    }
    return y;
}

// Below the bound the sine and tangent are x: it keeps its zero's sign and its subnormal.
double OVERLOAD tan(double x)
{
    int n;
    double r = __clo_reduce(x, &n);
    double y = __clo_tan_of(r, n);
    if (!(fabs(x) < 0x1p28)) {
        y = __clo_sine_far(x, 0) / __clo_sine_far(x, 1);
    }
    return fabs(x) < 0x1p-28 ? x : y;
}

double OVERLOAD sincos(double x, double *c)
{
    int n;
    double r = __clo_reduce(x, &n);
    double s = __clo_sin_of(r, n);
    double other = __clo_sin_of(r, n + 1);
    if (!(fabs(x) < 0x1p28)) {
        s = __clo_sine_far(x, 0);
        other = __clo_sine_far(x, 1);
    }
    *c = other;
    return fabs(x) < 0x1p-28 ? x : s;
}
