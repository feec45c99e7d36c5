// Which vectors there are.
typedef float five __attribute__((ext_vector_type(5)));
typedef bool truths __attribute__((ext_vector_type(4)));
typedef float4 nested __attribute__((ext_vector_type(4)));
typedef float odd __attribute__((vector_size(10)));
typedef float none __attribute__((ext_vector_type));
typedef float four __attribute__((vector_size(16)));
struct incomplete;
kernel void k(global ulong *p) {
  four v = (four)(1, 2, 3, 4);
  p[0] = __alignof__(v) + __alignof__(k);
  p[1] = __alignof__(struct incomplete);
}
