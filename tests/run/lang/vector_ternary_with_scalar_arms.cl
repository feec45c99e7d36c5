// A scalar arm beside a vector, or two of them, are widened as they are, however small their type is.
// RUN: kernel=k local=8 options="-DT=char -DC=char"
// RUN: kernel=k local=8 options="-DT=uchar -DC=char"
// RUN: kernel=k local=8 options="-DT=short -DC=ushort"
// RUN: kernel=k local=8 options="-DT=ushort -DC=short"
// RUN: kernel=k local=8 options="-DT=int -DC=int"
// RUN: kernel=k local=8 options="-DT=long -DC=ulong"
// RUN: kernel=k local=8 options="-DT=half -DC=short"
// RUN: kernel=k local=8 options="-DT=float -DC=int"
// ARG: buffer int[G] out
// EXPECT: 0[i] = i%2 ? 1+20+300+4000 : 1001
#define V2(T) V2_(T)
#define V2_(T) T##2

kernel void k(global int *out) {
  int g = (int)get_global_id(0);
  T one = 1, two = 2;
  V2(T) a = (V2(T))(3, 4), b = (V2(T))(1, 2);
  V2(C) c = (V2(C))(g % 2 ? -1 : 0);
  V2(T) first = c ? one : a;      // 1, or 3
  V2(T) second = c ? b : two;     // 1 2, or 2
  V2(T) third = c ? two : one;    // 2, or 1
  V2(T) fourth = g % 2 ? b : one; // 1 2, or 1
  out[g] = g % 2 ? (int)first.y + 10 * (int)second.y + 100 * ((int)third.x + 1) + 2000 * (int)fourth.y
                 : (int)first.y - 3 + 500 * (int)second.x + (int)third.y - (int)fourth.y;
}
