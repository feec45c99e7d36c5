//! The typed tree to IR, one function at a time.
//!
//! Invariants: every private variable is an `alloca` (mem2reg removes those whose address goes nowhere); bool is an
//! `i8` of 0 or 1; an aggregate is passed to a function as the address of the caller's copy and returned through a
//! hidden first parameter; a kernel's struct parameter is copied to private memory at entry. Code that can't be
//! reached is dropped, unless a label leads into it.

mod arith;
mod bits;
mod builtin;
mod call;
mod cheap;
mod cond;
mod convert;
mod convert_builtin;
mod debug;
mod expr;
mod function;
mod init;
mod place;
mod reach;
mod stmt;
#[cfg(test)]
mod tests;

use super::hir;
use super::source::{Loc, SourceMap};
use super::symbol::Interner;
use super::types::Types;
use crate::ir::{self, FuncId, Module, SrcLoc};
use debug::DebugTypes;
use function::lower_function;
use std::collections::HashMap;
use std::sync::Arc;

/// Lowers a whole program. Functions of the OpenCL C library that it calls are declared in the module by their
/// mangled names, without bodies.
pub fn lower(program: &hir::Program, types: &Types, sources: &SourceMap) -> Module {
    lower_with(program, types, sources, None)
}

/// As [`lower`], with what a debugger wants to know; `names` are those of the program.
pub fn lower_for_debugger(
    program: &hir::Program,
    types: &Types,
    sources: &SourceMap,
    names: &Interner,
) -> Module {
    lower_with(program, types, sources, Some(DebugTypes::new(names)))
}

fn lower_with<'a>(
    program: &'a hir::Program,
    types: &'a Types,
    sources: &'a SourceMap,
    debug: Option<DebugTypes<'a>>,
) -> Module {
    let mut cx = ModuleLowerer {
        program,
        types,
        sources,
        module: Module::new(),
        functions: Vec::new(),
        plain_kernels: HashMap::new(),
        library: HashMap::new(),
        files: HashMap::new(),
        debug,
        last_loc: (Loc::NONE, SrcLoc::default()),
    };
    cx.globals();
    for f in &program.functions {
        let id = cx.module.declare(&f.name);
        cx.functions.push(id);
    }
    for (index, f) in program.functions.iter().enumerate() {
        if let Some(body) = &f.body {
            let lowered = lower_function(&mut cx, f, body, f.kernel.is_some());
            cx.module.define(cx.functions[index], lowered);
        }
    }
    cx.called_kernels();
    cx.module
}

/// What is shared by the functions of a program.
struct ModuleLowerer<'a> {
    program: &'a hir::Program,
    types: &'a Types,
    sources: &'a SourceMap,
    module: Module,
    /// By `hir::FuncId`.
    functions: Vec<FuncId>,
    /// Kernels that are called like functions, and the functions made of them.
    plain_kernels: HashMap<hir::FuncId, FuncId>,
    /// Declared functions of the OpenCL C library.
    library: HashMap<String, FuncId>,
    files: HashMap<Arc<str>, u16>,
    /// The types of variables, where a debugger wants to know.
    debug: Option<DebugTypes<'a>>,
    /// The position that was looked up last.
    last_loc: (Loc, SrcLoc),
}

impl ModuleLowerer<'_> {
    /// Global ids are the same in both programs.
    fn globals(&mut self) {
        for g in &self.program.globals {
            self.module.add_global(ir::Global {
                name: g.name.clone(),
                space: g.ty.space,
                linkage: g.linkage,
                align: u32::try_from(g.align).unwrap_or(1 << 31),
                init: g.init.clone(),
                relocs: g
                    .relocs
                    .iter()
                    .map(|&(at, global, addend)| (at, ir::GlobalId::new(global.0 as usize), addend))
                    .collect(),
            });
        }
    }

    /// The function to call for `id`. A kernel that is called gets a second body, with a function's conventions.
    fn callee(&mut self, id: hir::FuncId) -> FuncId {
        let f = &self.program.functions[id.0 as usize];
        if f.kernel.is_none() {
            return self.functions[id.0 as usize];
        }
        let module = &mut self.module;
        *self
            .plain_kernels
            .entry(id)
            .or_insert_with(|| module.declare(&format!("{}.called", f.name)))
    }

    /// Bodies for the kernels that were called; lowering one may show another.
    fn called_kernels(&mut self) {
        loop {
            let next = self
                .plain_kernels
                .iter()
                .find(|(_, id)| self.module.body(**id).is_none())
                .map(|(&from, &to)| (from, to));
            let Some((from, to)) = next else {
                return;
            };
            let program = self.program;
            let f = &program.functions[from.0 as usize];
            let body = f.body.as_deref().unwrap_or_default();
            let mut lowered = lower_function(self, f, body, false);
            lowered.name = self.module.functions[to.index()].name.clone();
            self.module.define(to, lowered);
        }
    }

    /// The declaration of a library function.
    fn library_function(&mut self, mangled: &str) -> FuncId {
        if let Some(&id) = self.library.get(mangled) {
            return id;
        }
        let id = self.module.declare(mangled);
        self.library.insert(mangled.to_string(), id);
        id
    }

    fn src_loc(&mut self, loc: Loc) -> SrcLoc {
        if loc == self.last_loc.0 {
            return self.last_loc.1;
        }
        let found = match self.sources.position(loc) {
            None => SrcLoc::default(),
            Some(at) => SrcLoc {
                file: self.file(at.file),
                line: at.line,
                col: at.column.min(u32::from(u16::MAX)) as u16,
                exact: false,
                scope: 0,
            },
        };
        self.last_loc = (loc, found);
        found
    }

    /// Files beyond the 65,535th share the last number; [`ir::LIBRARY_FILE`] is none.
    fn file(&mut self, name: Arc<str>) -> u16 {
        if let Some(&n) = self.files.get(&name) {
            return n;
        }
        let n = self
            .module
            .files
            .len()
            .min(usize::from(ir::LIBRARY_FILE) - 1) as u16;
        if usize::from(n) < self.module.files.len() {
            return n;
        }
        self.module.files.push(name.to_string());
        self.files.insert(name, n);
        n
    }
}
