// Division truncates towards zero; the remainder takes the dividend's sign.
// RUN: kernel=ints local=16 groups=4
// RUN: kernel=ints local=37 groups=4
// ARG: buffer int[G] = (i-32)*1234567
// ARG: buffer int[G] = i%2 ? i-40 : 41-i
// ARG: buffer int[2*G] out
// EXPECT: 2[i] = i%2 ? a0[i/2] % a1[i/2] : a0[i/2] / a1[i/2] where a1[i/2] != 0
// RUN: kernel=uints local=16 groups=4
// RUN: kernel=uints local=37 groups=4
// ARG: buffer uint[G] = (i-32)*1234567
// ARG: buffer uint[G] = i%2 ? i+1 : -1-i
// ARG: buffer uint[2*G] out
// EXPECT: 2[i] = i%2 ? a0[i/2] % a1[i/2] : a0[i/2] / a1[i/2]
// RUN: kernel=longs local=16 groups=4
// RUN: kernel=longs local=37 groups=4
// ARG: buffer long[G] = (i-32)*123456789012345
// ARG: buffer long[G] = i%2 ? i*1000003+1 : -1-i
// ARG: buffer long[2*G] out
// EXPECT: 2[i] = i%2 ? a0[i/2] % a1[i/2] : a0[i/2] / a1[i/2]
// RUN: kernel=chars local=16 groups=4
// RUN: kernel=chars local=37 groups=4
// ARG: buffer char[G] = i*4-128
// ARG: buffer char[G] = i%2 ? i+1 : -1-i
// ARG: buffer char[2*G] out
// EXPECT: 2[i] = i%2 ? a0[i/2] % a1[i/2] : a0[i/2] / a1[i/2]
#define KERNEL(name, T) \
    kernel void name(global const T *a, global const T *b, global T *out) { \
        size_t g = get_global_id(0); \
        out[2 * g] = a[g] / b[g]; \
        out[2 * g + 1] = a[g] % b[g]; \
    }
KERNEL(ints, int)
KERNEL(uints, uint)
KERNEL(longs, long)
KERNEL(chars, char)
