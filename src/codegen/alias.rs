//! What LLVM may know about which accesses can meet: by address space, and by `restrict`.
//!
//! Invariants: named address spaces are disjoint and all lie inside the generic one (OpenCL C 3.0, 6.7), which is told
//! as a type tree (`tbaa`); an access through a pointer that is based on `restrict` parameters and on nothing else
//! carries their scopes, and an access whose bases are all known carries `noalias` for every scope it is not based on
//! (C99 6.7.3.1). A pointer that comes out of memory or an integer can be based on anything: it gets neither.
//! Loads from `__constant` memory are invariant.

use super::llvm::{Llvm, Md, Val};
use crate::ir::bases::{self, Bases, MAX_ROOTS, OTHER, UNKNOWN};
use crate::ir::{AddrSpace, Block, Function, Value};

/// One access tag for each address space.
pub struct Tags {
    generic: Md,
    private: Md,
    global: Md,
    constant: Md,
    local: Md,
    empty: Md,
}

impl Tags {
    pub fn new(llvm: &Llvm) -> Self {
        let zero = llvm.md_int(0);
        let root = llvm.md_node(&[llvm.md_string("clotho")]);
        let generic = llvm.md_node(&[llvm.md_string("generic"), root, zero]);
        let tag = |node: Md| llvm.md_node(&[node, node, zero]);
        let leaf = |name: &str| tag(llvm.md_node(&[llvm.md_string(name), generic, zero]));
        Self {
            generic: tag(generic),
            private: leaf("private"),
            global: leaf("global"),
            constant: leaf("constant"),
            local: leaf("local"),
            empty: llvm.md_node(&[]),
        }
    }

    fn of(&self, space: AddrSpace) -> Md {
        match space {
            AddrSpace::Private => self.private,
            AddrSpace::Global => self.global,
            AddrSpace::Constant => self.constant,
            AddrSpace::Local => self.local,
            AddrSpace::Generic => self.generic,
        }
    }
}

/// The `restrict` parameters of one group function, and what each pointer is based on.
pub struct Scopes {
    scopes: Vec<Md>,
    /// By value, as bits of `scopes`; empty when there are no scopes.
    bases: Vec<Bases>,
}

impl Scopes {
    /// `order`: the reachable blocks in reverse postorder.
    pub fn new(llvm: &Llvm, func: &Function, order: &[Block]) -> Self {
        let restricted: Vec<Value> = func
            .params
            .iter()
            .zip(func.param_values())
            .filter(|(param, value)| param.noalias && func.ty(**value).elem.is_ptr())
            .map(|(_, &value)| value)
            .take(MAX_ROOTS)
            .collect();
        if !func.group || restricted.is_empty() {
            return Self {
                scopes: Vec::new(),
                bases: Vec::new(),
            };
        }
        let domain = llvm.md_node(&[llvm.md_string(&format!("restrict {}", func.name))]);
        let scopes = (0..restricted.len())
            .map(|n| llvm.md_node(&[llvm.md_string(&format!("{} {n}", func.name)), domain]))
            .collect();
        Self {
            scopes,
            bases: bases::of_values(func, order, &restricted),
        }
    }

    /// Marks an access through `ptr` with what is known about it.
    pub fn mark(&self, llvm: &Llvm, tags: &Tags, access: Val, ptr: Value, space: AddrSpace) {
        llvm.set_metadata(access, "tbaa", tags.of(space));
        let Some(&bases) = self.bases.get(ptr.index()) else {
            return;
        };
        if bases & UNKNOWN != 0 {
            return;
        }
        let pick = |based: bool| -> Vec<Md> {
            let of = |n: &usize| (bases >> n & 1 == 1) == based;
            let chosen = (0..self.scopes.len()).filter(of);
            chosen.map(|n| self.scopes[n]).collect()
        };
        // LLVM keeps an access of these scopes apart from one that is `noalias` to them, whatever else both may lead to.
        let own = match bases & OTHER {
            0 => pick(true),
            _ => Vec::new(),
        };
        for (kind, nodes) in [("alias.scope", own), ("noalias", pick(false))] {
            if !nodes.is_empty() {
                llvm.set_metadata(access, kind, llvm.md_node(&nodes));
            }
        }
    }
}

/// Marks a load from memory that nobody writes while the kernel runs.
pub fn mark_invariant(llvm: &Llvm, tags: &Tags, load: Val) {
    llvm.set_metadata(load, "invariant.load", tags.empty);
}
