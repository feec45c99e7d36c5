//! What a region decides for the group as a whole: which region is next, and the values that it passes on.
//!
//! After all items have run through a region, a copy of its control flow runs once, with what is the same for all
//! items and needed to go on, and nothing else. So trip counts and counters of loops with barriers are plain SSA values
//! of the group function, and real branches join the regions.
//!
//! What is uniform depends on nothing but arguments, sizes, group ids and constant memory, so that computing it once
//! more is harmless and gives the same. At a branch that sends items different ways the copy goes where they meet again;
//! where some of them return, it follows those that go on. What is needed is found as in aggressive dead-code
//! elimination: ends of the region are needed, and what needed blocks are control-dependent on (Cytron et al.,
//! "Efficiently Computing Static Single Assignment Form and the Control Dependence Graph", 1991, 7.1).

use std::collections::{HashMap, HashSet};

use crate::ir::types::{I1, I64};
use crate::ir::{
    BinaryOp, Block, BlockCall, CastOp, Function, InstData, Terminator, Value, ValueDef,
};

use super::crossing::Home;
use super::graph::Subgraph;
use super::group::Group;
use super::limit::{self, Limit};
use super::ways::{Way, Ways};

/// Goes on from `done`, where all items have run through the region. `full`: no item has returned, if that is known.
pub fn run(group: &mut Group, region: usize, done: Block, full: Option<Value>) {
    let ways = Ways::new(group, region);
    if ways.ipdom.first().is_none_or(Option::is_none) {
        group.at(done).ret(None);
        return;
    }
    let mut pass = Slice::new(group, region, ways, done);
    pass.full = full;
    pass.find_needed();
    pass.emit();
}

/// Finds out, at the end of `setup`, how many items of a row have something to do in the region. Returns the block that
/// goes on, and the number; `None` if all may have.
pub fn width(group: &mut Group, region: usize, setup: Block) -> Option<(Block, Value)> {
    let limits = limit::find(group, region)?;
    let ways = Ways::before(group, region, |n| limits.contains_key(&n));
    ways.ipdom.first().copied().flatten()?;
    let join = group.out.add_block();
    let width = group.out.add_param(join, I64);
    let mut pass = Slice::new(group, region, ways, setup);
    pass.early = Some(Early { join, limits });
    pass.find_needed();
    pass.emit();
    Some((join, width))
}

/// The copy runs before the items do, up to what sends them different ways.
struct Early {
    /// Takes the number of items that go on.
    join: Block,
    limits: HashMap<u32, Option<Limit>>,
}

struct Slice<'g, 'a> {
    func: &'a Function,
    group: &'g mut Group<'a>,
    region: usize,
    graph: &'a Subgraph,
    ways: Ways,
    controls: Vec<Vec<u32>>,
    done: Block,
    full: Option<Value>,
    early: Option<Early>,
    /// By node: it is part of the copy; its terminator decides something.
    live: Vec<bool>,
    decides: Vec<bool>,
    needed: HashSet<Value>,
    work: Vec<(Value, u32)>,
    /// By node: its copy.
    blocks: Vec<Option<Block>>,
    map: HashMap<Value, Value>,
    brought: HashMap<Value, Value>,
}

impl<'g, 'a> Slice<'g, 'a> {
    fn new(group: &'g mut Group<'a>, region: usize, ways: Ways, done: Block) -> Self {
        let graph = &group.regions.list[region].graph;
        let count = graph.len();
        Self {
            func: group.func,
            group,
            region,
            graph,
            controls: ways.controls(),
            ways,
            done,
            full: None,
            early: None,
            live: vec![false; count],
            decides: vec![false; count],
            needed: HashSet::new(),
            work: Vec::new(),
            blocks: vec![None; count],
            map: HashMap::new(),
            brought: HashMap::new(),
        }
    }

    fn find_needed(&mut self) {
        for n in 0..self.graph.len() as u32 {
            if self.ways.leaves[n as usize] {
                self.leaving(n);
            }
        }
        while let Some((value, node)) = self.work.pop() {
            self.need(value, node);
        }
    }

    /// What leads out of the region is kept, with what it passes on.
    fn leaving(&mut self, n: u32) {
        self.keep_decision(n);
        if let Some(early) = &self.early {
            let limit = early.limits.get(&n).copied().flatten();
            self.work.extend(limit.map(|limit| (limit.value, n)));
            return;
        }
        let func = self.func;
        let term = func.term(self.graph.block(n));
        let mut k = 0;
        let way = self.ways.way[n as usize];
        let mut work = Vec::new();
        term.for_each_call(|call| {
            let taken = way == Way::All || way == Way::Call(k);
            k += 1;
            if let Some(target) = self.group.regions.headed_by(call.block).filter(|_| taken) {
                for &value in &self.group.passed[target] {
                    work.push((passed_by(func, call, value), n));
                }
            }
        });
        self.work.extend(work);
    }

    fn keep_block(&mut self, n: u32) {
        if std::mem::replace(&mut self.live[n as usize], true) {
            return;
        }
        for k in 0..self.controls[n as usize].len() {
            self.keep_decision(self.controls[n as usize][k]);
        }
    }

    fn keep_decision(&mut self, n: u32) {
        if std::mem::replace(&mut self.decides[n as usize], true) {
            return;
        }
        if self.ways.way[n as usize] == Way::All
            && let Terminator::Branch { cond: v, .. } | Terminator::Switch { value: v, .. } =
                self.func.term(self.graph.block(n))
        {
            self.work.push((*v, n));
        }
        self.keep_block(n);
    }

    fn need(&mut self, value: Value, node: u32) {
        if !self.group.is_direct(self.graph, value, node)
            || self.func.param_values().contains(&value)
            || !self.needed.insert(value)
        {
            return;
        }
        let block = self.group.crossing.def_block(value);
        let def = self.graph.node(block).expect("a direct value");
        self.keep_block(def);
        match self.func.value(value).def {
            ValueDef::Result(inst) => {
                let work = &mut self.work;
                self.func.inst(inst).for_each_use(|v| work.push((v, def)));
            }
            ValueDef::Param(_, n) => {
                let mut preds = self.graph.preds(def).to_vec();
                preds.sort_unstable();
                preds.dedup();
                for p in preds {
                    if self.ways.to[p as usize].is_empty() {
                        continue;
                    }
                    let way = self.ways.way[p as usize];
                    let mut k = 0;
                    let mut args = Vec::new();
                    self.func.term(self.graph.block(p)).for_each_call(|call| {
                        if call.block == block && (way == Way::All || way == Way::Call(k)) {
                            args.push(call.args[n as usize]);
                        }
                        k += 1;
                    });
                    if args.is_empty() {
                        continue;
                    }
                    self.work.extend(args.into_iter().map(|v| (v, p)));
                    self.keep_block(p);
                    if self.ways.to[p as usize].len() + usize::from(self.ways.leaves[p as usize])
                        > 1
                    {
                        self.keep_decision(p);
                    }
                }
            }
        }
    }

    fn emit(&mut self) {
        let func = self.func;
        for n in 0..self.graph.len() {
            if self.live[n] {
                let block = self.group.clone_of(self.graph.block(n as u32));
                self.blocks[n] = Some(block);
                if n == 0 {
                    continue;
                }
                for &param in &func.block(self.graph.block(n as u32)).params {
                    if self.needed.contains(&param) {
                        let copy = self.group.out.add_param(block, func.ty(param));
                        self.map.insert(param, copy);
                    }
                }
            }
        }
        for n in 0..self.graph.len() as u32 {
            let Some(here) = self.blocks[n as usize] else {
                continue;
            };
            for &inst in &func.block(self.graph.block(n)).insts {
                let Some(result) = func.result(inst).filter(|r| self.needed.contains(r)) else {
                    continue;
                };
                let mut data = func.inst(inst).clone();
                let copy = if let InstData::WorkItem { query, dim } = data {
                    self.group.query(query, dim)
                } else {
                    data.for_each_use_mut(|v| *v = self.operand(*v, n));
                    let mut b = self.group.at_loc(here, func.loc(inst));
                    let copy = b.push(data, Some(func.ty(result)));
                    b.func.result(copy).expect("a result was asked for")
                };
                self.map.insert(result, copy);
            }
            self.terminator(n, here);
        }
        let first = self.next(0);
        let (done, first) = (self.done, first.block);
        self.group.at(done).jump(first, Vec::new());
    }

    fn terminator(&mut self, n: u32, here: Block) {
        let func = self.func;
        let block = self.graph.block(n);
        let loc = func.block(block).term_loc;
        let mut term = func.term(block).clone();
        let way = self.ways.way[n as usize];
        if way == Way::All
            && self.decides[n as usize]
            && let Terminator::Branch { cond: v, .. } | Terminator::Switch { value: v, .. } =
                &mut term
        {
            *v = self.operand(*v, n);
            term.for_each_call_mut(|call| *call = self.call(n, call));
            self.group.at_loc(here, loc).terminate(term);
            return;
        }
        let jump = match way {
            Way::Stop => None,
            Way::Meet(meet) => Some(self.next(meet)),
            Way::All if self.ways.to[n as usize].len() > 1 => {
                let meet = self.ways.ipdom[n as usize].expect("an item comes to the end");
                Some(self.next(meet as u32))
            }
            Way::All | Way::Call(_) => {
                let mut k = 0;
                let mut only = None;
                term.for_each_call(|call| {
                    if way == Way::All || way == Way::Call(k) {
                        only = Some(call.clone());
                    }
                    k += 1;
                });
                only.map(|call| self.call(n, &call))
            }
        };
        let term = match (jump, &self.early) {
            (Some(jump), _) => Terminator::Jump(jump),
            (None, Some(_)) => Terminator::Jump(self.start_items(n, here)),
            (None, None) => Terminator::Return(None),
        };
        self.group.at_loc(here, loc).terminate(term);
    }

    /// The items run: as many as the limit at this node says.
    fn start_items(&mut self, n: u32, here: Block) -> BlockCall {
        let size = self.group.sizes[0];
        let early = self.early.as_ref().expect("before the items");
        let (join, limit) = (early.join, early.limits.get(&n).copied().flatten());
        let width = match limit {
            None => size,
            Some(limit) => {
                let value = self.operand(limit.value, n);
                let mut b = self.group.at(here);
                let op = if limit.signed {
                    CastOp::SExt
                } else {
                    CastOp::ZExt
                };
                let mut value = match b.func.ty(value) {
                    I64 => value,
                    _ => b.cast(op, value, I64),
                };
                if limit.signed {
                    let none = b.iconst(I64, if limit.inclusive { u64::MAX } else { 0 });
                    value = b.binary(BinaryOp::SMax, value, none);
                    value = b.binary(BinaryOp::SMin, value, size);
                } else {
                    value = b.binary(BinaryOp::UMin, value, size);
                }
                if limit.inclusive {
                    let one = b.iconst(I64, 1);
                    value = b.binary(BinaryOp::Add, value, one);
                    value = b.binary(BinaryOp::UMin, value, size);
                }
                value
            }
        };
        BlockCall {
            block: join,
            args: vec![width],
        }
    }

    /// The first part of the copy on the way from `node` on. It takes no arguments if it is not `node` itself.
    fn next(&self, node: u32) -> BlockCall {
        let mut at = node as usize;
        loop {
            if let Some(block) = self.blocks[at] {
                return BlockCall {
                    block,
                    args: Vec::new(),
                };
            }
            at = self.ways.ipdom[at].expect("what leads out of the region is part of the copy");
        }
    }

    fn call(&mut self, n: u32, call: &BlockCall) -> BlockCall {
        let func = self.func;
        if let Some(target) = self.group.regions.headed_by(call.block) {
            if let Some(early) = &self.early {
                return BlockCall {
                    block: early.join,
                    args: vec![self.group.sizes[0]],
                };
            }
            let passed = self.group.passed[target].clone();
            let mut args: Vec<Value> = passed
                .into_iter()
                .map(|value| self.operand(passed_by(func, call, value), n))
                .collect();
            if self.group.flow.thinned(target) {
                args.push(self.is_full());
            }
            return BlockCall {
                block: self.group.starts[target],
                args,
            };
        }
        let to = self.graph.node(call.block).expect("a block of the region");
        if self.blocks[to as usize].is_none() {
            return self.next(to);
        }
        let params = &func.block(call.block).params;
        let needed = params.iter().zip(&call.args);
        let needed = needed.filter(|(param, _)| self.needed.contains(param));
        let args: Vec<Value> = needed.map(|(_, &arg)| arg).collect();
        BlockCall {
            block: self.blocks[to as usize].expect("looked at above"),
            args: args.into_iter().map(|arg| self.operand(arg, n)).collect(),
        }
    }

    fn is_full(&mut self) -> Value {
        let done = self.done;
        *self
            .full
            .get_or_insert_with(|| self.group.at(done).iconst(I1, 1))
    }

    fn operand(&mut self, value: Value, node: u32) -> Value {
        if self.group.is_direct(self.graph, value, node)
            && let Some(&copy) = self.map.get(&value)
        {
            return copy;
        }
        self.outside(value)
    }

    /// A value from before the region, in `done`.
    fn outside(&mut self, value: Value) -> Value {
        if let Some(&copy) = self.brought.get(&value) {
            return copy;
        }
        let (func, done) = (self.func, self.done);
        let copy = if let Some(n) = func.param_values().iter().position(|&p| p == value) {
            self.group.out.param_values()[n]
        } else {
            match self.group.home(value) {
                Home::Group => self.group.incoming(self.region, value),
                Home::Recompute => {
                    let mut data = func.def_inst(value).expect("an instruction").clone();
                    if let InstData::WorkItem { query, dim } = data {
                        self.group.query(query, dim)
                    } else {
                        data.for_each_use_mut(|v| *v = self.outside(*v));
                        let mut b = self.group.at(done);
                        let inst = b.push(data, Some(func.ty(value)));
                        b.func.result(inst).expect("a result was asked for")
                    }
                }
                home => panic!("{value} of {} is not the group's but {home:?}", func.name),
            }
        };
        self.brought.insert(value, copy);
        copy
    }
}

/// What a call of a region's head passes for `value`: an argument, if it is a parameter of the head.
fn passed_by(func: &Function, call: &BlockCall, value: Value) -> Value {
    match func.value(value).def {
        ValueDef::Param(block, n) if block == call.block => {
            call.args.get(n as usize).copied().unwrap_or(value)
        }
        _ => value,
    }
}
