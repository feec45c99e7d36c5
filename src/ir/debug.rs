//! What a debugger is told of a function: its blocks of the source, what was inlined, and its variables.
//!
//! The front end makes this for builds with `-g -cl-opt-disable` alone, in which variables stay in memory: each is an
//! alloca, or a place that the group function has in one. It is no part of what the function does. Passes that make a
//! function anew carry it over (`opt/inline.rs`, `workgroup/debug.rs`); the others leave such builds alone.
//!
//! Invariants (checked by the verifier): scopes come after those that they are in; `SrcLoc::scope` and the variables name
//! scopes of the function, 0 being the function itself; types are in the module's list.

use super::entities::Value;
use super::function::SrcLoc;

/// How many scopes a function can have; what is in later ones belongs to the function.
pub const MAX_SCOPES: usize = u16::MAX as usize - 1;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionDebug {
    /// Number `n` of the list is scope `n + 1`.
    pub scopes: Vec<Scope>,
    pub variables: Vec<Variable>,
    /// Of a group function: the address of an [`Item`].
    pub item: Option<Value>,
}

/// A part of the source with names of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Where it begins, and the scope around it; for the body of a function that was inlined, the place of the call.
    pub loc: SrcLoc,
    /// The function that was inlined: its name, and where the source names it. None for a block.
    pub inlined: Option<(String, SrcLoc)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    /// In [`super::Module::debug_types`].
    pub ty: u32,
    /// Where it is declared, with its scope.
    pub loc: SrcLoc,
    /// The number of the function's parameter, from 0.
    pub param: Option<u16>,
    pub place: Place,
}

/// Where a variable is in memory: `offset` bytes behind `base`, or where the pointer leads to that stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// A pointer that is there in the whole function.
    pub base: Value,
    pub offset: u64,
    pub indirect: bool,
}

/// What a group function notes of the work-item that it runs, in words of 8 bytes. Behind these words stand addresses of
/// variables ([`Place::indirect`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    pub name: &'static str,
    /// The first word, and how many there are.
    pub at: u64,
    pub words: u64,
}

/// The words of an item, which are the same for the whole group behind the first two.
pub const ITEM: [Item; 8] = [
    item("__local_id", 0, 3),
    item("__global_id", 3, 3),
    item("__group_id", 6, 3),
    item("__local_size", 9, 3),
    item("__global_size", 12, 3),
    item("__num_groups", 15, 3),
    item("__global_offset", 18, 3),
    item("__work_dim", 21, 1),
];

/// How many words they are.
pub const ITEM_WORDS: u64 = 22;

const fn item(name: &'static str, at: u64, words: u64) -> Item {
    Item { name, at, words }
}

/// A type of the source, as far as a debugger needs it. Types are numbers in the module's list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DebugType {
    Base {
        name: String,
        bytes: u64,
        encoding: Encoding,
    },
    /// `None` leads to something unknown.
    Pointer(Option<u32>),
    /// Of OpenCL C: elements, and the bytes of the whole.
    Vector {
        elem: u32,
        lanes: u64,
        bytes: u64,
    },
    Array {
        elem: u32,
        count: u64,
    },
    Record {
        name: String,
        bytes: u64,
        is_union: bool,
        members: Vec<Member>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    pub name: String,
    pub ty: u32,
    /// In bytes.
    pub offset: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    Signed,
    Unsigned,
    Float,
    Bool,
    /// Of one byte, a character besides.
    SignedChar,
    UnsignedChar,
}

impl DebugType {
    /// The same where `first` types stand before those that it is made of.
    pub fn renumbered(mut self, first: u32) -> DebugType {
        match &mut self {
            DebugType::Base { .. } | DebugType::Pointer(None) => {}
            DebugType::Pointer(Some(to)) => *to += first,
            DebugType::Vector { elem, .. } | DebugType::Array { elem, .. } => *elem += first,
            DebugType::Record { members, .. } => members.iter_mut().for_each(|m| m.ty += first),
        }
        self
    }
}

impl FunctionDebug {
    pub fn scope(&self, number: u16) -> Option<&Scope> {
        self.scopes.get(usize::from(number).checked_sub(1)?)
    }

    /// A new scope's number, or that of the one around it if there are too many.
    pub fn add_scope(&mut self, scope: Scope) -> u16 {
        if self.scopes.len() >= MAX_SCOPES {
            return scope.loc.scope;
        }
        self.scopes.push(scope);
        self.scopes.len() as u16
    }
}
