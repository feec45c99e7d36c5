#define N 4
#define EXT cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp64: disable
#pragma OPENCL EXTENSION EXT : enable
#pragma OPENCL EXTENSION all : disable
#pragma OPENCL EXTENSION all : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : require
#pragma OPENCL EXTENSION cl_khr_fp64
#pragma OPENCL EXTENSION
#pragma OPENCL FP_CONTRACT ON
#pragma OPENCL FP_CONTRACT OFF
#pragma STDC FP_CONTRACT DEFAULT
#pragma OPENCL FP_CONTRACT maybe
#pragma unroll
#pragma unroll N
#pragma unroll (2 * N)
#pragma unroll 1
#pragma unroll x +
#pragma unroll 99999999999
#pragma nounroll
#pragma
#pragma who knows
#define P(x) _Pragma(#x) for
P(unroll 3) P(OPENCL FP_CONTRACT OFF)
_Pragma("unroll 8") while
_Pragma("bad \"quoted\"")
_Pragma(3)
#define call(a) a
call
#pragma unroll 5
(x)
call(a
#pragma unroll 6
b)
