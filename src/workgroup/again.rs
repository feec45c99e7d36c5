//! Varying values that need no slot for each item although they are not made of ids and arguments alone: they are computed
//! again, in the regions that use them, from uniform values that the group function passes on anyway or may pass on.
//!
//! What is gained is not the slot but what is known of the value: the place `(l - k) * 4 + k`, with `k = l & (p - 1)`, from
//! before a barrier is any number behind it, but computed there the chunk sees that its lanes lie in a row.
//!
//! What such a value is made of is the same behind the region's head as where it was computed first: all of it dominates
//! the value, so that nothing of it is computed anew on a way on which the value is not. Left out are values of
//! which a region may see both the one it started with and one that it computes, and values that are used outside of
//! a loop around what they are made of: items may leave it in different rounds, each with its own.

use std::collections::{BTreeSet, HashMap};

use crate::ir::cfg::Cfg;
use crate::ir::dom::DomTree;
use crate::ir::loops::LoopForest;
use crate::ir::{Block, Function, LoopId, Value, ValueDef};

use super::crossing::{CHEAP, own_cost};
use super::uniformity::Uniformity;

/// As many uniform values, at most, may be passed on for one.
const MAX_FROM: usize = 3;

/// What is known of the values that cross.
pub struct Crossings<'a> {
    pub func: &'a Function,
    pub uniformity: &'a Uniformity,
    /// By value: the operations to compute it from ids and arguments.
    pub cost: &'a [u32],
    /// By region.
    pub live: &'a [Vec<Value>],
    pub at_def: &'a [bool],
}

/// The values to compute again, with those that they are made of, each with the uniform values behind it.
pub fn choose(crossings: &Crossings) -> HashMap<Value, Vec<Value>> {
    let mut out = HashMap::new();
    let crossing: BTreeSet<Value> = crossings.live.iter().flatten().copied().collect();
    let places = Places::of(crossings.func);
    for &value in &crossing {
        let mut chain = Chain::default();
        if !crossings.add(value, &mut chain) || chain.from.is_empty() {
            continue;
        }
        let dear = |v: &&Value| crossings.cost[v.index()] > CHEAP;
        let made: Vec<Value> = chain.made.iter().filter(dear).copied().collect();
        if !made.iter().all(|&v| places.suit(v, &chain)) {
            continue;
        }
        for made in made {
            let mut own = Chain::default();
            crossings.add(made, &mut own);
            out.insert(made, own.from.into_iter().collect());
        }
    }
    out
}

/// Where values are defined and used.
struct Places {
    loops: LoopForest,
    defs: HashMap<Value, Block>,
    uses: HashMap<Value, Vec<Block>>,
}

impl Places {
    fn of(func: &Function) -> Self {
        let cfg = Cfg::compute(func);
        let mut defs = HashMap::new();
        let mut uses: HashMap<Value, Vec<Block>> = HashMap::new();
        for &block in func.layout() {
            let data = func.block(block);
            let results = data.insts.iter().filter_map(|&i| func.result(i));
            defs.extend(
                data.params
                    .iter()
                    .copied()
                    .chain(results)
                    .map(|v| (v, block)),
            );
            let mut note = |v: Value| uses.entry(v).or_default().push(block);
            for &inst in &data.insts {
                func.inst(inst).for_each_use(&mut note);
            }
            func.term(block).for_each_use(&mut note);
        }
        Self {
            loops: LoopForest::compute(&cfg, &DomTree::compute(&cfg)),
            defs,
            uses,
        }
    }

    /// All uses of a value are in the loops around the uniform values of its chain.
    fn suit(&self, value: Value, chain: &Chain) -> bool {
        let uses = self.uses.get(&value).into_iter().flatten();
        let around: BTreeSet<LoopId> = chain
            .from
            .iter()
            .filter_map(|v| self.loops.innermost(self.defs[v]))
            .collect();
        uses.copied()
            .all(|block| around.iter().all(|&id| self.loops.contains(id, block)))
    }
}

/// What it takes to compute a value.
#[derive(Default)]
struct Chain {
    /// The results of the operations.
    made: BTreeSet<Value>,
    /// The uniform values that they begin with.
    from: BTreeSet<Value>,
}

impl Crossings<'_> {
    /// Adds what it takes to compute a value; false if it takes too much.
    fn add(&self, value: Value, chain: &mut Chain) -> bool {
        let &Crossings {
            func,
            uniformity,
            cost,
            at_def,
            ..
        } = self;
        if chain.made.contains(&value) || chain.from.contains(&value) || cost[value.index()] == 0 {
            return true;
        }
        if !uniformity.is_varying(value) && cost[value.index()] > CHEAP {
            chain.from.insert(value);
            return chain.from.len() <= MAX_FROM;
        }
        let ValueDef::Result(inst) = func.value(value).def else {
            return false;
        };
        let elem = func.ty(value).elem;
        let counts = match own_cost(func, inst) {
            Some(own) => own > 0,
            None => return false,
        };
        if at_def[value.index()] || !(elem.is_int() || elem.is_ptr()) {
            return false;
        }
        if counts {
            chain.made.insert(value);
        }
        let mut fits = chain.made.len() <= CHEAP as usize;
        func.inst(inst)
            .for_each_use(|v| fits = fits && self.add(v, chain));
        fits
    }
}
