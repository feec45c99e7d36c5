// RUN: kernel=k local=1 groups=1
// ARG: buffer int[10] out
// EXPECT: 0[i] = i == 0 ? 7 : i == 1 ? 12 : i == 2 ? 6 : i == 3 ? 104 : i == 4 ? 1 : i == 5 ? 3 : i == 6 ? 2 : i == 7 ? 9 : i == 8 ? 1 : 5
#define PASTE(a, b) a##b
#define TEXT(x) #x
#define TWICE(x) ((x) + (x))
#define SUM(first, ...) (first + ADD(__VA_ARGS__))
#define ADD(a, b) a + b
#define EMPTY
#if defined(TEXT) && !defined(NOTHING) && (3 * 2 > 5) && 'a' == 97
#define CHOSEN 1
#elif 1
#define CHOSEN 2
#else
#error not here
#endif
#undef NOTHING
#ifndef NOTHING
#  define NOTHING 3
#endif
constant char text[] = TEXT(hi there);
kernel void k(global int *out) {
    int seven = 7;
    out[0] = PASTE(sev, en);
    out[1] = TWICE(6);
    out[2] = SUM(1, 2, 3);
    out[3] = text[0];
    out[4] = CHOSEN EMPTY;
    out[5] = NOTHING;
#line 2
    out[6] = __LINE__;
    out[7] = sizeof(text);
    out[8] = __OPENCL_VERSION__ >= 120 && __ENDIAN_LITTLE__ == 1;
    out[9] = 2 +\
    3;
}
