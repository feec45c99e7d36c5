// Common functions (OpenCL C 3.0, 6.15.4) and clamp of the integers (6.15.3).

#define OVERLOAD __attribute__((overloadable))

#define CLAMP(T) \
    T OVERLOAD clamp(T x, T low, T high) { return min(max(x, low), high); }

CLAMP(char)
CLAMP(uchar)
CLAMP(short)
CLAMP(ushort)
CLAMP(int)
CLAMP(uint)
CLAMP(long)
CLAMP(ulong)
CLAMP(float)
CLAMP(double)

#define COMMON(T, PI_180, PI_INVERSE) \
    T OVERLOAD degrees(T x) { return x * PI_INVERSE; } \
    T OVERLOAD radians(T x) { return x * PI_180; } \
    T OVERLOAD mix(T x, T y, T a) { return x + (y - x) * a; } \
    T OVERLOAD step(T edge, T x) { return x < edge ? (T)0 : (T)1; } \
    T OVERLOAD smoothstep(T low, T high, T x) \
    { \
        T t = fmin(fmax((x - low) / (high - low), (T)0), (T)1); \
        return t * t * ((T)3 - (T)2 * t); \
    } \
    T OVERLOAD sign(T x) \
    { \
        T one = copysign((T)1, x); \
        return x == (T)0 ? x : isnan(x) ? (T)0 : one; \
    }

COMMON(float, 0x1.1df46ap-6f, 0x1.ca5dc2p+5f)
COMMON(double, 0x1.1df46a2529d39p-6, 0x1.ca5dc1a63c1f8p+5)
