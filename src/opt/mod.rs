//! Makes kernels' IR better before it is cut in regions: inlines calls, and does whatever leaves fewer values and variables that must be
//! kept across barriers. What LLVM does well afterwards is left to it; each pass is near linear.
//!
//! [`run`] is the pipeline. In debug builds the verifier runs after every pass.

mod address_spaces;
mod cse;
mod dce;
mod fold;
mod if_convert;
mod inline;
mod mem2reg;
mod pair;
mod replace;
mod scalarize;
mod simplify_cfg;
mod sink_stores;
mod specialize;
mod sroa;
#[cfg(test)]
mod tests;
mod unroll;

use crate::ir::{FuncId, Function, Module};
use inline::{Extent, Inlining};
pub use specialize::Known;

/// A pass over one function, and its name.
type Pass = (&'static str, fn(&mut Function));

const PASSES: [Pass; 12] = [
    ("simplify_cfg", simplify_cfg::run),
    ("sroa", sroa::run),
    ("mem2reg", mem2reg::run),
    ("fold", fold::run),
    ("simplify_cfg", simplify_cfg::run),
    ("sink_stores", sink_stores::run),
    ("if_convert", if_convert::run),
    ("simplify_cfg", simplify_cfg::run),
    ("fold", fold::run),
    ("cse", cse::run),
    ("dce", dce::run),
    ("simplify_cfg", simplify_cfg::run),
];

/// What gives the passes more to do, if it changes something: then it says so.
type Enabling = (&'static str, fn(&mut Function) -> bool);

const ENABLING: [Enabling; 2] = [
    ("address_spaces", address_spaces::run),
    ("unroll", unroll::run),
];

/// Inlines and improves the kernels and the functions that they call, in place, callees first. The error is a message
/// for the build log.
pub fn run(module: &mut Module, kernels: &[FuncId]) -> Result<(), String> {
    let mut inlining = Inlining::new(module, Extent::All);
    for id in inline::callees_first(module, kernels)? {
        inlining.run(module, id)?;
        check(module, id, "inline");
        improve(module, id);
        inlining.done(module, id);
    }
    Ok(())
}

/// What is better done before the library is linked in.
pub fn run_early(module: &mut Module) {
    pair::run(module);
    for id in module.func_ids() {
        check(module, id, "pair");
    }
}

/// Makes a kernel, in place, for parameters of which something is known; [`run`] comes after it. The error is a message
/// for the build log.
pub fn specialize(
    module: &mut Module,
    kernel: FuncId,
    known: &[Option<Known>],
) -> Result<(), String> {
    // Recursion, which is an error, would make clones without end.
    inline_only(module, &[kernel], Extent::Blocks)?;
    specialize::run(module, kernel, known);
    Ok(())
}

/// Loops in loops are unrolled from inside, so many deep.
const NESTS: usize = 3;

fn improve(module: &mut Module, id: FuncId) {
    for nest in 0..=NESTS {
        for (name, pass) in PASSES {
            if let Some(func) = &mut module.functions[id.index()].body {
                pass(func);
            }
            check(module, id, name);
        }
        if nest == NESTS {
            return;
        }
        let mut changed = false;
        for (name, pass) in ENABLING {
            changed |= module.functions[id.index()].body.as_mut().is_some_and(pass);
            check(module, id, name);
        }
        if !changed {
            return;
        }
    }
}

/// For kernels whose work-items are to share vectors: splits the vectors of OpenCL C. False if there are none.
pub fn scalarize(module: &mut Module, kernel: FuncId) -> bool {
    let Some(func) = &mut module.functions[kernel.index()].body else {
        return false;
    };
    if !scalarize::has_vectors(func) {
        return false;
    }
    scalarize::run(func);
    check(module, kernel, "scalarize");
    improve(module, kernel);
    true
}

/// Only what the work-group pass can't do without: for builds that ask for no optimisation.
pub fn run_required(module: &mut Module, kernels: &[FuncId]) -> Result<(), String> {
    inline_only(module, kernels, Extent::Required)
}

fn inline_only(module: &mut Module, kernels: &[FuncId], extent: Extent) -> Result<(), String> {
    let mut inlining = Inlining::new(module, extent);
    for id in inline::callees_first(module, kernels)? {
        inlining.run(module, id)?;
        check(module, id, "inline");
        inlining.done(module, id);
    }
    Ok(())
}

/// One pass by name on one function, for tests and dumps; false if there is none of this name.
pub fn run_pass(func: &mut Function, name: &str) -> bool {
    let alone: [Pass; 3] = [
        ("scalarize", scalarize::run),
        ("address_spaces", |func| {
            address_spaces::run(func);
        }),
        ("unroll", |func| {
            unroll::run(func);
        }),
    ];
    let found = PASSES.iter().chain(&alone).find(|p| p.0 == name);
    if let Some((_, pass)) = found {
        pass(func);
    }
    found.is_some()
}

fn check(module: &Module, func: FuncId, name: &str) {
    if cfg!(debug_assertions)
        && module.body(func).is_some()
        && let Err(errors) = crate::ir::verify::verify_function(module, func)
    {
        let list: Vec<String> = errors.iter().map(|e| format!("  {e}\n")).collect();
        panic!("invalid IR after {name}:\n{}\n{module}", list.concat());
    }
}
