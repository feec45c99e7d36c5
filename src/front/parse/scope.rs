//! Which ordinary identifiers name types (C99, 6.2.1), and which of those vectors: enough to tell `T * x;` from `a * b;`
//! and `(V)(a).x` from `(T)(a).x`. Tags, members and labels have name spaces of their own and don't appear here.

use super::super::predefined::{self, Predefined};
use super::super::symbol::{Interner, Symbol};
use std::collections::HashMap;

/// What an ordinary identifier names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Object,
    Type,
    VectorType,
}

pub(super) struct Scopes {
    /// What the innermost declaration of a name makes it.
    names: HashMap<Symbol, Meaning>,
    /// For each open scope, what its declarations replaced.
    undo: Vec<Vec<(Symbol, Option<Meaning>)>>,
}

impl Scopes {
    pub(super) fn new() -> Self {
        Self {
            names: HashMap::new(),
            undo: vec![Vec::new()],
        }
    }

    pub(super) fn push(&mut self) {
        self.undo.push(Vec::new());
    }

    pub(super) fn pop(&mut self) {
        for (name, before) in self.undo.pop().into_iter().flatten().rev() {
            match before {
                Some(meaning) => self.names.insert(name, meaning),
                None => self.names.remove(&name),
            };
        }
    }

    pub(super) fn declare(&mut self, name: Symbol, meaning: Meaning) {
        let before = self.names.insert(name, meaning);
        if let Some(scope) = self.undo.last_mut() {
            scope.push((name, before));
        }
    }

    pub(super) fn is_type(&self, name: Symbol, interner: &Interner) -> bool {
        self.meaning(name, interner) != Meaning::Object
    }

    /// What the name means here; a name that is not known is an object's.
    pub(super) fn meaning(&self, name: Symbol, interner: &Interner) -> Meaning {
        if let Some(&meaning) = self.names.get(&name) {
            return meaning;
        }
        match predefined::lookup(interner.name(name)) {
            Some(Predefined::Arith(_, lanes)) if lanes > 1 => Meaning::VectorType,
            Some(_) => Meaning::Type,
            None => Meaning::Object,
        }
    }
}
