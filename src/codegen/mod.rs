//! IR to LLVM to machine code, in memory.
//!
//! [`emit`] makes one ELF object of a module: each group function (`ir::Function::group`) becomes an external symbol
//! that follows [`crate::ir::abi::GroupFn`]; what it calls comes along as internal functions. [`load`] brings such an
//! object, fresh or from a cache, into this process. Several threads may do both at once.
//!
//! Invariants: the machine is described to LLVM by its CPUID features, never by a CPU's name, because a hypervisor may
//! mask some; an object made here uses no symbol but those of [`helpers`] and the address of the program's variables ([`Data`]); nothing is left in the process when a
//! [`Loaded`] is dropped. LLVM is built without assertions here, so malformed IR would be undefined behaviour: the
//! LLVM module is checked before anything else reads it.

mod alias;
mod arith;
mod at_exit;
mod atomic;
mod by_lane;
mod cast;
mod code_memory;
mod data;
mod debug;
mod deferred;
mod divide;
mod effort;
mod function;
mod gdb;
mod helpers;
mod hooks;
mod late_init;
mod lines;
mod link;
mod llvm;
mod lookup;
mod loops;
mod machine;
mod masked;
mod memory;
mod module;
mod narrow;
pub mod perf;
mod runs;
mod streaming;
mod target;
#[cfg(test)]
mod tests;
mod vector;

pub use data::{Data, Image as DataImage};
pub use gdb::lock as debuggers_lock;
pub use lines::{Line, line_at};
pub use link::{Loaded, load, load_with};
pub use module::MAX_STACK;
pub use target::{guarded, host_features};

use crate::ir;
use std::time::{Duration, Instant};

/// What the program may do with floating point that IEEE 754 does not allow (`-cl-fast-relaxed-math` and its parts;
/// OpenCL API 3.0, 5.8.4.2). All off: every operation rounds once, subnormals are kept. `-cl-denorms-are-zero` is
/// only a permission, and subnormals cost little on today's CPUs, so that it has no flag here; division is
/// always correctly rounded unless a flag below says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FastMath {
    /// No operand or result is a NaN; or an infinity.
    pub no_nans: bool,
    pub no_infs: bool,
    /// The sign of a zero does not matter.
    pub no_signed_zeros: bool,
    /// x / y may become x * (1 / y), with an estimate.
    pub reciprocal: bool,
    /// A product and a sum may be fused across statements (within an expression the front end says so by `MulAdd`).
    pub contract: bool,
    /// Functions may be approximated.
    pub approx: bool,
    /// Sums and products may be reordered.
    pub reassociate: bool,
}

impl FastMath {
    /// `-cl-fast-relaxed-math`.
    pub const RELAXED: Self = Self {
        no_nans: true,
        no_infs: true,
        no_signed_zeros: true,
        reciprocal: true,
        contract: true,
        approx: true,
        reassociate: true,
    };
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    pub fast_math: FastMath,
    /// The program's square roots of floats need be within 3 ulps only (OpenCL C 3.0, "Relative Error as ULPs").
    pub near_sqrt: bool,
    /// Off for `-cl-opt-disable`.
    pub optimize: bool,
    /// What lanes store in a row, to memory that the function does not read, goes around the caches.
    pub streaming: bool,
    /// The object tells of the source, as DWARF (`-g`): lines and functions, and without optimisation variables.
    pub debug: bool,
    /// The instruction-set features to use, in LLVM's form (`+avx2,+fma,-avx512f`); `None` is what the host has.
    pub features: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            fast_math: FastMath::default(),
            near_sqrt: false,
            optimize: true,
            streaming: false,
            debug: false,
            features: None,
        }
    }
}

/// What [`print`] shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The LLVM module as it is made from the IR.
    Llvm,
    /// The LLVM module after its passes.
    OptimizedLlvm,
    Assembly,
}

/// An ELF object, and how long its making took in parts.
pub struct Emitted {
    pub object: Vec<u8>,
    pub times: Times,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// IR to LLVM's IR.
    pub lower: Duration,
    /// LLVM's passes.
    pub passes: Duration,
    /// LLVM's machine code.
    pub code: Duration,
}

/// Machine code of all group functions of `module` and of what they call, as an ELF object.
///
/// Errors: those of [`check`]; a group function that asks for something only a work-item has or holds a barrier;
/// anything that LLVM refuses.
pub fn emit(module: &ir::Module, options: &Options) -> Result<Vec<u8>, String> {
    let groups = module::group_functions(module);
    emit_groups(module, &groups, options).map(|emitted| emitted.object)
}

/// Whether machine code of these group functions can be made, as far as their author can help it. Errors: a call of
/// a function without a body; more than [`MAX_STACK`] bytes of stack.
pub fn check(module: &ir::Module, groups: &[ir::FuncId]) -> Result<(), String> {
    module::check(module, groups).map(drop)
}

/// As [`emit`], of some of the group functions. Works on the calling thread if that is [`guarded`].
pub fn emit_groups(
    module: &ir::Module,
    groups: &[ir::FuncId],
    options: &Options,
) -> Result<Emitted, String> {
    let start = Instant::now();
    let llvm = module::lower(module, groups, options, false)?;
    let lower = start.elapsed();
    let wide = module::is_wide(module, groups);
    let done = target::run(llvm, options, target::Output::Object, wide)?;
    Ok(Emitted {
        object: done.bytes,
        times: Times {
            lower,
            passes: done.passes,
            code: done.code,
        },
    })
}

/// The text of a compilation stage, for people (`clothoc dump`). Errors as for [`emit`].
pub fn print(module: &ir::Module, options: &Options, form: Form) -> Result<String, String> {
    let groups = module::group_functions(module);
    let llvm = module::lower(module, &groups, options, true)?;
    let output = match form {
        Form::Llvm => target::Output::Llvm,
        Form::OptimizedLlvm => target::Output::OptimizedLlvm,
        Form::Assembly => target::Output::Assembly,
    };
    let done = target::run(llvm, options, output, module::is_wide(module, &groups))?;
    Ok(String::from_utf8_lossy(&done.bytes).into_owned())
}
