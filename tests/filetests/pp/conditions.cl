// options: -D A=1 -D B=0 -D EMPTY= -cl-std=CL3.0
#if A && !B
one
#else
bad
#endif
#ifdef NOPE
bad " unclosed ' /* no comment
bad /* a comment, "
#else bad
#endif */
#elif defined B && defined(A)
two
#elif 1/0
bad
# else
bad
#endif
#if 0
#if 1
#else
#endif
#else
three
#endif
#if -1 > 0u && (unsigned)
#endif
#if -1 > 0u
four
#endif
#if (2 || 1/0) && !(0 && 1/0) && (1 ? 1 : 1/0) && (0 ? 1/0 : 5) == 5
five
#endif
#if 0x7fffffffffffffff + 1 < 0
six
#endif
#if 'a' == 97 && '\n' == 10 && '\377' < 0
seven
#endif
#if 1 << 3 == 8 && -8 >> 1 == -4 && ~0 == -1 && 7 % 4 * 2 == 6 && (1, 2)
#endif
#if unknown == 0 && true && !false
eight
#endif
#define HAS_A defined(A)
#define COUNT(a, b) (a + b)
#if HAS_A && COUNT(1,
#endif
#if HAS_A && COUNT(1, 2) == 3
nine
#endif
#if __OPENCL_VERSION__ >= CL_VERSION_3_0 && __OPENCL_C_VERSION__ == 300 && defined __opencl_c_fp64
ten
#endif
#if
#elif 1
eleven
#endif
#if EMPTY
#endif
#if 1.0
#endif
#if 1 1
#endif
#if 1 +
#endif
#if (1
#endif
#if 1)
#endif
#if 3 / (A - 1)
#endif
#if "x"
#endif
#if defined
#endif
