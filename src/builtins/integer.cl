// Integer functions (OpenCL C 3.0, 6.15.3) that are not one instruction.

#define OVERLOAD __attribute__((overloadable))

// Signed differences wrap in the unsigned type, where the result fits.
#define FOR_ALL(T, U) \
    U OVERLOAD abs_diff(T x, T y) { return x > y ? (U)x - (U)y : (U)y - (U)x; } \
    T OVERLOAD hadd(T x, T y) { return (x & y) + ((x ^ y) >> 1); } \
    T OVERLOAD rhadd(T x, T y) { return (x | y) - ((x ^ y) >> 1); } \
    T OVERLOAD mad_hi(T a, T b, T c) { return (T)((U)mul_hi(a, b) + (U)c); } \
    T OVERLOAD rotate(T x, T count) \
    { \
        U bits = sizeof(T) * 8; \
        U left = (U)count & (bits - 1); \
        return (T)(U)(((U)x << left) | ((U)x >> ((bits - left) & (bits - 1)))); \
    }

FOR_ALL(char, uchar)
FOR_ALL(uchar, uchar)
FOR_ALL(short, ushort)
FOR_ALL(ushort, ushort)
FOR_ALL(int, uint)
FOR_ALL(uint, uint)
FOR_ALL(long, ulong)
FOR_ALL(ulong, ulong)

// Types that have a wider one: the exact result, clamped.
#define MAD_SAT(T, WIDE, MIN, MAX) \
    T OVERLOAD mad_sat(T a, T b, T c) \
    { \
        return (T)clamp((WIDE)a * (WIDE)b + (WIDE)c, (WIDE)MIN, (WIDE)MAX); \
    }

MAD_SAT(char, int, CHAR_MIN, CHAR_MAX)
MAD_SAT(uchar, uint, 0, UCHAR_MAX)
MAD_SAT(short, int, SHRT_MIN, SHRT_MAX)
MAD_SAT(ushort, ulong, 0, USHRT_MAX)
MAD_SAT(int, long, INT_MIN, INT_MAX)
MAD_SAT(uint, ulong, 0, UINT_MAX)

ulong OVERLOAD mad_sat(ulong a, ulong b, ulong c)
{
    ulong low = a * b;
    ulong sum = low + c;
    return mul_hi(a, b) != 0 || sum < low ? ULONG_MAX : sum;
}

// The 128-bit sum of a * b and c, in two words; it fits if the high one is the sign of the low one.
long OVERLOAD mad_sat(long a, long b, long c)
{
    ulong low = (ulong)a * (ulong)b;
    ulong sum = low + (ulong)c;
    long carry = sum < low ? 1 : 0;
    long high = mul_hi(a, b) + (c >> 63) + carry;
    return high == ((long)sum >> 63) ? (long)sum : high < 0 ? LONG_MIN : LONG_MAX;
}

// 24-bit operands: any result is allowed for wider ones, and these are the ones that a plain multiplication gives.
int OVERLOAD mul24(int x, int y) { return x * y; }
uint OVERLOAD mul24(uint x, uint y) { return x * y; }
int OVERLOAD mad24(int x, int y, int z) { return x * y + z; }
uint OVERLOAD mad24(uint x, uint y, uint z) { return x * y + z; }
