//! Whether neighbouring groups of a kernel with barriers may run as one larger group, and which of its local variables
//! then hold the same for all of them.
//!
//! Groups do not know of each other: between two barriers the work-items of several groups may run in any order, as long
//! as nothing synchronises them but barriers (no atomics, fences, volatile accesses or calls), and all of them go from
//! barrier to barrier the same way. That pays where they fill a local variable with the same: the tiles of one matrix
//! of a product depend on the group's number in y only, those of the other on that in x. What such groups share is
//! filled once, and lies once in the cache (`join` makes the kernel).
//!
//! A value depends on a group's number if it is computed from it, is chosen by a branch that depends on it, or is of a
//! round of a loop that ends by it. Memory counts as the same for all groups that read one address: who writes it at the
//! same time races. A local variable is shared along a dimension if all that is stored to it, where and whether it is
//! stored, do not depend on the group's number there, and no way from barrier to barrier both reads and writes it (one group would see
//! what another has overwritten).

use std::collections::{HashMap, HashSet};

use crate::ir::abi::Sharing;
use crate::ir::cfg::Cfg;
use crate::ir::dom::PostDomTree;
use crate::ir::{
    AddrSpace, Block, Function, InstData, LocalId, MemScope, Team, Terminator, Type, Value,
    WorkItemQuery,
};

use super::prompt;

/// On what a value depends: the group's number in x and y, the work-item in its group.
pub const ON_X: u8 = 1;
pub const ON_Y: u8 = 2;
const ON_ITEM: u8 = 4;
const ON_ALL: u8 = ON_X | ON_Y | ON_ITEM;

/// Kernels with more blocks are left alone: the analysis takes time by their square.
const MAX_BLOCKS: usize = 200;

/// What local variables depend on, by variable and by parameter of the kernel.
pub struct Locals {
    pub variables: Vec<u8>,
    pub params: Vec<u8>,
}

/// A local variable, or what a parameter leads to.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Root {
    Variable(LocalId),
    Param(usize),
}

impl Locals {
    pub fn depends(&self, root: Root) -> u8 {
        match root {
            Root::Variable(local) => self.variables[local.index()],
            Root::Param(n) => self.params[n],
        }
    }

    fn add(&mut self, root: Root, on: u8) {
        match root {
            Root::Variable(local) => self.variables[local.index()] |= on,
            Root::Param(n) => self.params[n] |= on,
        }
    }
}

/// Whether groups can be joined, and along which dimensions that saves work.
pub fn pays(func: &Function) -> Sharing {
    let cfg = Cfg::compute(func);
    let Some(locals) = on_graph(func, &cfg) else {
        return Sharing::default();
    };
    let mut sharing = Sharing {
        joins: true,
        rows: has_rows(func) && !prompt::has_loops(&cfg),
        ..Sharing::default()
    };
    for block in func.layout().iter().copied() {
        for &inst in &func.block(block).insts {
            let Some(root) = stored(func, func.inst(inst)) else {
                continue;
            };
            let on = locals.depends(root);
            let is_in_loop = || reach(&cfg, cfg.succs(block), |_| false).contains(&block);
            if on & (ON_X | ON_Y) != ON_X | ON_Y && is_in_loop() {
                sharing.x |= on & ON_X == 0;
                sharing.y |= on & ON_Y == 0;
            }
        }
    }
    sharing
}

/// It asks for its place in y.
fn has_rows(func: &Function) -> bool {
    let insts = func.layout().iter().flat_map(|&b| &func.block(b).insts);
    let mut insts = insts.map(|&inst| func.inst(inst));
    insts.any(|data| {
        matches!(
            data,
            InstData::WorkItem {
                query: WorkItemQuery::GlobalId | WorkItemQuery::GroupId,
                dim: 1
            }
        )
    })
}

/// `None` if groups may not be joined.
pub fn run(func: &Function) -> Option<Locals> {
    on_graph(func, &Cfg::compute(func))
}

fn on_graph(func: &Function, cfg: &Cfg) -> Option<Locals> {
    let blocks: Vec<Block> = cfg.reverse_postorder().collect();
    if func.debug.is_some() || blocks.len() > MAX_BLOCKS {
        return None;
    }
    may_be_joined(func, &blocks)?;
    let after = PostDomTree::compute(cfg);
    let mut pass = Pass {
        func,
        cfg,
        after: &after,
        blocks: &blocks,
        on: vec![0; func.num_values()],
        chosen: vec![0; func.num_blocks()],
        locals: Locals {
            variables: vec![0; func.locals.len()],
            params: vec![0; func.param_values().len()],
        },
        changed: false,
    };
    pass.find_overwritten();
    pass.solve()?;
    Some(pass.locals)
}

/// The local variable of which `ptr` is an address.
pub fn root(func: &Function, ptr: Value) -> Option<Root> {
    let mut at = ptr;
    loop {
        match func.def_inst(at) {
            Some(InstData::PtrAdd { ptr, .. }) => at = *ptr,
            Some(InstData::LocalAddr { local }) => return Some(Root::Variable(*local)),
            Some(_) => return None,
            None => {
                let params = func.param_values();
                return params.iter().position(|&p| p == at).map(Root::Param);
            }
        }
    }
}

/// The local variable that an instruction stores to.
pub fn stored(func: &Function, data: &InstData) -> Option<Root> {
    match *data {
        InstData::Store { ptr, .. } if is_local(func.ty(ptr)) => root(func, ptr),
        _ => None,
    }
}

fn loaded(func: &Function, data: &InstData) -> Option<Root> {
    match *data {
        InstData::Load { ptr, .. } if is_local(func.ty(ptr)) => root(func, ptr),
        _ => None,
    }
}

fn is_local(ty: Type) -> bool {
    ty.addr_space() == Some(AddrSpace::Local)
}

/// Nothing but barriers brings work-items together, and every access to local memory is to a variable that is known.
fn may_be_joined(func: &Function, blocks: &[Block]) -> Option<()> {
    let mut barriers = 0;
    for &block in blocks {
        for &inst in &func.block(block).insts {
            let data = func.inst(inst);
            is_plain(func, data).then_some(())?;
            let result = func.result(inst).map(|r| func.ty(r));
            known_pointer(func, data, result).then_some(())?;
        }
        let params = &func.block(block).params;
        let strange = |ty: Type| {
            is_local(ty) && block != func.entry() || ty.addr_space() == Some(AddrSpace::Generic)
        };
        if params.iter().any(|&p| strange(func.ty(p))) {
            return None;
        }
        match func.term(block) {
            Terminator::Barrier {
                team: Team::Group,
                scope,
                ..
            } if *scope < MemScope::Device => barriers += 1,
            Terminator::Barrier { .. } | Terminator::Collective { .. } => return None,
            _ => {}
        }
    }
    (barriers > 0).then_some(())
}

fn is_plain(func: &Function, data: &InstData) -> bool {
    let local = |v: Value| is_local(func.ty(v));
    match data {
        InstData::Store {
            value, volatile, ..
        } => !volatile && !local(*value),
        InstData::MemCpy { dst, src, .. } => !local(*dst) && !local(*src),
        InstData::MemSet { dst, .. } => !local(*dst),
        InstData::WorkItem { query, .. } => !matches!(
            query,
            WorkItemQuery::SubGroupId
                | WorkItemQuery::SubGroupLocalId
                | WorkItemQuery::SubGroupSize
                | WorkItemQuery::MaxSubGroupSize
                | WorkItemQuery::NumSubGroups
                | WorkItemQuery::EnqueuedNumSubGroups
        ),
        InstData::InSpace { .. } => false,
        _ => !data.has_side_effects(),
    }
}

/// Pointers to local memory are made of a variable's address by sums only, and used for loads and stores only.
fn known_pointer(func: &Function, data: &InstData, result: Option<Type>) -> bool {
    let made = matches!(data, InstData::PtrAdd { .. } | InstData::LocalAddr { .. });
    if result.is_some_and(|ty| ty.addr_space() == Some(AddrSpace::Generic))
        || result.is_some_and(is_local) && !made
    {
        return false;
    }
    let used = matches!(
        data,
        InstData::PtrAdd { .. }
            | InstData::Load { .. }
            | InstData::Store { .. }
            | InstData::Prefetch { .. }
    );
    let mut fine = true;
    data.for_each_use(|v| {
        fine &= !is_local(func.ty(v)) || used && !func.ty(v).is_vector() && root(func, v).is_some();
    });
    fine
}

/// The blocks from `starts` on; those for which `last` says yes are the last ones on their ways.
fn reach(cfg: &Cfg, starts: &[Block], last: impl Fn(Block) -> bool) -> Vec<Block> {
    let mut seen = vec![false; cfg.num_blocks()];
    let (mut work, mut found) = (starts.to_vec(), Vec::new());
    while let Some(block) = work.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        found.push(block);
        if !last(block) {
            work.extend_from_slice(cfg.succs(block));
        }
    }
    found
}

struct Pass<'a> {
    func: &'a Function,
    cfg: &'a Cfg,
    after: &'a PostDomTree,
    blocks: &'a [Block],
    /// By value, and by block: whether it is executed.
    on: Vec<u8>,
    chosen: Vec<u8>,
    locals: Locals,
    changed: bool,
}

impl Pass<'_> {
    /// Variables that are read and written on a way from barrier to barrier belong to each group by itself.
    fn find_overwritten(&mut self) {
        let func = self.func;
        let behind = self.blocks.iter().filter(|&&b| func.term(b).is_barrier());
        let starts = behind.flat_map(|&b| self.cfg.succs(b)).copied();
        let starts: Vec<Block> = starts.chain([func.entry()]).collect();
        for start in starts {
            let (mut reads, mut writes) = (HashSet::new(), HashSet::new());
            for block in reach(self.cfg, &[start], |b| func.term(b).is_barrier()) {
                for &inst in &func.block(block).insts {
                    reads.extend(loaded(func, func.inst(inst)));
                    writes.extend(stored(func, func.inst(inst)));
                }
            }
            for &root in writes.intersection(&reads) {
                self.locals.add(root, ON_X | ON_Y);
            }
        }
    }

    /// The least fixed point. `None` where work-items may go different ways to a barrier.
    fn solve(&mut self) -> Option<()> {
        loop {
            self.changed = false;
            for &block in self.blocks {
                self.block(block)?;
            }
            if !self.changed {
                return Some(());
            }
        }
    }

    fn block(&mut self, block: Block) -> Option<()> {
        let func = self.func;
        for &inst in &func.block(block).insts {
            let data = func.inst(inst);
            let on = self.depends(data);
            if let Some(result) = func.result(inst) {
                self.mark(result, on);
            }
            if let Some(root) = stored(func, data) {
                let before = self.locals.depends(root);
                self.locals.add(root, on | self.chosen[block.index()]);
                self.changed |= self.locals.depends(root) != before;
            }
        }
        let term = func.term(block);
        term.for_each_call(|call| {
            for (&param, &arg) in func.block(call.block).params.iter().zip(&call.args) {
                self.mark(param, self.on[arg.index()]);
            }
        });
        if let Terminator::Branch { cond: v, .. } | Terminator::Switch { value: v, .. } = term {
            self.choose(block, self.on[v.index()])?;
        }
        Some(())
    }

    fn mark(&mut self, value: Value, on: u8) {
        let known = &mut self.on[value.index()];
        self.changed |= *known | on != *known;
        *known |= on;
    }

    fn depends(&self, data: &InstData) -> u8 {
        let mut on = 0;
        data.for_each_use(|v| on |= self.on[v.index()]);
        match *data {
            InstData::WorkItem { query, dim } => match (query, dim) {
                (WorkItemQuery::GroupId, 0) => ON_X,
                (WorkItemQuery::GroupId, 1) => ON_Y,
                (WorkItemQuery::GlobalId, 0) => ON_X | ON_ITEM,
                (WorkItemQuery::GlobalId, 1) => ON_Y | ON_ITEM,
                (WorkItemQuery::GlobalLinearId, _) => ON_ALL,
                (WorkItemQuery::GlobalId | WorkItemQuery::LocalId, _)
                | (WorkItemQuery::LocalLinearId, _) => ON_ITEM,
                _ => 0,
            },
            InstData::Alloca { .. } => ON_ALL,
            InstData::Load { ptr, .. } => match self.func.ty(ptr).addr_space() {
                Some(AddrSpace::Global | AddrSpace::Constant) => on,
                Some(AddrSpace::Local) => {
                    let root = root(self.func, ptr);
                    on | root.map_or(ON_ALL, |root| self.locals.depends(root))
                }
                _ => ON_ALL,
            },
            _ => on,
        }
    }

    /// What a branch at the end of `block` chooses: whether the blocks up to where its ways meet are executed, what comes
    /// in there, and what is computed in the rounds of a loop that it ends.
    fn choose(&mut self, block: Block, on: u8) -> Option<()> {
        if on == 0 {
            return Some(());
        }
        let func = self.func;
        let meet = self.after.ipdom(block);
        let mut ways = reach(self.cfg, self.cfg.succs(block), |b| Some(b) == meet);
        ways.retain(|&at| Some(at) != meet);
        let again = ways.contains(&block);
        for &at in &ways {
            if func.term(at).is_barrier() {
                return None;
            }
            self.changed |= self.chosen[at.index()] | on != self.chosen[at.index()];
            self.chosen[at.index()] |= on;
            if again {
                for &param in &func.block(at).params {
                    self.mark(param, on);
                }
                // What is computed from neither is the same in all rounds.
                for &inst in &func.block(at).insts {
                    if let (InstData::Load { .. }, Some(result)) =
                        (func.inst(inst), func.result(inst))
                    {
                        self.mark(result, on);
                    }
                }
            }
        }
        ways.push(block);
        self.choose_params(&ways, on);
        Some(())
    }

    /// Parameters for which the edges out of `blocks` pass different values depend on what chooses the edge.
    fn choose_params(&mut self, blocks: &[Block], on: u8) {
        let func = self.func;
        let mut passed: HashMap<Value, Value> = HashMap::new();
        for &block in blocks {
            func.term(block).for_each_call(|call| {
                for (&param, &arg) in func.block(call.block).params.iter().zip(&call.args) {
                    if *passed.entry(param).or_insert(arg) != arg {
                        self.mark(param, on);
                    }
                }
            });
        }
    }
}
