//! Interned spellings: an identifier is four bytes, and equal names are equal numbers.
//!
//! Invariant: the keywords of [`super::token::Kw`] are interned first and in their order by [`Interner::new`], so
//! that a symbol tells by its number whether it is a keyword.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A spelling in the [`Interner`] that made it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(u32);

impl Symbol {
    /// The number of the symbol, for side tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

pub struct Interner {
    symbols: HashMap<Arc<str>, Symbol>,
    names: Vec<Arc<str>>,
}

impl Interner {
    pub fn new() -> Interner {
        let mut interner = Interner {
            symbols: HashMap::new(),
            names: Vec::new(),
        };
        for (spelling, _) in super::token::KEYWORDS {
            interner.intern(spelling);
        }
        interner
    }

    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(&symbol) = self.symbols.get(name) {
            return symbol;
        }
        let symbol = Symbol(self.names.len() as u32);
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.symbols.insert(name, symbol);
        symbol
    }

    /// A number that sources with other names, or in another order, hardly ever share.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = std::hash::DefaultHasher::new();
        self.names.hash(&mut hash);
        hash.finish()
    }

    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.index()]
    }
}

impl Default for Interner {
    fn default() -> Interner {
        Interner::new()
    }
}
