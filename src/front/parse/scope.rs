//! Which ordinary identifiers name types (C99, 6.2.1): enough to tell `T * x;` from `a * b;`. Tags, members and
//! labels have name spaces of their own and don't appear here.

use super::super::predefined;
use super::super::symbol::{Interner, Symbol};
use std::collections::HashMap;

pub(super) struct Scopes {
    /// Whether the innermost declaration of a name is a typedef.
    names: HashMap<Symbol, bool>,
    /// For each open scope, what its declarations replaced.
    undo: Vec<Vec<(Symbol, Option<bool>)>>,
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
                Some(is_type) => self.names.insert(name, is_type),
                None => self.names.remove(&name),
            };
        }
    }

    pub(super) fn declare(&mut self, name: Symbol, is_type: bool) {
        let before = self.names.insert(name, is_type);
        if let Some(scope) = self.undo.last_mut() {
            scope.push((name, before));
        }
    }

    pub(super) fn is_type(&self, name: Symbol, interner: &Interner) -> bool {
        match self.names.get(&name) {
            Some(&is_type) => is_type,
            None => predefined::lookup(interner.name(name)).is_some(),
        }
    }
}
