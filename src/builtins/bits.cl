// Bit-fields (cl_khr_extended_bit_ops; OpenCL C 3.1, 6.15.3.1) and dot products of bytes (cl_khr_integer_dot_product;
// 6.15.3).
//
// Counts and offsets beyond the width are undefined in the specification; here their low bits count, as in shifts.

#define OVERLOAD __attribute__((overloadable))

// The upper `count` bits of a word of the type; none for 0.
#define FIELDS(T, I, U) \
    T OVERLOAD bitfield_insert(T base, T insert, uint offset, uint count) \
    { \
        U ones = (U)((U)~(U)0 >> (sizeof(T) * 8 - count & sizeof(T) * 8 - 1)); \
        U mask = count == 0 ? (U)0 : (U)(ones << (offset & sizeof(T) * 8 - 1)); \
        return (T)(((U)base & (U)~mask) | ((U)((U)insert << (offset & sizeof(T) * 8 - 1)) & mask)); \
    } \
    I OVERLOAD bitfield_extract_signed(T base, uint offset, uint count) \
    { \
        U top = (U)((U)base << (sizeof(T) * 8 - offset - count & sizeof(T) * 8 - 1)); \
        I field = (I)((I)top >> (sizeof(T) * 8 - count & sizeof(T) * 8 - 1)); \
        return count == 0 ? (I)0 : field; \
    } \
    U OVERLOAD bitfield_extract_unsigned(T base, uint offset, uint count) \
    { \
        U ones = (U)((U)~(U)0 >> (sizeof(T) * 8 - count & sizeof(T) * 8 - 1)); \
        U field = (U)((U)base >> (offset & sizeof(T) * 8 - 1)) & ones; \
        return count == 0 ? (U)0 : field; \
    }

FIELDS(char, char, uchar)
FIELDS(uchar, char, uchar)
FIELDS(short, short, ushort)
FIELDS(ushort, short, ushort)
FIELDS(int, int, uint)
FIELDS(uint, int, uint)
FIELDS(long, long, ulong)
FIELDS(ulong, long, ulong)

#define DOT(R, A, B) \
    R OVERLOAD dot(A a, B b) \
    { \
        return (R)a.x * (R)b.x + (R)a.y * (R)b.y + (R)a.z * (R)b.z + (R)a.w * (R)b.w; \
    } \
    R OVERLOAD dot_acc_sat(A a, B b, R sum) { return add_sat(dot(a, b), sum); }

DOT(uint, uchar4, uchar4)
DOT(int, char4, char4)
DOT(int, uchar4, char4)
DOT(int, char4, uchar4)

#define PACKED(PRODUCT, SUM, R, A, B) \
    R OVERLOAD PRODUCT(uint a, uint b) { return dot(as_##A(a), as_##B(b)); } \
    R OVERLOAD SUM(uint a, uint b, R sum) { return dot_acc_sat(as_##A(a), as_##B(b), sum); }

PACKED(dot_4x8packed_uu_uint, dot_acc_sat_4x8packed_uu_uint, uint, uchar4, uchar4)
PACKED(dot_4x8packed_ss_int, dot_acc_sat_4x8packed_ss_int, int, char4, char4)
PACKED(dot_4x8packed_us_int, dot_acc_sat_4x8packed_us_int, int, uchar4, char4)
PACKED(dot_4x8packed_su_int, dot_acc_sat_4x8packed_su_int, int, char4, uchar4)
