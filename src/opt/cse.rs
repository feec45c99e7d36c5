//! One computation where the same is asked for twice: an instruction without effects whose operands were met before, on
//! every way to it, stands for the earlier one. Memory is not looked at.
//!
//! A value is not reused where a barrier may lie between (constants and places in the NDRange are): kept across a barrier
//! it would need a home for each work-item, which costs more than what most instructions compute. What the source promises
//! about an instruction, and whose rules of arithmetic it follows, is part of what is compared.
//!
//! Source: value numbering over the dominator tree (Briggs, Cooper, Simpson, "Value Numbering", 1997).

use std::collections::HashMap;

use crate::ir::cfg::Cfg;
use crate::ir::dom::DomTree;
use crate::ir::{Block, Function, Inst, InstData, LIBRARY_FILE, Type, Value};

use super::replace::Replacements;

/// How many blocks are looked at to find a barrier between two places; beyond, one is assumed.
const MAX_BETWEEN: usize = 64;
/// How many earlier computations of one kind are kept: those on other branches are of no use.
const MAX_KEPT: usize = 4;

pub fn run(func: &mut Function) {
    let cfg = Cfg::compute(func);
    let dom = DomTree::compute(&cfg);
    let mut pass = Pass {
        replace: Replacements::new(func),
        met: HashMap::new(),
        between: Between {
            cfg: &cfg,
            apart: HashMap::new(),
        },
        dom: &dom,
        func,
    };
    for &block in dom.preorder() {
        for n in 0..pass.func.block(block).insts.len() {
            let inst = pass.func.block(block).insts[n];
            pass.inst(block, inst);
        }
    }
    // Arguments of back edges were met before what they stand for was known.
    pass.replace.apply(pass.func);
}

/// What makes two instructions the same.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    data: InstData,
    ty: Type,
    exact: bool,
    of_library: bool,
}

struct Pass<'f> {
    func: &'f mut Function,
    dom: &'f DomTree,
    replace: Replacements,
    met: HashMap<Key, Vec<(Value, Block)>>,
    between: Between<'f>,
}

/// What lies on the ways from one block to another.
struct Between<'f> {
    cfg: &'f Cfg,
    /// By an earlier and a later block: a barrier may lie between.
    apart: HashMap<(Block, Block), bool>,
}

impl Pass<'_> {
    fn inst(&mut self, block: Block, inst: Inst) {
        let replace = &mut self.replace;
        self.func
            .inst_mut(inst)
            .for_each_use_mut(|v| *v = replace.get(*v));
        let (Some(result), data) = (self.func.result(inst), self.func.inst(inst)) else {
            return;
        };
        if !is_pure(data) {
            return;
        }
        let free = is_free(data);
        let loc = self.func.loc(inst);
        let key = Key {
            data: data.clone(),
            ty: self.func.ty(result),
            exact: loc.exact,
            of_library: loc.file == LIBRARY_FILE,
        };
        let known = self.met.entry(key).or_default();
        let earlier = known.iter().rev().find(|&&(_, at)| {
            self.dom.dominates(at, block) && (free || !self.between.barrier(self.func, at, block))
        });
        if let Some(&(value, _)) = earlier {
            self.replace.set(result, value);
            return;
        }
        if known.len() == MAX_KEPT {
            known.remove(0);
        }
        known.push((result, block));
    }
}

impl Between<'_> {
    /// May a way from `from` to `to`, which it dominates, cross a barrier?
    fn barrier(&mut self, func: &Function, from: Block, to: Block) -> bool {
        if from == to {
            return false;
        }
        if let Some(&known) = self.apart.get(&(from, to)) {
            return known;
        }
        let mut seen = vec![to];
        let mut next = 0;
        let mut found = false;
        while let Some(&at) = seen.get(next)
            && !found
        {
            next += 1;
            for &pred in self.cfg.preds(at) {
                found |= func.term(pred).is_barrier();
                if pred != from && self.cfg.is_reachable(pred) && !seen.contains(&pred) {
                    seen.push(pred);
                }
            }
            found |= seen.len() > MAX_BETWEEN;
        }
        self.apart.insert((from, to), found);
        found
    }
}

/// The result depends on the operands alone.
pub(super) fn is_pure(data: &InstData) -> bool {
    match data {
        InstData::Load { .. }
        | InstData::MaskedLoad { .. }
        | InstData::Gather { .. }
        | InstData::Alloca { .. } => false,
        _ => !data.has_side_effects(),
    }
}

/// Computed again wherever it is wanted.
fn is_free(data: &InstData) -> bool {
    matches!(
        data,
        InstData::IConst { .. }
            | InstData::FConst { .. }
            | InstData::WorkItem { .. }
            | InstData::GlobalAddr { .. }
            | InstData::LocalAddr { .. }
    )
}
