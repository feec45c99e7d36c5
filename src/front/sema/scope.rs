//! Scopes: what each name means here.
//!
//! Invariants: the first scope is the file's; ordinary names and tags are apart (C99, 6.2.3).

use crate::front::hir;
use crate::front::source::Loc;
use crate::front::symbol::{Interner, Symbol};
use crate::front::types::{EnumId, QualType, RecordId, TypeId};
use std::collections::HashMap;

#[derive(Clone)]
pub(super) enum Entity {
    Var(hir::VarId),
    Global(hir::GlobalId),
    /// The overloads, in order of declaration.
    Functions(Vec<hir::FuncId>),
    Typedef(QualType),
    /// Value (its bits) and type.
    EnumConstant(u64, TypeId),
    /// A sampler that was declared with a constant: its bits.
    Sampler(u64),
    /// A block, by its number.
    Block(usize),
    /// Declared, but wrongly: uses are silent.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

#[derive(Default)]
struct Scope {
    names: HashMap<Symbol, (Entity, Loc)>,
    tags: HashMap<Symbol, (Tag, Loc)>,
}

pub(super) struct Scopes {
    stack: Vec<Scope>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Self {
            stack: vec![Scope::default()],
        }
    }

    pub(super) fn push(&mut self) {
        self.stack.push(Scope::default());
    }

    pub(super) fn pop(&mut self) {
        self.stack.pop();
    }

    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    pub(super) fn lookup(&self, name: Symbol) -> Option<&(Entity, Loc)> {
        self.stack.iter().rev().find_map(|s| s.names.get(&name))
    }

    /// As [`Scopes::lookup`], with the depth of the scope that has it, from 0 for the file's.
    pub(super) fn lookup_depth(&self, name: Symbol) -> Option<(usize, &Entity)> {
        let scopes = self.stack.iter().enumerate().rev();
        scopes
            .filter_map(|(depth, s)| s.names.get(&name).map(|(entity, _)| (depth, entity)))
            .next()
    }

    /// In the innermost scope only.
    pub(super) fn here(&self, name: Symbol) -> Option<&(Entity, Loc)> {
        self.stack.last().and_then(|s| s.names.get(&name))
    }

    pub(super) fn declare(&mut self, name: Symbol, entity: Entity, loc: Loc) {
        if let Some(scope) = self.stack.last_mut() {
            scope.names.insert(name, (entity, loc));
        }
    }

    pub(super) fn lookup_tag(&self, name: Symbol) -> Option<(Tag, Loc)> {
        self.stack
            .iter()
            .rev()
            .find_map(|s| s.tags.get(&name).copied())
    }

    pub(super) fn tag_here(&self, name: Symbol) -> Option<(Tag, Loc)> {
        self.stack.last().and_then(|s| s.tags.get(&name).copied())
    }

    pub(super) fn declare_tag(&mut self, name: Symbol, tag: Tag, loc: Loc) {
        if let Some(scope) = self.stack.last_mut() {
            scope.tags.insert(name, (tag, loc));
        }
    }

    /// The name that is nearest to a misspelt one, among the visible ones and those of `more`, if any is near.
    pub(super) fn suggest<'a>(
        &self,
        wrong: &str,
        names: &'a Interner,
        more: impl Iterator<Item = &'a str>,
    ) -> Option<String> {
        let bound = wrong.chars().count().div_ceil(3);
        self.stack
            .iter()
            .flat_map(|s| s.names.keys())
            .map(|&s| names.name(s))
            .chain(more)
            .filter_map(|name| edit_distance(wrong, name, bound).map(|d| (d, name)))
            .min()
            .map(|(_, name)| name.to_string())
    }
}

/// Levenshtein's distance, if it is at most `bound`.
fn edit_distance(a: &str, b: &str, bound: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > bound || a.len() > 64 {
        return None;
    }
    let b: Vec<u8> = b.bytes().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let substitution = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substitution.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row.last().copied().filter(|&d| d <= bound)
}
