//! source + options -> [`Program`]. What the runtime sees of the compiler: nothing below this room leaks upwards.
//!
//! `frontend` makes IR of the text, `library` links in what it uses of the OpenCL C library, `pipeline` goes on to
//! machine code; `link` makes one program of several sources; `stages` shows the program after each stage to people and tests; `target` says what the language
//! offers on this device.

mod frontend;
mod library;
pub mod link;
mod pipeline;
pub mod stages;
pub mod target;
#[cfg(test)]
mod tests;

pub use crate::ir::abi;

use crate::codegen::Loaded;
use crate::front::options::FrontOptions;
use std::sync::Arc;

/// Bytes of stack that a thread needs to run [`build`].
pub const STACK_SIZE: usize = 64 << 20;

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
    /// Keeps the machine code of `entry` alive; `None` for a function that is part of this library.
    pub machine_code: Option<Arc<Loaded>>,
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

/// Compiles and links one source text. Never panics on bad input; runs on the calling thread, which needs a stack of
/// [`STACK_SIZE`] bytes, since the front end recurses over trees of bounded depth.
pub fn build(source: &str, options: &str, headers: &[Header]) -> BuildOutput {
    let options = match FrontOptions::parse(options) {
        Ok(options) => options,
        Err(error) => {
            return BuildOutput {
                log: format!("error: {}\n", error.0),
                result: Err(BuildError::InvalidOptions),
            };
        }
    };
    let (log, unit) = frontend::run(source, &options, headers);
    let Some(unit) = unit else {
        return BuildOutput {
            log,
            result: Err(BuildError::Failed),
        };
    };
    match pipeline::run(unit, &options, None) {
        Ok(program) => BuildOutput {
            log,
            result: Ok(Arc::new(program)),
        },
        Err(error) => BuildOutput {
            log: format!("{log}error: {error}\n"),
            result: Err(BuildError::Failed),
        },
    }
}
