// The value of one work-item of the group, in one, two and three dimensions.
// RUN: kernel=one local=* std=CL3.0 options="-DT=int"
// RUN: kernel=one local=33 std=CL3.0 options="-DT=uint"
// RUN: kernel=one local=33 std=CL3.0 options="-DT=long"
// RUN: kernel=one local=33 std=CL3.0 options="-DT=ulong"
// RUN: kernel=one local=* std=CL3.0 options="-DT=float"
// RUN: kernel=one local=33 std=CL3.0 options="-DT=half"
// RUN: kernel=one local=33 std=CL3.0 options="-DT=double"
// ARG: buffer int[G] out
// EXPECT: 0[i] = 3*(i/L*L + L*2/3)
// RUN: kernel=two local=5,3 std=CL3.0
// RUN: kernel=two local=16,4 std=CL3.0
// RUN: kernel=two local=1,7 std=CL3.0
// ARG: buffer int[G] out
// EXPECT: 0[i] = i/(LX*NGX)/LY*1000 + (i%(LX*NGX))/LX*100 + (LY-1)*LX
// RUN: kernel=three local=3,2,2 std=CL3.0
// RUN: kernel=three local=8,4,2 std=CL3.0
// ARG: buffer int[G] out
// EXPECT: 0[i] = i/(LX*NGX*LY*NGY)/LZ*1000 + ((LZ-1)*LY + LY-1)*LX + LX/2

#ifndef T
#define T int
#endif

kernel void one(global int *out) {
  T own = (T)(3 * get_global_id(0));
  out[get_global_id(0)] = (int)work_group_broadcast(own, get_local_size(0) * 2 / 3);
}

kernel void two(global int *out) {
  int own = (int)(get_group_id(1) * 1000 + get_group_id(0) * 100 + get_local_linear_id());
  int got = work_group_broadcast(own, 0, get_local_size(1) - 1);
  out[get_global_linear_id()] = got;
}

kernel void three(global int *out) {
  int own = (int)(get_group_id(2) * 1000 + get_local_linear_id());
  int got = work_group_broadcast(own, get_local_size(0) / 2, get_local_size(1) - 1, get_local_size(2) - 1);
  out[get_global_linear_id()] = got;
}
