//! What a debugger is told names things that are there.

use super::{Reporter, Rule};
use crate::ir::debug::DebugType;
use crate::ir::function::SrcLoc;
use crate::ir::module::Module;
use crate::ir::{Block, Inst};

/// The numbers in the module's types.
pub fn types(module: &Module) -> Result<(), String> {
    let known = |&ty: &u32| (ty as usize) < module.debug_types.len();
    let fits = |ty: &DebugType| match ty {
        DebugType::Base { .. } => true,
        DebugType::Pointer(to) => to.iter().all(known),
        DebugType::Vector { elem, .. } | DebugType::Array { elem, .. } => known(elem),
        DebugType::Record { members, .. } => members.iter().all(|m| known(&m.ty)),
    };
    match module.debug_types.iter().position(|ty| !fits(ty)) {
        Some(n) => Err(format!("type {n} is made of one that does not exist")),
        None => Ok(()),
    }
}

/// Scopes, variables, and the scopes of instructions.
pub fn function(module: &Module, report: &mut Reporter<'_>) {
    let func = report.func;
    let none = Default::default();
    let debug = func.debug.as_deref().unwrap_or(&none);
    let scopes = debug.scopes.len();
    let in_scope = |loc: SrcLoc, scopes: usize| usize::from(loc.scope) <= scopes;
    let fail = |report: &mut Reporter<'_>, message: String| {
        report.at_function(Rule::DebugInfo, message);
    };
    for (n, scope) in debug.scopes.iter().enumerate() {
        if !in_scope(scope.loc, n) {
            fail(report, format!("scope {} is not in one before it", n + 1));
        }
    }
    for variable in &debug.variables {
        let name = &variable.name;
        if !in_scope(variable.loc, scopes) {
            fail(report, format!("variable '{name}' is in no scope"));
        }
        if variable.ty as usize >= module.debug_types.len() {
            fail(report, format!("variable '{name}' has no type"));
        }
        let base = variable.place.base.index();
        if base >= func.num_values() || !func.ty(variable.place.base).elem.is_ptr() {
            fail(report, format!("variable '{name}' has no place"));
        }
    }
    if let Some(item) = debug.item
        && (item.index() >= func.num_values() || !func.ty(item).elem.is_ptr())
    {
        fail(report, "the item has no place".to_string());
    }
    let mut strange: Option<(Block, Option<Inst>)> = None;
    for &block in func.layout() {
        let data = func.block(block);
        let insts = data.insts.iter();
        let mut insts = insts.filter(|&&inst| !in_scope(func.loc(inst), scopes));
        if let Some(&inst) = insts.next() {
            strange = Some((block, Some(inst)));
        } else if !in_scope(data.term_loc, scopes) {
            strange = Some((block, None));
        }
    }
    let message = || (Rule::DebugInfo, "stands in no scope".to_string());
    match strange {
        Some((block, Some(inst))) => report.at_inst(block, inst, message()),
        Some((block, None)) => report.at_term(block, message()),
        None => {}
    }
}
