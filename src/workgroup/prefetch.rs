//! Reads ahead in loops whose accesses move on by a step that the processor does not foresee: its own prefetchers stop
//! at the ends of pages, and do not see a loop across barriers at all.
//!
//! An address is followed if it moves on in the innermost loop around it by a step that is the same in all rounds, and
//! far or not known. What it will be some rounds later is computed as it is now, from counters that are so far ahead.
//! Loads that are less than a line of the cache apart share a prefetch. What the items of other rows read as well is
//! left alone where rows meet at barriers: it is in the cache after the first row. Chunks of items only do it (`wide`); of those that
//! run in lockstep (`jam`), only what all of them read (a column of a matrix, for which naive products wait else: 0.8 of the time).

use std::collections::HashMap;

use crate::ir::cfg::Cfg;
use crate::ir::dom::DomTree;
use crate::ir::loops::{Loop, LoopForest};
use crate::ir::{
    AddrSpace, BinaryOp, Block, CastOp, Function, InstData, Value, ValueDef, WorkItemQuery,
};

use super::wide::linear::{Numbers, Terms};

/// Rounds to look ahead: for a loop in which each round is long, because the items of a group wait for each other, and
/// for others. (Measured on a histogram of bytes: 1, 2, 4 and 8 rounds ahead take 0.8, 0.6, 0.4 and 0.33 of the time.)
const ROUNDS_WITH_BARRIERS: u64 = 1;
const ROUNDS: u64 = 8;

/// Accesses that move on by fewer bytes are left to the processor: two in a page at the least.
const FAR: i64 = 2048;
/// Bytes of a line of the cache.
const LINE: i64 = 64;
/// As many addresses are followed in a loop.
const MAX_FOLLOWED: usize = 4;
const MAX_DEPTH: u32 = 12;

/// Adds prefetches to a prepared kernel.
pub fn run(func: &mut Function) {
    let cfg = Cfg::compute(func);
    let forest = LoopForest::compute(&cfg, &DomTree::compute(&cfg));
    if forest.ids().next().is_none() {
        return;
    }
    let mut homes = vec![None; func.num_values()];
    for &block in func.layout() {
        let data = func.block(block);
        let results = data.insts.iter().filter_map(|&i| func.result(i));
        for value in data.params.iter().copied().chain(results) {
            homes[value.index()] = Some(block);
        }
    }
    let numbers = Numbers::of(func);
    let rows = by_row(func);
    for id in forest.ids() {
        let this = forest.get(id);
        let own = |b: &Block| forest.innermost(*b) == Some(id);
        let blocks: Vec<Block> = this.blocks.iter().copied().filter(own).collect();
        let context = Context {
            homes: &homes,
            numbers: &numbers,
            by_row: rows.as_deref(),
        };
        follow(func, this, &blocks, &context);
    }
}

/// What is known of the whole kernel.
struct Context<'a> {
    homes: &'a [Option<Block>],
    numbers: &'a Numbers,
    /// See [`by_row`].
    by_row: Option<&'a [bool]>,
}

/// By value: the items of other rows may have another. `None` if the kernel does not ask for rows.
fn by_row(func: &Function) -> Option<Vec<bool>> {
    use WorkItemQuery as Q;
    let mut differs = vec![false; func.num_values()];
    let mut rows = false;
    loop {
        let mut changed = false;
        let mut mark = |value: Value, differs: &mut Vec<bool>| {
            changed |= !std::mem::replace(&mut differs[value.index()], true);
        };
        for &block in func.layout() {
            for &inst in &func.block(block).insts {
                let Some(result) = func.result(inst) else {
                    continue;
                };
                let data = func.inst(inst);
                let mut from_rows = match *data {
                    InstData::WorkItem {
                        query: Q::GlobalId | Q::LocalId | Q::GroupId,
                        dim,
                    } => dim > 0,
                    InstData::WorkItem {
                        query: Q::GlobalLinearId | Q::LocalLinearId,
                        ..
                    } => true,
                    _ => false,
                };
                rows |= from_rows;
                data.for_each_use(|v| from_rows |= differs[v.index()]);
                if from_rows {
                    mark(result, &mut differs);
                }
            }
            func.term(block).for_each_call(|call| {
                for (&arg, &param) in call.args.iter().zip(&func.block(call.block).params) {
                    if differs[arg.index()] {
                        mark(param, &mut differs);
                    }
                }
            });
        }
        if !rows {
            return None;
        }
        if !changed {
            return Some(differs);
        }
    }
}

fn follow(func: &mut Function, this: &Loop, blocks: &[Block], context: &Context) {
    let Context {
        homes,
        numbers,
        by_row,
    } = *context;
    let loop_values = LoopValues {
        func,
        this,
        homes,
        counters: counters(func, this, homes),
    };
    let waits = this.blocks.iter().any(|&b| func.term(b).is_barrier());
    // Items of many rows between two barriers are more streams than the processor follows.
    let far = if waits && by_row.is_some() { LINE } else { FAR };
    let mut found: Vec<(Block, usize, Value)> = Vec::new();
    let mut places: Vec<(Terms, i64)> = Vec::new();
    for &block in blocks {
        for (n, &inst) in func.block(block).insts.iter().enumerate() {
            let &InstData::Load {
                ptr,
                volatile: false,
                ..
            } = func.inst(inst)
            else {
                continue;
            };
            let space = func.ty(ptr).addr_space();
            if !matches!(space, Some(AddrSpace::Global | AddrSpace::Constant))
                || (waits && by_row.is_some_and(|differs| !differs[ptr.index()]))
            {
                continue;
            }
            let moves_on = match loop_values.step(ptr, 0) {
                Some(Step::Known(bytes)) => bytes.abs() >= far,
                Some(Step::Unknown) => true,
                None => false,
            };
            let Some((terms, constant)) = numbers.linear(func, ptr).filter(|_| moves_on) else {
                continue;
            };
            let near = |p: &(Terms, i64)| p.0 == terms && (p.1 - constant).abs() < LINE;
            if !places.iter().any(near) {
                places.push((terms, constant));
                found.push((block, n, ptr));
            }
        }
    }
    if found.len() > MAX_FOLLOWED {
        return;
    }
    let rounds = if waits { ROUNDS_WITH_BARRIERS } else { ROUNDS };
    let counters = loop_values.counters;
    // From the last to the first of a block, so that places stay what they are.
    for (block, n, ptr) in found.into_iter().rev() {
        let rest = func.block_mut(block).insts.split_off(n);
        let mut ahead = Ahead {
            func,
            block,
            rounds,
            counters: &counters,
            made: HashMap::new(),
        };
        let ptr = ahead.value(ptr);
        ahead.push(InstData::Prefetch { ptr });
        func.block_mut(block).insts.extend(rest);
    }
}

/// The parameters of the loop's head to which each round adds what is the same in all rounds, and that.
fn counters(func: &Function, this: &Loop, homes: &[Option<Block>]) -> HashMap<Value, Value> {
    let mut out = HashMap::new();
    let &[latch] = &this.latches[..] else {
        return out;
    };
    let mut back: Vec<Value> = Vec::new();
    func.term(latch).for_each_call(|call| {
        if call.block == this.header {
            back.clone_from(&call.args);
        }
    });
    for (&param, &arg) in func.block(this.header).params.iter().zip(&back) {
        let ty = func.ty(param);
        if !ty.elem.is_int() || ty.is_vector() {
            continue;
        }
        let wide = match func.def_inst(arg) {
            Some(&InstData::Cast {
                op: CastOp::Trunc,
                arg,
                ..
            }) => arg,
            _ => arg,
        };
        let Some(&InstData::Binary {
            op: BinaryOp::Add,
            args: [a, b],
        }) = func.def_inst(wide)
        else {
            continue;
        };
        let is_param = |v: Value| {
            v == param
                || matches!(func.def_inst(v), Some(&InstData::Cast {
                    op: CastOp::ZExt | CastOp::SExt, arg, .. }) if arg == param)
        };
        let by = match (is_param(a), is_param(b)) {
            (true, _) => b,
            (_, true) => a,
            _ => continue,
        };
        let fixed = |v: Value| match func.def_inst(v) {
            Some(InstData::IConst { .. } | InstData::WorkItem { .. }) => true,
            _ => !homes[v.index()].is_some_and(|home| this.blocks.contains(&home)),
        };
        if fixed(by) {
            out.insert(param, by);
        }
    }
    out
}

/// By how many bytes or units a value moves on in each round.
enum Step {
    Known(i64),
    Unknown,
}

struct LoopValues<'a> {
    func: &'a Function,
    this: &'a Loop,
    homes: &'a [Option<Block>],
    counters: HashMap<Value, Value>,
}

impl LoopValues<'_> {
    /// `None` if the rounds do not all move it on by the same.
    fn step(&self, value: Value, depth: u32) -> Option<Step> {
        let func = self.func;
        if let Some(&by) = self.counters.get(&value) {
            return Some(func.const_int(by).map_or(Step::Unknown, Step::Known));
        }
        if !self.homes[value.index()].is_some_and(|home| self.this.blocks.contains(&home)) {
            return Some(Step::Known(0));
        }
        if depth == MAX_DEPTH {
            return None;
        }
        let of = |v: Value| self.step(v, depth + 1);
        let known = |step: i64| Some(Step::Known(step));
        match *func.def_inst(value)? {
            InstData::IConst { .. } | InstData::WorkItem { .. } | InstData::GlobalAddr { .. } => {
                known(0)
            }
            InstData::Cast {
                op: CastOp::SExt | CastOp::ZExt | CastOp::Trunc | CastOp::AddrSpaceCast,
                arg,
                ..
            } => of(arg),
            InstData::PtrAdd { ptr: a, offset: b }
            | InstData::Binary {
                op: BinaryOp::Add,
                args: [a, b],
            } => match (of(a)?, of(b)?) {
                (Step::Known(a), Step::Known(b)) => known(a.checked_add(b)?),
                _ => Some(Step::Unknown),
            },
            InstData::Binary {
                op: BinaryOp::Sub,
                args: [a, b],
            } => match (of(a)?, of(b)?) {
                (Step::Known(a), Step::Known(b)) => known(a.checked_sub(b)?),
                _ => Some(Step::Unknown),
            },
            InstData::Binary {
                op: BinaryOp::Mul,
                args: [a, b],
            } => match (of(a)?, of(b)?) {
                (Step::Known(0), Step::Known(0)) => known(0),
                (Step::Known(step), Step::Known(0)) => Some(self.times(step, b)),
                (Step::Known(0), Step::Known(step)) => Some(self.times(step, a)),
                (Step::Unknown, Step::Known(0)) | (Step::Known(0), Step::Unknown) => {
                    Some(Step::Unknown)
                }
                _ => None,
            },
            InstData::Binary {
                op: BinaryOp::Shl,
                args: [a, b],
            } => match of(a)? {
                Step::Known(0) => known(0),
                Step::Known(step) => known(step.checked_mul(1 << func.const_int(b)?.min(40))?),
                Step::Unknown => Some(Step::Unknown),
            },
            _ => None,
        }
    }

    fn times(&self, step: i64, by: Value) -> Step {
        self.func
            .const_int(by)
            .and_then(|c| step.checked_mul(c))
            .map_or(Step::Unknown, Step::Known)
    }
}

/// Computes what values will be some rounds later, at the end of a block.
struct Ahead<'a> {
    func: &'a mut Function,
    block: Block,
    rounds: u64,
    counters: &'a HashMap<Value, Value>,
    made: HashMap<Value, Value>,
}

impl Ahead<'_> {
    fn value(&mut self, value: Value) -> Value {
        if let Some(&made) = self.made.get(&value) {
            return made;
        }
        let made = match self.counters.get(&value).copied() {
            Some(by) => self.counter(value, by),
            None => self.again(value),
        };
        self.made.insert(value, made);
        made
    }

    fn counter(&mut self, counter: Value, by: Value) -> Value {
        let ty = self.func.ty(counter);
        let own = match self.func.def_inst(by) {
            Some(data @ (InstData::IConst { .. } | InstData::WorkItem { .. })) => {
                Some(data.clone())
            }
            _ => None,
        };
        // It may be computed behind the place where it is wanted.
        let by = own.map_or(by, |data| self.made(data, by));
        let by = match self.func.ty(by) == ty {
            true => by,
            false => self.made(
                InstData::Cast {
                    op: CastOp::Trunc,
                    arg: by,
                    to: ty,
                },
                counter,
            ),
        };
        let rounds = InstData::IConst {
            ty,
            bits: self.rounds,
        };
        let rounds = self.made(rounds, counter);
        let far = InstData::Binary {
            op: BinaryOp::Mul,
            args: [by, rounds],
        };
        let far = self.made(far, counter);
        let sum = InstData::Binary {
            op: BinaryOp::Add,
            args: [counter, far],
        };
        self.made(sum, counter)
    }

    /// What is computed from counters, computed from what these will be.
    fn again(&mut self, value: Value) -> Value {
        let ValueDef::Result(inst) = self.func.value(value).def else {
            return value;
        };
        let mut data = self.func.inst(inst).clone();
        let moves = matches!(
            data,
            InstData::Cast { .. } | InstData::PtrAdd { .. } | InstData::Binary { .. }
        );
        if !moves {
            return value;
        }
        let mut differs = false;
        data.for_each_use_mut(|v| {
            let new = self.value(*v);
            differs |= new != *v;
            *v = new;
        });
        match differs {
            true => self.made(data, value),
            false => value,
        }
    }

    /// The result of an instruction, of the type of another value.
    fn made(&mut self, data: InstData, like: Value) -> Value {
        let ty = self.func.ty(like);
        let inst = self.func.make_inst(data, Some(ty), Default::default());
        self.func.append_inst(self.block, inst);
        self.func.result(inst).expect("asked for above")
    }

    fn push(&mut self, data: InstData) {
        let inst = self.func.make_inst(data, None, Default::default());
        self.func.append_inst(self.block, inst);
    }
}
