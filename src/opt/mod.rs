//! Makes a kernel's IR better before it is cut in regions: whatever leaves fewer values and variables that must be
//! kept across barriers. What LLVM does well afterwards is left to it; each pass is near linear.
//!
//! [`run`] is the pipeline. In debug builds the verifier runs after every pass.

mod dce;
mod fold;
mod inline;
mod mem2reg;
mod replace;
mod simplify_cfg;
mod sroa;
#[cfg(test)]
mod tests;

use crate::ir::{FuncId, Function, Module};

/// A pass over one function, and its name.
type Pass = (&'static str, fn(&mut Function));

const PASSES: [Pass; 8] = [
    ("simplify_cfg", simplify_cfg::run),
    ("sroa", sroa::run),
    ("mem2reg", mem2reg::run),
    ("fold", fold::run),
    ("simplify_cfg", simplify_cfg::run),
    ("fold", fold::run),
    ("dce", dce::run),
    ("simplify_cfg", simplify_cfg::run),
];

/// Inlines in the kernel what must be, then improves it in place. The error is a message for the build log.
pub fn run(module: &mut Module, kernel: FuncId) -> Result<(), String> {
    run_required(module, kernel)?;
    for (name, pass) in PASSES {
        if let Some(func) = &mut module.functions[kernel.index()].body {
            pass(func);
        }
        check(module, kernel, name);
    }
    Ok(())
}

/// Only what the work-group pass can't do without: for builds that ask for no optimisation.
pub fn run_required(module: &mut Module, kernel: FuncId) -> Result<(), String> {
    inline::run(module, kernel)?;
    check(module, kernel, "inline");
    Ok(())
}

/// One pass by name on one function, for tests and dumps; false if there is none of this name.
pub fn run_pass(func: &mut Function, name: &str) -> bool {
    let found = PASSES.iter().find(|p| p.0 == name);
    if let Some((_, pass)) = found {
        pass(func);
    }
    found.is_some()
}

fn check(module: &Module, kernel: FuncId, name: &str) {
    if cfg!(debug_assertions)
        && let Err(errors) = crate::ir::verify::verify_function(module, kernel)
    {
        let list: Vec<String> = errors.iter().map(|e| format!("  {e}\n")).collect();
        panic!("invalid IR after {name}:\n{}\n{module}", list.concat());
    }
}
