//! A module: functions, program-scope variables, and the names of the source files.
//!
//! Invariants: ids index the two lists; a call never recurses (OpenCL C forbids it and sema reports it); a
//! declaration without a body (`functions[id]` is `None`) is a builtin that the linker still has to bring in.

use super::debug::DebugType;
use super::entities::{FuncId, GlobalId};
use super::function::Function;
use super::types::AddrSpace;

/// Whether other units of a program know a global by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Linkage {
    #[default]
    Internal,
    External,
    /// Defined in another unit.
    Undefined,
}

/// A program-scope variable, a constant, or a string literal.
#[derive(Clone, Debug, PartialEq)]
pub struct Global {
    pub name: String,
    /// `Constant`, or `Global` for a program-scope variable.
    pub space: AddrSpace,
    pub linkage: Linkage,
    pub align: u32,
    /// The initial bytes; its length is the size.
    pub init: Vec<u8>,
    /// Addresses of other globals inside `init`: (offset in bytes, global, addend in bytes); 8 bytes each.
    pub relocs: Vec<(u64, GlobalId, i64)>,
}

/// A function's name and its body where there is one.
#[derive(Clone, Debug)]
pub struct FuncSlot {
    pub name: String,
    pub body: Option<Function>,
}

#[derive(Clone, Debug, Default)]
pub struct Module {
    pub functions: Vec<FuncSlot>,
    pub globals: Vec<Global>,
    /// Source files that `SrcLoc::file` counts in.
    pub files: Vec<String>,
    /// Types of variables that a debugger is told of.
    pub debug_types: Vec<DebugType>,
}

impl Module {
    pub fn new() -> Self {
        Self::default()
    }

    /// Declares a function, to be given a body later.
    pub fn declare(&mut self, name: &str) -> FuncId {
        let id = FuncId::new(self.functions.len());
        self.functions.push(FuncSlot {
            name: name.to_string(),
            body: None,
        });
        id
    }

    pub fn define(&mut self, id: FuncId, body: Function) {
        self.functions[id.index()].body = Some(body);
    }

    pub fn add_function(&mut self, body: Function) -> FuncId {
        let id = self.declare(&body.name.clone());
        self.define(id, body);
        id
    }

    pub fn add_global(&mut self, global: Global) -> GlobalId {
        let id = GlobalId::new(self.globals.len());
        self.globals.push(global);
        id
    }

    /// The body of a defined function.
    pub fn body(&self, id: FuncId) -> Option<&Function> {
        self.functions[id.index()].body.as_ref()
    }

    pub fn func_ids(&self) -> impl Iterator<Item = FuncId> + use<> {
        (0..self.functions.len()).map(FuncId::new)
    }

    pub fn find(&self, name: &str) -> Option<FuncId> {
        self.functions
            .iter()
            .position(|f| f.name == name)
            .map(FuncId::new)
    }

    /// The kernels in source order, without the group functions made from them.
    pub fn kernels(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.func_ids().filter(|&id| {
            self.body(id)
                .is_some_and(|f| f.kernel.is_some() && !f.group)
        })
    }
}
