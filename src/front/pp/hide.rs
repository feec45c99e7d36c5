//! Hide sets (Dave Prosser's algorithm for ANSI C's macro expansion, 1986): the names of the macros that a token came
//! out of and which therefore may not replace it again.
//!
//! A set is four bytes: an index into a table in which equal sets have one entry, so that most operations are a table
//! look-up. Invariants: the entries are sorted and different from each other; entry 0 is the empty set.

use super::super::symbol::Symbol;
use std::collections::HashMap;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HideSet(u32);

impl HideSet {
    pub const EMPTY: HideSet = HideSet(0);
}

/// The sets together are too large; the source nests macros without measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep;

pub struct HideSets {
    sets: Vec<Rc<[Symbol]>>,
    index: HashMap<Rc<[Symbol]>, HideSet>,
    unions: HashMap<(HideSet, HideSet), HideSet>,
    /// The sum of the lengths of all sets.
    total: usize,
}

impl HideSets {
    /// How many macros may be nested in each other.
    const MAX_LENGTH: usize = 1024;
    const MAX_TOTAL: usize = 1 << 24;
    const MAX_UNIONS: usize = 1 << 20;

    pub fn new() -> HideSets {
        let empty: Rc<[Symbol]> = Rc::new([]);
        HideSets {
            sets: vec![empty.clone()],
            index: HashMap::from([(empty, HideSet::EMPTY)]),
            unions: HashMap::new(),
            total: 0,
        }
    }

    pub fn contains(&self, set: HideSet, name: Symbol) -> bool {
        set != HideSet::EMPTY && self.sets[set.0 as usize].binary_search(&name).is_ok()
    }

    pub fn with(&mut self, set: HideSet, name: Symbol) -> Result<HideSet, TooDeep> {
        let old = &self.sets[set.0 as usize];
        match old.binary_search(&name) {
            Ok(_) => Ok(set),
            Err(at) => {
                let mut new = old.to_vec();
                new.insert(at, name);
                self.set(new)
            }
        }
    }

    pub fn union(&mut self, a: HideSet, b: HideSet) -> Result<HideSet, TooDeep> {
        if a == b || b == HideSet::EMPTY {
            return Ok(a);
        }
        if a == HideSet::EMPTY {
            return Ok(b);
        }
        if let Some(&known) = self.unions.get(&(a, b)) {
            return Ok(known);
        }
        let mut new = [&self.sets[a.0 as usize][..], &self.sets[b.0 as usize]].concat();
        new.sort_unstable();
        new.dedup();
        let union = self.set(new)?;
        if self.unions.len() >= HideSets::MAX_UNIONS {
            self.unions.clear();
        }
        self.unions.insert((a, b), union);
        Ok(union)
    }

    pub fn intersection(&mut self, a: HideSet, b: HideSet) -> Result<HideSet, TooDeep> {
        if a == b {
            return Ok(a);
        }
        let (small, large) = (&self.sets[a.0 as usize], &self.sets[b.0 as usize]);
        let both = small
            .iter()
            .copied()
            .filter(|s| large.binary_search(s).is_ok());
        let both = both.collect();
        self.set(both)
    }

    fn set(&mut self, names: Vec<Symbol>) -> Result<HideSet, TooDeep> {
        if let Some(&known) = self.index.get(&names[..]) {
            return Ok(known);
        }
        self.total += names.len();
        if names.len() > HideSets::MAX_LENGTH || self.total > HideSets::MAX_TOTAL {
            return Err(TooDeep);
        }
        let names: Rc<[Symbol]> = names.into();
        let set = HideSet(self.sets.len() as u32);
        self.sets.push(names.clone());
        self.index.insert(names, set);
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::symbol::Interner;
    use super::*;

    #[test]
    fn equal_sets_are_one() {
        let mut names = Interner::new();
        let [a, b, c] = ["a", "b", "c"].map(|n| names.intern(n));
        let mut sets = HideSets::new();
        let mut set = |list: &[Symbol]| {
            let mut set = HideSet::EMPTY;
            for &name in list {
                set = sets.with(set, name).unwrap();
            }
            set
        };
        let (ab, ba, bc, abc, just_b) = (
            set(&[a, b]),
            set(&[b, a]),
            set(&[b, c, b]),
            set(&[c, a, b]),
            set(&[b]),
        );
        assert_eq!(ab, ba);
        assert_eq!(sets.union(ab, bc), Ok(abc));
        assert_eq!(sets.union(bc, ab), Ok(abc));
        assert_eq!(sets.intersection(ab, bc), Ok(just_b));
        assert_eq!(sets.intersection(HideSet::EMPTY, bc), Ok(HideSet::EMPTY));
        assert!(sets.contains(abc, c) && !sets.contains(ab, c));
    }

    #[test]
    fn the_table_is_bounded() {
        let mut names = Interner::new();
        let mut sets = HideSets::new();
        let mut set = HideSet::EMPTY;
        let mut deep = 0;
        for i in 0..10_000 {
            match sets.with(set, names.intern(&format!("m{i}"))) {
                Ok(larger) => (set, deep) = (larger, i),
                Err(TooDeep) => break,
            }
        }
        assert_eq!(deep + 1, HideSets::MAX_LENGTH);
    }
}
