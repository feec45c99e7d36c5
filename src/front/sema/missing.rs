//! Names that mean nothing here: what they need that this device or this build lacks, or which name is near.

use super::Sema;
use crate::builtins;

/// What a builtin's name tells of the optional part of OpenCL that it belongs to, for parts that may be missing. Names
/// of parts that are there resolve before anybody asks.
const FEATURES: &[(&str, &str)] = &[
    (
        "intel_sub_group_",
        "cl_intel_subgroups, which this device does not have",
    ),
    (
        "sub_group_",
        "an extension for sub-groups (cl_khr_subgroups and those that add to it) that this device does not have",
    ),
    (
        "get_sub_group_",
        "cl_khr_subgroups, or -cl-std=CL3.0 on a device with __opencl_c_subgroups",
    ),
    (
        "get_pipe_",
        "pipes (-cl-std=CL2.0, or CL3.0 with __opencl_c_pipes)",
    ),
    (
        "read_pipe",
        "pipes (-cl-std=CL2.0, or CL3.0 with __opencl_c_pipes)",
    ),
    (
        "write_pipe",
        "pipes (-cl-std=CL2.0, or CL3.0 with __opencl_c_pipes)",
    ),
    (
        "reserve_read_pipe",
        "pipes (-cl-std=CL2.0, or CL3.0 with __opencl_c_pipes)",
    ),
    (
        "reserve_write_pipe",
        "pipes (-cl-std=CL2.0, or CL3.0 with __opencl_c_pipes)",
    ),
    (
        "enqueue_kernel",
        "enqueueing on the device (-cl-std=CL2.0, or CL3.0 with __opencl_c_device_enqueue)",
    ),
    (
        "enqueue_marker",
        "enqueueing on the device (-cl-std=CL2.0, or CL3.0 with __opencl_c_device_enqueue)",
    ),
    (
        "get_default_queue",
        "enqueueing on the device (-cl-std=CL2.0, or CL3.0 with __opencl_c_device_enqueue)",
    ),
    (
        "ndrange_",
        "enqueueing on the device (-cl-std=CL2.0, or CL3.0 with __opencl_c_device_enqueue)",
    ),
    (
        "dot_4x8packed_",
        "cl_khr_integer_dot_product, which this device does not have",
    ),
    (
        "dot_acc_sat",
        "cl_khr_integer_dot_product, which this device does not have",
    ),
    (
        "vloada_half",
        "nothing but a width from 2 to 16 behind the name, as in 'vloada_half4', or 'vload_half' for one",
    ),
    (
        "to_global",
        "the generic address space (-cl-std=CL2.0, or CL3.0 with __opencl_c_generic_address_space)",
    ),
    (
        "to_local",
        "the generic address space (-cl-std=CL2.0, or CL3.0 with __opencl_c_generic_address_space)",
    ),
    (
        "to_private",
        "the generic address space (-cl-std=CL2.0, or CL3.0 with __opencl_c_generic_address_space)",
    ),
    (
        "work_group_reduce_",
        "-cl-std=CL2.0, or CL3.0 with __opencl_c_work_group_collective_functions",
    ),
    (
        "work_group_scan_",
        "-cl-std=CL2.0, or CL3.0 with __opencl_c_work_group_collective_functions",
    ),
    (
        "work_group_all",
        "-cl-std=CL2.0, or CL3.0 with __opencl_c_work_group_collective_functions",
    ),
    (
        "work_group_any",
        "-cl-std=CL2.0, or CL3.0 with __opencl_c_work_group_collective_functions",
    ),
    (
        "work_group_broadcast",
        "-cl-std=CL2.0, or CL3.0 with __opencl_c_work_group_collective_functions",
    ),
];

/// Functions of C's library that people look for, and what to use instead.
const FROM_C: &[(&str, &str)] = &[
    (
        "malloc",
        "memory that the host allocates: OpenCL C has no heap",
    ),
    (
        "free",
        "memory that the host allocates: OpenCL C has no heap",
    ),
    ("assert", "a definition of your own: OpenCL C has no assert"),
    (
        "memcpy",
        "a loop or an assignment of a struct: OpenCL C has no string.h",
    ),
    (
        "memset",
        "a loop or an initialiser: OpenCL C has no string.h",
    ),
    ("abort", "a return: OpenCL C has no stdlib.h"),
    ("exit", "a return: OpenCL C has no stdlib.h"),
    ("rand", "a generator of your own: OpenCL C has no stdlib.h"),
    (
        "fabsf",
        "'fabs', which takes every type: OpenCL C has no names with f",
    ),
    (
        "sqrtf",
        "'sqrt', which takes every type: OpenCL C has no names with f",
    ),
    (
        "expf",
        "'exp', which takes every type: OpenCL C has no names with f",
    ),
    (
        "logf",
        "'log', which takes every type: OpenCL C has no names with f",
    ),
    (
        "powf",
        "'pow', which takes every type: OpenCL C has no names with f",
    ),
    (
        "sinf",
        "'sin', which takes every type: OpenCL C has no names with f",
    ),
    (
        "cosf",
        "'cos', which takes every type: OpenCL C has no names with f",
    ),
    (
        "fminf",
        "'fmin', which takes every type: OpenCL C has no names with f",
    ),
    (
        "fmaxf",
        "'fmax', which takes every type: OpenCL C has no names with f",
    ),
    (
        "floorf",
        "'floor', which takes every type: OpenCL C has no names with f",
    ),
    (
        "__syncthreads",
        "'barrier(CLK_LOCAL_MEM_FENCE)': this is OpenCL C, not CUDA",
    ),
    ("threadIdx", "'get_local_id': this is OpenCL C, not CUDA"),
    ("blockIdx", "'get_group_id': this is OpenCL C, not CUDA"),
    ("blockDim", "'get_local_size': this is OpenCL C, not CUDA"),
    ("gridDim", "'get_num_groups': this is OpenCL C, not CUDA"),
    ("atomicAdd", "'atomic_add': this is OpenCL C, not CUDA"),
];

/// What to do about a name that the specification or another language knows; `None` for all others.
pub(super) fn advice(name: &str) -> Option<String> {
    if let Some((_, instead)) = FROM_C.iter().find(|(known, _)| *known == name) {
        return Some(format!("use {instead}"));
    }
    // Where a part is there, a name that looks like one of its is a misspelt one.
    let is_there = |start: &str| builtins::all().iter().any(|b| b.name.starts_with(start));
    let by_start = FEATURES
        .iter()
        .find(|(start, _)| name.starts_with(start) && !is_there(start));
    by_start.map(|(_, need)| format!("it needs {need}"))
}

impl Sema<'_> {
    /// "; did you mean 'x'?", or nothing.
    pub(super) fn hint(&self, name: &str) -> String {
        let library = builtins::all().iter().map(|b| b.name.as_str());
        match self.scopes.suggest(name, self.names, library) {
            Some(near) => format!("; did you mean '{near}'?"),
            None => String::new(),
        }
    }
}
