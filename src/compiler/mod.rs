//! source + options -> [`Program`]. What the runtime sees of the compiler: nothing below this room leaks upwards.

pub use crate::ir::abi;

use std::sync::Arc;

/// A header given to clCompileProgram: `name` as it stands between the quotes of `#include`.
#[derive(Clone, Debug)]
pub struct Header {
    pub name: String,
    pub source: String,
}

/// What came of a build. `log` is what CL_PROGRAM_BUILD_LOG answers (warnings too), in clang's form.
pub struct BuildOutput {
    pub log: String,
    pub result: Result<Arc<Program>, BuildError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// The option string has an unknown or malformed option: CL_INVALID_BUILD_OPTIONS.
    InvalidOptions,
    /// The source has errors: CL_BUILD_PROGRAM_FAILURE (or CL_COMPILE_PROGRAM_FAILURE).
    Failed,
}

/// The kernels of a built program, in source order.
pub struct Program {
    pub kernels: Vec<Arc<Kernel>>,
}

/// One kernel: what clGetKernelInfo and clGetKernelArgInfo tell, how to lay out its arguments, and its machine code.
pub struct Kernel {
    pub name: String,
    pub params: Vec<ParamInfo>,
    /// Size in bytes of the argument block (see [`abi::GroupFn`]).
    pub args_size: usize,
    /// CL_KERNEL_ATTRIBUTES: the attributes as written, separated by spaces.
    pub attributes: String,
    pub reqd_work_group_size: Option<[usize; 3]>,
    /// CL_KERNEL_COMPILE_WORK_GROUP_SIZE is `reqd_work_group_size`; this one is the hint.
    pub work_group_size_hint: Option<[usize; 3]>,
    /// Bytes of `__local` variables declared in the kernel (arguments not included).
    pub local_mem_size: usize,
    /// Bytes of private memory a work-item uses, as far as the compiler knows.
    pub private_mem_size: usize,
    /// Bytes of `abi::Group::scratch` for each work-item, and the part that does not depend on the group's size.
    pub scratch_per_item: usize,
    pub scratch_fixed: usize,
    pub entry: abi::GroupFn,
}

#[derive(Clone, Debug)]
pub struct ParamInfo {
    /// CL_KERNEL_ARG_NAME and CL_KERNEL_ARG_TYPE_NAME ("float*", "uint4", "struct foo"...).
    pub name: String,
    pub type_name: String,
    pub kind: ParamKind,
    pub is_const: bool,
    pub is_restrict: bool,
    pub is_volatile: bool,
    /// Where the parameter stands in the argument block, in bytes; a pointer takes 8.
    pub offset: usize,
    pub size: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// Passed by its bytes: a scalar, a vector or a struct; the address qualifier is private.
    Value,
    GlobalPointer,
    ConstantPointer,
    LocalPointer,
}

/// Compiles and links one source text. Never panics on bad input; runs on the calling thread (the caller gives it
/// a big stack).
pub fn build(source: &str, options: &str, headers: &[Header]) -> BuildOutput {
    let _ = (source, options, headers);
    BuildOutput {
        log: "error: the compiler is not linked in yet\n".into(),
        result: Err(BuildError::Failed),
    }
}
