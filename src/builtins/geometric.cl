// Geometric functions (OpenCL C 3.0, 6.15.5). Lengths are scaled by a power of two, so that no square overflows or
// vanishes.

#define OVERLOAD __attribute__((overloadable))

#define DOT(T) \
    T OVERLOAD dot(T a, T b) { return a * b; } \
    T OVERLOAD dot(T##2 a, T##2 b) { return mad(a.x, b.x, a.y * b.y); } \
    T OVERLOAD dot(T##3 a, T##3 b) { return mad(a.x, b.x, mad(a.y, b.y, a.z * b.z)); } \
    T OVERLOAD dot(T##4 a, T##4 b) { return mad(a.x, b.x, mad(a.y, b.y, mad(a.z, b.z, a.w * b.w))); }

DOT(float)
DOT(double)

#define CROSS(T) \
    T##3 OVERLOAD cross(T##3 a, T##3 b) \
    { \
        return (T##3)(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); \
    } \
    T##4 OVERLOAD cross(T##4 a, T##4 b) \
    { \
        return (T##4)(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, (T)0); \
    }

CROSS(float)
CROSS(double)

float OVERLOAD __largest(float a) { return fabs(a); }
float OVERLOAD __largest(float2 a) { return fmax(fabs(a.x), fabs(a.y)); }
float OVERLOAD __largest(float3 a) { return fmax(__largest(a.xy), fabs(a.z)); }
float OVERLOAD __largest(float4 a) { return fmax(__largest(a.xy), __largest(a.zw)); }
double OVERLOAD __largest(double a) { return fabs(a); }
double OVERLOAD __largest(double2 a) { return fmax(fabs(a.x), fabs(a.y)); }
double OVERLOAD __largest(double3 a) { return fmax(__largest(a.xy), fabs(a.z)); }
double OVERLOAD __largest(double4 a) { return fmax(__largest(a.xy), __largest(a.zw)); }

// What brings the largest component to where squares are safe, and never below 1: a component that is subnormal by then
// is no larger in the normalized vector, so that no bits are lost.
float OVERLOAD __scale(float largest)
{
    float down = largest > 0x1p+95f ? 0x1p-95f : 0x1p-62f;
    return largest > 0x1p+62f ? down : largest < 0x1p-60f ? 0x1p+90f : 1.0f;
}

double OVERLOAD __scale(double largest)
{
    double down = largest > 0x1p+767 ? 0x1p-767 : 0x1p-510;
    return largest > 0x1p+510 ? down : largest < 0x1p-500 ? 0x1p+700 : 1.0;
}

// An infinite component makes the length infinite, whatever the others are.
#define LENGTH(T, V) \
    T OVERLOAD length(V v) \
    { \
        T largest = __largest(v); \
        T scale = __scale(largest); \
        V scaled = v * scale; \
        T result = sqrt(dot(scaled, scaled)) / scale; \
        return isinf(largest) ? largest : result; \
    } \
    T OVERLOAD distance(V a, V b) { return length(a - b); }

LENGTH(float, float2)
LENGTH(float, float3)
LENGTH(float, float4)
LENGTH(double, double2)
LENGTH(double, double3)
LENGTH(double, double4)

float OVERLOAD length(float v) { return fabs(v); }
double OVERLOAD length(double v) { return fabs(v); }
float OVERLOAD distance(float a, float b) { return fabs(a - b); }
double OVERLOAD distance(double a, double b) { return fabs(a - b); }

float OVERLOAD normalize(float v) { return v == 0.0f || isnan(v) ? v : copysign(1.0f, v); }
double OVERLOAD normalize(double v) { return v == 0.0 || isnan(v) ? v : copysign(1.0, v); }

// Infinite components count as 1, the others then as 0; a zero vector stays as it is.
#define NORMALIZE(T, V) \
    V OVERLOAD normalize(V v) \
    { \
        T largest = __largest(v); \
        if (isinf(largest)) \
            v = select(copysign((V)(0), v), copysign((V)(1), v), isinf(v)); \
        V scaled = v * __scale(__largest(v)); \
        T square = dot(scaled, scaled); \
        return square == (T)0 ? v : scaled / sqrt(square); \
    }

NORMALIZE(float, float2)
NORMALIZE(float, float3)
NORMALIZE(float, float4)
NORMALIZE(double, double2)
NORMALIZE(double, double3)
NORMALIZE(double, double4)

#define FAST(V) \
    float OVERLOAD fast_length(V v) { return sqrt(dot(v, v)); } \
    float OVERLOAD fast_distance(V a, V b) { return fast_length(a - b); } \
    V OVERLOAD fast_normalize(V v) \
    { \
        float square = dot(v, v); \
        return square == 0.0f ? v : v * (1.0f / sqrt(square)); \
    }

FAST(float)
FAST(float2)
FAST(float3)
FAST(float4)
