//! Unrolls short loops over private arrays altogether, so that their elements become values: indices turn constant,
//! `sroa` splits the array, and what lives across a barrier does so as values rather than as an array. And short loops over
//! neighbours that are kept within bounds (`in[min(x + i, n - 1)]`): then all of these are known before a chunk of items begins, and one
//! question about the bounds is enough for many chunks (`workgroup/wide/assume.rs`; a convolution takes half the time).
//!
//! A loop is unrolled if it is an innermost one without a barrier, counts from a constant by a constant to a constant
//! in few rounds, and reads or writes a variable at an offset that changes in the loop, or memory at such neighbours with no loop around
//! that stays, or the source wishes it. (What
//! the source wishes of other loops is left to LLVM.) The rounds are copies in front
//! of the loop, which stays behind the last one: that it is never reached is left to `fold` and `simplify_cfg`, so that
//! a miscounted loop would still be right.

use std::collections::HashMap;

use crate::ir::cfg::Cfg;
use crate::ir::dom::DomTree;
use crate::ir::eval;
use crate::ir::loops::{Loop, LoopForest};
use crate::ir::{
    BinaryOp, Block, BlockCall, Function, InstData, Terminator, Type, Unroll, Value, WorkItemQuery,
};

use super::replace::Replacements;

/// The most rounds of a loop, instructions of all its rounds, and instructions that one call of the pass adds.
const MAX_ROUNDS: usize = 32;
const MAX_SIZE: usize = 640;
const MAX_ADDED: usize = 4096;
/// Instructions of all rounds of loops in loops, where these only pay if all of them are unrolled: the rounds that only leave a loop are
/// counted as well.
const MAX_NEST_SIZE: usize = 1024;
/// As wished: rounds, and instructions of all of them.
const MAX_WISHED: usize = 128;
const MAX_WISHED_SIZE: usize = 2048;

/// Whether it has unrolled anything.
pub fn run(func: &mut Function) -> bool {
    let mut entry = func.block(func.entry()).insts.iter();
    let has_variables = entry.any(|&i| matches!(func.inst(i), InstData::Alloca { .. }));
    let has_wishes = func
        .layout()
        .iter()
        .any(|&b| func.block(b).unroll.is_some());
    let bounded = bounded_neighbours(func);
    if !has_variables && !has_wishes && !bounded.contains(&true) {
        return false;
    }
    let cfg = Cfg::compute(func);
    let forest = LoopForest::compute(&cfg, &DomTree::compute(&cfg));
    let parents: Vec<_> = forest
        .ids()
        .filter_map(|id| forest.get(id).parent)
        .collect();
    let mut added = 0;
    let mut changed = false;
    for id in forest.ids().filter(|id| !parents.contains(id)) {
        let this = forest.get(id);
        let size: usize = this
            .blocks
            .iter()
            .map(|&b| func.block(b).insts.len() + 1)
            .sum();
        let Some(rounds) = rounds(func, &cfg, this) else {
            continue;
        };
        // The last of the rounds only leaves the loop, where that is decided at its head.
        let (most, largest, wanted) = match func.block(this.header).unroll {
            Some(Unroll::Full) => (MAX_WISHED, MAX_WISHED_SIZE, true),
            Some(Unroll::By(n)) if n as usize + 1 >= rounds => (MAX_WISHED, MAX_WISHED_SIZE, true),
            Some(Unroll::By(_) | Unroll::Never) => continue,
            None => (MAX_ROUNDS, MAX_SIZE, false),
        };
        let fits = rounds <= most && rounds * size <= largest.min(MAX_ADDED - added);
        // Values that have been made since then are not known.
        let is_bounded = |ptr: Value| bounded.get(ptr.index()) == Some(&true);
        let pays = || {
            wanted
                || is_over_variables(func, this)
                || (accesses(func, this, is_bounded)
                    && ends_in_few_rounds(func, &cfg, &forest, this, rounds * size))
        };
        if !fits || !pays() {
            continue;
        }
        if unroll(func, this, rounds) {
            added += rounds * size;
            changed = true;
        }
    }
    changed
}

/// How often control comes to the loop's head, if that is known: the head or the only latch ends in a branch on the
/// comparison of a counter with a constant.
fn rounds(func: &Function, cfg: &Cfg, this: &Loop) -> Option<usize> {
    if this.blocks.iter().any(|&b| func.term(b).is_barrier()) {
        return None;
    }
    let &[latch] = &this.latches[..] else {
        return None;
    };
    let outside: Vec<Block> = cfg
        .preds(this.header)
        .iter()
        .copied()
        .filter(|p| !this.blocks.contains(p))
        .collect();
    let &[entry] = &outside[..] else {
        return None;
    };
    let inside = |b: Block| this.blocks.contains(&b);
    for exiting in [this.header, latch] {
        let Terminator::Branch { cond, then, els } = func.term(exiting) else {
            continue;
        };
        let stays_if = match (inside(then.block), inside(els.block)) {
            (true, false) => true,
            (false, true) => false,
            _ => continue,
        };
        let mut state: HashMap<Value, u64> = HashMap::new();
        let params = &func.block(this.header).params;
        let first = args_to(func, entry, this.header)?;
        let next = args_to(func, latch, this.header)?;
        for (&param, &arg) in params.iter().zip(first) {
            if let Some(bits) = value_in(func, &HashMap::new(), arg, 0) {
                state.insert(param, bits);
            }
        }
        for round in 1..=MAX_WISHED {
            let Some(cond) = value_in(func, &state, *cond, 0) else {
                break;
            };
            if (cond != 0) != stays_if {
                return Some(round);
            }
            let after = params
                .iter()
                .zip(next)
                .filter_map(|(&param, &arg)| Some((param, value_in(func, &state, arg, 0)?)));
            state = after.collect();
        }
    }
    None
}

/// The arguments of the only edge from one block to another.
fn args_to(func: &Function, from: Block, to: Block) -> Option<&Vec<Value>> {
    let mut found = None;
    let mut several = false;
    func.term(from).for_each_call(|call| {
        if call.block == to {
            several |= found.is_some();
            found = Some(&call.args);
        }
    });
    found.filter(|_| !several)
}

/// The value where some are known, by the few instructions that counters are made with.
fn value_in(func: &Function, state: &HashMap<Value, u64>, value: Value, depth: u32) -> Option<u64> {
    if let Some(&bits) = state.get(&value) {
        return Some(bits);
    }
    if depth == 8 {
        return None;
    }
    let of = |v: Value| value_in(func, state, v, depth + 1);
    match *func.def_inst(value)? {
        InstData::IConst { ty, bits } if !ty.is_vector() => Some(bits),
        InstData::Binary { op, args: [a, b] } => {
            let elem = func.ty(a).elem;
            let scalar = !func.ty(a).is_vector() && elem.is_int();
            scalar.then(|| Some(eval::binary(op, elem, of(a)?, of(b)?)))?
        }
        InstData::ICmp { cc, args: [a, b] } => {
            let ty = func.ty(a);
            (!ty.is_vector()).then(|| Some(eval::icmp(cc, ty.elem, of(a)?, of(b)?).into()))?
        }
        InstData::Cast { op, arg, to } => {
            let from = func.ty(arg);
            let ints = from.elem.is_int() && to.elem.is_int() && !to.is_vector();
            ints.then(|| Some(eval::cast(op, from.elem, to.elem, of(arg)?)))?
        }
        _ => None,
    }
}

/// An access in the loop is to a private variable, at an offset that the loop computes.
fn is_over_variables(func: &Function, this: &Loop) -> bool {
    accesses(func, this, |ptr| moves_in_variable(func, ptr))
}

/// The loop reads or writes at an address of which `wanted` says yes.
fn accesses(func: &Function, this: &Loop, wanted: impl Fn(Value) -> bool) -> bool {
    let insts = this.blocks.iter().flat_map(|&b| &func.block(b).insts);
    insts.into_iter().any(|&inst| match *func.inst(inst) {
        InstData::Load { ptr, .. } | InstData::Store { ptr, .. } => wanted(ptr),
        _ => false,
    })
}

/// The loops around are unrolled as well, by and by, when this one is code of so many instructions.
fn ends_in_few_rounds(
    func: &Function,
    cfg: &Cfg,
    forest: &LoopForest,
    this: &Loop,
    mut size: usize,
) -> bool {
    let mut parent = this.parent;
    while let Some(around) = parent.map(|id| forest.get(id)) {
        let Some(rounds) = rounds(func, cfg, around).filter(|&n| n <= MAX_ROUNDS) else {
            return false;
        };
        size *= rounds;
        parent = around.parent;
    }
    size <= MAX_NEST_SIZE
}

/// By value: a multiple of an id in x and something else, which went through a minimum, a maximum, a mask or a remainder; and what is
/// added up from such.
fn bounded_neighbours(func: &Function) -> Vec<bool> {
    let mut by_id = vec![false; func.num_values()];
    let mut bounded = by_id.clone();
    for inst in func.layout().iter().flat_map(|&b| &func.block(b).insts) {
        let Some(result) = func.result(*inst) else {
            continue;
        };
        let data = func.inst(*inst);
        let bounds = match *data {
            InstData::WorkItem { query, dim } => {
                by_id[result.index()] =
                    dim == 0 && matches!(query, WorkItemQuery::GlobalId | WorkItemQuery::LocalId);
                continue;
            }
            InstData::Binary { op, .. } => match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Shl => false,
                BinaryOp::SMin
                | BinaryOp::SMax
                | BinaryOp::UMin
                | BinaryOp::UMax
                | BinaryOp::And
                | BinaryOp::SRem
                | BinaryOp::URem => true,
                _ => continue,
            },
            InstData::Cast { .. } | InstData::PtrAdd { .. } => false,
            _ => continue,
        };
        let (mut of_id, mut of_bounded) = (false, false);
        data.for_each_use(|v| {
            of_id |= by_id[v.index()];
            of_bounded |= bounded[v.index()];
        });
        by_id[result.index()] = of_id;
        bounded[result.index()] = of_bounded || (bounds && of_id);
    }
    bounded
}

fn moves_in_variable(func: &Function, mut ptr: Value) -> bool {
    let mut moves = false;
    loop {
        match func.def_inst(ptr) {
            Some(&InstData::PtrAdd { ptr: base, offset }) => {
                moves |= func.const_bits(offset).is_none();
                ptr = base;
            }
            Some(InstData::Alloca { .. }) => return moves,
            _ => return false,
        }
    }
}

/// Puts copies of the loop's blocks, one for each round, in front of it. False if what leaves it goes several ways.
fn unroll(func: &mut Function, this: &Loop, rounds: usize) -> bool {
    let leaves = |b: &Block| !this.blocks.contains(b);
    let successors = this.blocks.iter().flat_map(|&b| func.successors(b));
    let mut targets: Vec<Block> = successors.filter(leaves).collect();
    targets.sort_unstable();
    targets.dedup();
    let &[target] = &targets[..] else {
        return false;
    };
    close(func, this, target);
    let entries: Vec<Block> = func
        .layout()
        .iter()
        .copied()
        .filter(|b| !this.blocks.contains(b))
        .filter(|&b| func.successors(b).contains(&this.header))
        .collect();
    // From the last round back to the first: each leads to the one that was made before.
    let mut head = this.header;
    for _ in 0..rounds {
        head = copy(func, this, head);
    }
    for block in entries {
        let term = func.block_mut(block).term.as_mut();
        term.expect("a finished block").for_each_call_mut(|call| {
            if call.block == this.header {
                call.block = head;
            }
        });
    }
    true
}

/// Gives the loop a block of its own behind it, with a parameter for each value that is used there.
fn close(func: &mut Function, this: &Loop, target: Block) {
    let mut inside = vec![false; func.num_values()];
    for &block in &this.blocks {
        let data = func.block(block);
        let results = data.insts.iter().filter_map(|&i| func.result(i));
        for value in data.params.iter().copied().chain(results) {
            inside[value.index()] = true;
        }
    }
    let mut used: Vec<Value> = Vec::new();
    for &block in func.layout() {
        if this.blocks.contains(&block) {
            continue;
        }
        let mut note = |v: Value| used.extend(inside[v.index()].then_some(v));
        for &inst in &func.block(block).insts {
            func.inst(inst).for_each_use(&mut note);
        }
        func.term(block).for_each_use(&mut note);
    }
    used.sort_unstable();
    used.dedup();
    let own = func.add_block();
    let types: Vec<Type> = func
        .block(target)
        .params
        .iter()
        .map(|&p| func.ty(p))
        .collect();
    let passed: Vec<Value> = types
        .into_iter()
        .map(|ty| func.add_param(own, ty))
        .collect();
    let mut replace = Replacements::new(func);
    for &value in &used {
        let param = func.add_param(own, func.ty(value));
        replace.set(value, param);
    }
    func.block_mut(own).term = Some(Terminator::Jump(BlockCall {
        block: target,
        args: passed,
    }));
    for block in func.layout().to_vec() {
        let leaves = this.blocks.contains(&block);
        if leaves {
            let term = func.block_mut(block).term.as_mut();
            term.expect("a finished block").for_each_call_mut(|call| {
                if call.block == target {
                    call.block = own;
                    call.args.extend(&used);
                }
            });
            continue;
        }
        for n in 0..func.block(block).insts.len() {
            let inst = func.block(block).insts[n];
            func.inst_mut(inst)
                .for_each_use_mut(|v| *v = replace.get(*v));
        }
        let term = func.block_mut(block).term.as_mut();
        term.expect("a finished block")
            .for_each_use_mut(|v| *v = replace.get(*v));
    }
}

/// A copy of the loop's blocks of which the edges back lead to `next`; its head.
fn copy(func: &mut Function, this: &Loop, next: Block) -> Block {
    let mut values: HashMap<Value, Value> = HashMap::new();
    let mut blocks: HashMap<Block, Block> = HashMap::new();
    for &block in &this.blocks {
        let own = func.add_block();
        blocks.insert(block, own);
        for param in func.block(block).params.clone() {
            let ty = func.ty(param);
            values.insert(param, func.add_param(own, ty));
        }
    }
    // In reverse postorder: definitions come before uses.
    for &block in &this.blocks {
        let own = blocks[&block];
        for inst in func.block(block).insts.clone() {
            let mut data = func.inst(inst).clone();
            data.for_each_use_mut(|v| *v = values.get(v).copied().unwrap_or(*v));
            let result = func.result(inst);
            let ty = result.map(|r| func.ty(r));
            let made = func.make_inst(data, ty, func.loc(inst));
            if let (Some(old), Some(new)) = (result, func.result(made)) {
                values.insert(old, new);
            }
            func.append_inst(own, made);
        }
        let mut term = func.term(block).clone();
        term.for_each_use_mut(|v| *v = values.get(v).copied().unwrap_or(*v));
        term.for_each_call_mut(|call| {
            call.block = match call.block {
                b if b == this.header => next,
                b => blocks.get(&b).copied().unwrap_or(b),
            };
        });
        let loc = func.block(block).term_loc;
        let data = func.block_mut(own);
        data.term = Some(term);
        data.term_loc = loc;
    }
    blocks[&this.header]
}
