//! Types of variables.
//!
//! Invariant: each type is made once. One that is made of itself, by a pointer, has a pointer to something unknown there.

use super::super::llvm::{
    DW_ATE_BOOLEAN, DW_ATE_FLOAT, DW_ATE_SIGNED, DW_ATE_SIGNED_CHAR, DW_ATE_UNSIGNED,
    DW_ATE_UNSIGNED_CHAR, Md,
};
use super::{Debug, WORD};
use crate::ir::Module;
use crate::ir::debug::{DebugType, Encoding};

/// Types inside of types, at most: pointers lead on.
const DEPTH: usize = 64;

impl Debug {
    /// The type with this number, or none if it has no size.
    pub fn ty(&self, module: &Module, number: u32) -> Option<Md> {
        self.make(module, number, &mut Vec::new())
    }

    /// That of ids and sizes.
    pub fn word(&self) -> Md {
        self.builder.base_type("ulong", WORD, DW_ATE_UNSIGNED)
    }

    /// `open` are those that are being made.
    fn make(&self, module: &Module, number: u32, open: &mut Vec<u32>) -> Option<Md> {
        let at = number as usize;
        if let Some(known) = self.types.borrow()[at] {
            return Some(known);
        }
        if open.contains(&number) || open.len() >= DEPTH {
            return None;
        }
        open.push(number);
        let builder = &self.builder;
        let made = match &module.debug_types[at] {
            DebugType::Base {
                name,
                bytes,
                encoding,
            } => Some(builder.base_type(name, *bytes, code(*encoding))),
            DebugType::Pointer(to) => {
                let to = to.and_then(|to| self.make(module, to, open));
                Some(builder.pointer_type(to))
            }
            DebugType::Vector { elem, lanes, bytes } => {
                let elem = self.make(module, *elem, open);
                elem.map(|elem| builder.vector_type(elem, *lanes, *bytes))
            }
            DebugType::Array { elem, count } => {
                let bytes = size(module, number, DEPTH);
                let elem = self.make(module, *elem, open);
                elem.map(|elem| builder.array_type(elem, *count, bytes))
            }
            DebugType::Record {
                name,
                bytes,
                is_union,
                members,
            } => {
                let members: Vec<_> = members
                    .iter()
                    .filter_map(|member| {
                        let ty = self.make(module, member.ty, open)?;
                        let bytes = size(module, member.ty, DEPTH);
                        Some((member.name.as_str(), ty, member.offset, bytes))
                    })
                    .collect();
                let named = (name.as_str(), self.files[0], *bytes);
                Some(builder.record_type(named, *is_union, &members))
            }
        };
        open.pop();
        // What leads to a type that is still being made is not kept: elsewhere it leads there.
        if open.is_empty() {
            self.types.borrow_mut()[at] = made;
        }
        made
    }
}

fn code(encoding: Encoding) -> u32 {
    match encoding {
        Encoding::Signed => DW_ATE_SIGNED,
        Encoding::Unsigned => DW_ATE_UNSIGNED,
        Encoding::Float => DW_ATE_FLOAT,
        Encoding::Bool => DW_ATE_BOOLEAN,
        Encoding::SignedChar => DW_ATE_SIGNED_CHAR,
        Encoding::UnsignedChar => DW_ATE_UNSIGNED_CHAR,
    }
}

/// Bytes of a type, which nests no deeper than `depth`.
fn size(module: &Module, number: u32, depth: usize) -> u64 {
    match &module.debug_types[number as usize] {
        DebugType::Base { bytes, .. }
        | DebugType::Vector { bytes, .. }
        | DebugType::Record { bytes, .. } => *bytes,
        DebugType::Pointer(_) => 8,
        DebugType::Array { elem, count } => match depth.checked_sub(1) {
            Some(depth) => size(module, *elem, depth).saturating_mul(*count),
            None => 0,
        },
    }
}
