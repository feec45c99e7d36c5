//! Links the OpenCL C library into a module: the bodies of what it declares and does not define.
//!
//! Each family of the library (`builtins/*.cl`) is compiled to IR once in a process, when something of it is first
//! used; a module gets copies of just the functions that it reaches.
//!
//! Invariant: the library's own text compiles without diagnostics; a test builds every family.

use super::frontend;
use super::timings::Timings;
use super::unit::SourceUnit;
use crate::builtins::source::FAMILIES;
use crate::front::options::FrontOptions;
use crate::ir::{FuncId, Function, Global, GlobalId, InstData, Linkage, Module, SrcLoc};
use once_cell::sync::{Lazy, OnceCell};
use std::collections::{HashMap, HashSet};

/// One family: its IR, and its functions by name.
struct Family {
    module: Module,
    functions: HashMap<String, FuncId>,
}

static FAMILY: Lazy<Vec<OnceCell<Family>>> =
    Lazy::new(|| FAMILIES.iter().map(|_| OnceCell::new()).collect());

/// Drops the bodies that these kernels do not reach.
pub(super) fn keep(module: &mut Module, kernels: &[FuncId]) {
    let mut work = kernels.to_vec();
    let mut reached: HashSet<FuncId> = work.iter().copied().collect();
    while let Some(id) = work.pop() {
        let callees = module.body(id).map(callees).unwrap_or_default();
        work.extend(callees.into_iter().filter(|&callee| reached.insert(callee)));
    }
    drop_others(module, &reached);
}

fn drop_others(module: &mut Module, reached: &HashSet<FuncId>) {
    for id in module.func_ids() {
        if !reached.contains(&id) {
            module.functions[id.index()].body = None;
        }
    }
}

/// Gives every function that the kernels reach and that the module only declares its body from the library; bodies
/// that no kernel reaches are dropped. Returns the names that nothing defines.
pub(super) fn link(module: &mut Module) -> Vec<String> {
    let mut missing = Vec::new();
    let mut globals: HashMap<(usize, GlobalId), GlobalId> = HashMap::new();
    let mut known: HashMap<String, FuncId> = module
        .func_ids()
        .map(|id| (module.functions[id.index()].name.clone(), id))
        .collect();
    let mut work: Vec<FuncId> = module.kernels().collect();
    let mut reached: HashSet<FuncId> = work.iter().copied().collect();
    while let Some(id) = work.pop() {
        if module.body(id).is_none() {
            let name = module.functions[id.index()].name.clone();
            let Some((index, family, from)) = find(&name) else {
                missing.push(name);
                continue;
            };
            let body = copy(index, family, from, module, &mut known, &mut globals);
            module.define(id, body);
        }
        let callees = module.body(id).map(callees).unwrap_or_default();
        work.extend(callees.into_iter().filter(|&callee| reached.insert(callee)));
    }
    drop_others(module, &reached);
    missing.extend(undefined_variable(module));
    missing
}

/// The name of a variable that no unit has defined and that something refers to.
fn undefined_variable(module: &Module) -> Option<String> {
    let is_undefined = |id: GlobalId| module.globals[id.index()].linkage == Linkage::Undefined;
    let relocs = module.globals.iter().flat_map(|global| &global.relocs);
    let addresses = relocs.map(|&(_, to, _)| to);
    let bodies = module.func_ids().filter_map(|id| module.body(id));
    let blocks = bodies.flat_map(|body| body.layout().iter().map(move |&b| (body, b)));
    let named = blocks
        .flat_map(|(body, b)| body.block(b).insts.iter().map(move |&inst| body.inst(inst)))
        .filter_map(|data| match data {
            InstData::GlobalAddr { global } => Some(*global),
            _ => None,
        });
    let found = addresses.chain(named).find(|&id| is_undefined(id))?;
    Some(module.globals[found.index()].name.clone())
}

fn callees(body: &Function) -> Vec<FuncId> {
    let insts = body
        .layout()
        .iter()
        .flat_map(|&block| &body.block(block).insts);
    insts
        .filter_map(|&inst| match body.inst(inst) {
            InstData::Call { func, .. } => Some(*func),
            _ => None,
        })
        .collect()
}

/// The family that defines a mangled name, compiled if need be. A family's text is asked first whether it holds the
/// plain name at all.
fn find(name: &str) -> Option<(usize, &'static Family, FuncId)> {
    let plain = name.split('(').next().unwrap_or(name);
    FAMILIES.iter().enumerate().find_map(|(index, (_, text))| {
        if !mentions(text, plain) {
            return None;
        }
        let family = FAMILY[index].get_or_init(|| compile(index));
        let id = *family.functions.get(name)?;
        family.module.body(id)?;
        Some((index, family, id))
    })
}

/// Whether `word` stands in `text` as a whole identifier.
fn mentions(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        !text[..at].ends_with(inside) && !text[at + word.len()..].starts_with(inside)
    })
}

fn compile(index: usize) -> Family {
    let (name, text) = FAMILIES[index];
    let options = FrontOptions {
        // one family calls helpers of another
        separate: true,
        library: true,
        ..FrontOptions::parse("-cl-std=CL3.0 -w").expect("these options are ours")
    };
    let (log, unit) = frontend::run(&SourceUnit::new(text, "", &[]), &options, &Timings::none());
    let Some(unit) = unit else {
        panic!("the library's {name} does not compile:\n{log}");
    };
    let functions = unit
        .module
        .func_ids()
        .map(|id| (unit.module.functions[id.index()].name.clone(), id))
        .collect();
    Family {
        module: unit.module,
        functions,
    }
}

/// A body with the ids of its callees and constants changed to those of `into`.
fn copy(
    index: usize,
    family: &'static Family,
    from: FuncId,
    into: &mut Module,
    known: &mut HashMap<String, FuncId>,
    globals: &mut HashMap<(usize, GlobalId), GlobalId>,
) -> Function {
    let mut body = family
        .module
        .body(from)
        .expect("find() saw the body")
        .clone();
    let insts: Vec<_> = body
        .layout()
        .iter()
        .flat_map(|&block| body.block(block).insts.clone())
        .collect();
    for inst in insts {
        match body.inst_mut(inst) {
            InstData::Call { func, .. } => {
                let name = &family.module.functions[func.index()].name;
                *func = match known.get(name) {
                    Some(&id) => id,
                    None => {
                        let id = into.declare(name);
                        known.insert(name.clone(), id);
                        id
                    }
                };
            }
            InstData::GlobalAddr { global } | InstData::Printf { format: global, .. } => {
                *global = copy_global(index, family, *global, into, globals);
            }
            _ => {}
        }
    }
    body.set_locs(SrcLoc::LIBRARY);
    body
}

/// A constant of the library, with those whose addresses it holds. Constants never hold their own address.
fn copy_global(
    index: usize,
    family: &'static Family,
    from: GlobalId,
    into: &mut Module,
    globals: &mut HashMap<(usize, GlobalId), GlobalId>,
) -> GlobalId {
    if let Some(&id) = globals.get(&(index, from)) {
        return id;
    }
    let source = &family.module.globals[from.index()];
    let relocs = source
        .relocs
        .iter()
        .map(|&(at, global, addend)| {
            let global = copy_global(index, family, global, into, globals);
            (at, global, addend)
        })
        .collect();
    let id = into.add_global(Global {
        relocs,
        ..source.clone()
    });
    globals.insert((index, from), id);
    id
}
