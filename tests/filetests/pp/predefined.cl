// options: -cl-fast-relaxed-math
__OPENCL_VERSION__ __OPENCL_C_VERSION__ CL_VERSION_1_0 CL_VERSION_1_1 CL_VERSION_1_2 CL_VERSION_2_0 CL_VERSION_3_0
__ENDIAN_LITTLE__ __IMAGE_SUPPORT__ __FAST_RELAXED_MATH__ __opencl_c_fp64 cl_khr_fp64 cl_khr_fp16
FP_FAST_FMA FP_FAST_FMAF NULL CLK_LOCAL_MEM_FENCE CLK_GLOBAL_MEM_FENCE CLK_IMAGE_MEM_FENCE
__kernel_exec(64, float4) void k(void);
CHAR_BIT CHAR_MAX CHAR_MIN INT_MAX INT_MIN LONG_MAX LONG_MIN SHRT_MIN UCHAR_MAX ULONG_MAX
generic pipe kernel __kernel global __global half bool _Bool __attribute__ typeof vec_step true float4 __builtin_x
__inline inline __restrict restrict __signed__ read_only __read_only _Static_assert
