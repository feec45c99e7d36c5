// A typedef's alignment holds for what pointers to it lead to, for members, and for alignof; vectors are read where floats may
// stand.
// RUN: kernel=read local=16
// RUN: kernel=read local=16 options="-cl-opt-disable"
// ARG: buffer float[5*G+3] = i
// ARG: buffer float[G] out
// EXPECT: 1[i] = 4*(4*i+1) + 6 + 5*(4*i+3)
// RUN: kernel=write local=16
// ARG: buffer float[4*G+1] = -1
// EXPECT: 0[i] = i == 0 ? -1 : i - 1
// RUN: kernel=sizes local=1 groups=1
// ARG: buffer uint[14] out
// EXPECT: 0[i] = i == 12 ? 128 : i == 13 ? 0 : i == 0 ? 4 : i == 1 ? 16 : i == 2 ? 32 : i == 3 ? 4 : i == 4 ? 20 : i == 5 ? 4 : i == 6 ? 64 : i == 7 ? 12 : i == 8 ? 16 : i == 9 ? 8 : i == 10 ? 1 : 32

typedef float4 loose4 __attribute__((aligned(4)));
typedef __attribute__((aligned(32))) float wide;
typedef struct { int a, b, c; } padded __attribute__((aligned(16)));
typedef float4 bytewise __attribute__((aligned(1)));
struct holder { float first; loose4 rest; };

// Declarations of a function agree whatever typedefs its pointers have.
float first(global const loose4 *p);
float first(global const float4 *p) { return ((global const float *)p)[0]; }

kernel void read(global const float *in, global float *out) {
  size_t n = get_global_id(0);
  // Never at a multiple of 16 bytes.
  float4 v = *(global const loose4 *)(in + 4 * n + 1);
  global const struct holder *h = (global const struct holder *)(in + 4 * n + 3);
  global const bytewise *b = (global const bytewise *)(in + 4 * n + 3);
  float sum = v.x + v.y + v.z + v.w;
  out[n] = sum + first((global const loose4 *)h) + (*b)[n * 0] + h->first + h->first + ((global const char *)b == (global const char *)h ? (*b).x : 0);
}

kernel void write(global float *out) {
  int n = (int)get_global_id(0);
  global loose4 *to = (global loose4 *)(out + 1);
  to[n] = (float4)(4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3);
}

kernel void sizes(global uint *out) {
  __attribute__((aligned(64))) int sixty_four;
  _Alignas(128) local int far;
  float4 natural;
  global loose4 *loose = (global loose4 *)out;
  double d;
  uchar c;
  out[0] = __alignof__(loose4);
  out[1] = __alignof__(natural);
  out[2] = _Alignof(wide);
  out[3] = __alignof(struct holder);
  out[4] = sizeof(struct holder);
  out[5] = __alignof__(*loose);
  out[6] = __alignof__(sixty_four);
  out[7] = sizeof(padded);
  out[8] = __alignof__(padded);
  out[9] = __alignof__ d;
  out[10] = __alignof__(c);
  out[11] = __alignof__(wide[3]);
  out[12] = __alignof__(far);
  out[13] = (uint)((ulong)&sixty_four % 64);
}
