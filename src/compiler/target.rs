//! What OpenCL C offers on this device: the compiler predefines these macros, and the runtime advertises the same
//! lists.

use crate::codegen;
use crate::front::options::Target;
pub use crate::ir::SUB_GROUP_SIZES;
use crate::workgroup;

/// Extensions of the language; each is a macro of its name.
pub const EXTENSIONS: &[&str] = &[
    "cl_ext_float_atomics",
    "cl_khr_3d_image_writes",
    "cl_khr_async_work_group_copy_fence",
    "cl_khr_byte_addressable_store",
    "cl_khr_depth_images",
    "cl_khr_extended_async_copies",
    "cl_khr_extended_bit_ops",
    "cl_khr_fp16",
    "cl_khr_fp64",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_integer_dot_product",
    "cl_khr_kernel_clock",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_srgb_image_writes",
    "cl_intel_required_subgroup_size",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_clustered_reduce",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_rotate",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_work_group_uniform_arithmetic",
];

/// Optional features of OpenCL C 3.0 (its section 6.2.1).
pub const FEATURES: &[&str] = &[
    "__opencl_c_3d_image_writes",
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_all_devices",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_device_enqueue",
    "__opencl_c_ext_fp32_global_atomic_add",
    "__opencl_c_ext_fp32_global_atomic_min_max",
    "__opencl_c_ext_fp32_local_atomic_add",
    "__opencl_c_ext_fp32_local_atomic_min_max",
    "__opencl_c_ext_fp64_global_atomic_add",
    "__opencl_c_ext_fp64_global_atomic_min_max",
    "__opencl_c_ext_fp64_local_atomic_add",
    "__opencl_c_ext_fp64_local_atomic_min_max",
    "__opencl_c_fp64",
    "__opencl_c_generic_address_space",
    "__opencl_c_images",
    "__opencl_c_int64",
    "__opencl_c_integer_dot_product_input_4x8bit",
    "__opencl_c_integer_dot_product_input_4x8bit_packed",
    "__opencl_c_kernel_clock_scope_device",
    "__opencl_c_kernel_clock_scope_sub_group",
    "__opencl_c_kernel_clock_scope_work_group",
    "__opencl_c_pipes",
    "__opencl_c_program_scope_global_variables",
    "__opencl_c_read_write_images",
    "__opencl_c_subgroups",
    "__opencl_c_work_group_collective_functions",
];

/// The CPU's features that machine code is made for, as LLVM names them: `+avx2,-avx512f...`.
pub fn cpu_features() -> &'static str {
    codegen::host_features()
}

/// Bits of a vector register.
pub fn register_bits() -> u16 {
    let has = |feature| cpu_features().contains(feature);
    match () {
        () if has("+avx512f") => 512,
        () if has("+avx2") => 256,
        () => 128,
    }
}

/// Work-items that run in one pass of a kernel whose widest numbers in frequent use have so many bits.
pub fn lanes(bits: u32) -> u32 {
    workgroup::filling(register_bits(), bits)
}

pub(super) fn target() -> Target<'static> {
    let has = |feature| cpu_features().contains(feature);
    Target {
        device_version: 300,
        extensions: EXTENSIONS,
        features: FEATURES,
        images: true,
        fast_fma: has("+fma"),
        fast_half_fma: has("+avx512fp16"),
    }
}
