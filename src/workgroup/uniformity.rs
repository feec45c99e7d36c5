//! Which values are the same for all items of a group, and which branches can send them different ways.
//!
//! A value is *uniform* if all items that compute it together hold the same; else it *varies*. Ids vary; arguments,
//! sizes and group ids do not. What is read from memory varies, because racy programs must not break our assumptions,
//! unless it is constant memory at a uniform address. A parameter of a block that items reach by disjoint paths
//! varies, and so does what leaves a loop in different iterations (temporal divergence).
//!
//! Irreducible graphs, and graphs that cost more than the budget, count as varying altogether.

use std::collections::HashMap;

use crate::ir::cfg::Cfg;
use crate::ir::dom::DomTree;
use crate::ir::loops::{LoopForest, irreducible_edge};
use crate::ir::{
    AddrSpace, Block, Function, Inst, InstData, Team, Terminator, Value, WorkItemQuery,
};

use super::regions::Regions;
use super::sync::{Split, SyncDependence};

pub struct Uniformity {
    varying: Vec<bool>,
    splits: HashMap<Block, Split>,
}

impl Uniformity {
    pub fn is_varying(&self, value: Value) -> bool {
        self.varying[value.index()]
    }

    /// What the end of `block` does to items that come there together; `None` if they stay together.
    pub fn split(&self, block: Block) -> Option<&Split> {
        self.splits.get(&block)
    }
}

pub fn run(func: &Function, regions: &Regions) -> Uniformity {
    let cfg = Cfg::compute(func);
    let dom = DomTree::compute(&cfg);
    if irreducible_edge(&cfg, &dom).is_some() {
        return all_varying(func);
    }
    let loops = LoopForest::compute(&cfg, &dom);
    let mut pass = Pass {
        func,
        loops: &loops,
        sync: SyncDependence::new(func, regions, &cfg, &loops),
        users: users(func),
        varying: vec![false; func.num_values()],
        splits: HashMap::new(),
        work: Vec::new(),
    };
    pass.seed();
    match pass.run() {
        Some(()) => Uniformity {
            varying: pass.varying,
            splits: pass.splits,
        },
        None => all_varying(func),
    }
}

fn all_varying(func: &Function) -> Uniformity {
    let branches = func.layout().iter().filter(|&&b| {
        matches!(
            func.term(b),
            Terminator::Branch { .. } | Terminator::Switch { .. }
        )
    });
    let split = || Split {
        ends: Vec::new(),
        unbounded: true,
        lapped: true,
    };
    Uniformity {
        varying: vec![true; func.num_values()],
        splits: branches.map(|&b| (b, split())).collect(),
    }
}

#[derive(Clone, Copy)]
enum User {
    Inst(Block, Inst),
    /// What a branch or switch decides by.
    Decides(Block),
    /// An operand of a collective or return.
    Term(Block),
    /// Passed from a block to a parameter.
    Param(Block, Value),
}

impl User {
    fn block(self) -> Block {
        match self {
            User::Inst(b, _) | User::Decides(b) | User::Term(b) | User::Param(b, _) => b,
        }
    }
}

fn users(func: &Function) -> Vec<Vec<User>> {
    let mut users = vec![Vec::new(); func.num_values()];
    for &block in func.layout() {
        for &inst in &func.block(block).insts {
            func.inst(inst)
                .for_each_use(|v| users[v.index()].push(User::Inst(block, inst)));
        }
        let term = func.term(block);
        match term {
            Terminator::Branch { cond: v, .. } | Terminator::Switch { value: v, .. } => {
                users[v.index()].push(User::Decides(block));
            }
            Terminator::Collective { args, .. } => {
                for v in args {
                    users[v.index()].push(User::Term(block));
                }
            }
            _ => {}
        }
        term.for_each_call(|call| {
            for (&arg, &param) in call.args.iter().zip(&func.block(call.block).params) {
                users[arg.index()].push(User::Param(block, param));
            }
        });
    }
    users
}

struct Pass<'a> {
    func: &'a Function,
    loops: &'a LoopForest,
    sync: SyncDependence<'a>,
    users: Vec<Vec<User>>,
    varying: Vec<bool>,
    splits: HashMap<Block, Split>,
    work: Vec<Value>,
}

impl Pass<'_> {
    fn mark(&mut self, value: Value) {
        if !std::mem::replace(&mut self.varying[value.index()], true) {
            self.work.push(value);
        }
    }

    fn seed(&mut self) {
        let func = self.func;
        for &block in func.layout() {
            for &inst in &func.block(block).insts {
                if let Some(result) = func.result(inst)
                    && varies_by_itself(func, func.inst(inst))
                {
                    self.mark(result);
                }
            }
            if let Terminator::Collective { team, op, next, .. } = func.term(block)
                && !(*team == Team::Group && op.gives_one())
                && let Some(&result) = func.block(next.block).params.last()
            {
                self.mark(result);
            }
        }
    }

    fn run(&mut self) -> Option<()> {
        while let Some(value) = self.work.pop() {
            for n in 0..self.users[value.index()].len() {
                match self.users[value.index()][n] {
                    User::Inst(_, inst) => {
                        if let Some(result) = self.func.result(inst) {
                            self.mark(result);
                        }
                    }
                    User::Param(_, param) => self.mark(param),
                    User::Decides(block) => self.diverge(block)?,
                    User::Term(_) => {}
                }
            }
        }
        Some(())
    }

    fn diverge(&mut self, block: Block) -> Option<()> {
        if self.splits.contains_key(&block) {
            return Some(());
        }
        let influence = self.sync.influence(block)?;
        for join in influence.joins {
            for &param in &self.func.block(join).params {
                self.mark(param);
            }
        }
        for id in influence.divergent_loops {
            let loops = self.loops;
            for &inside in &loops.get(id).blocks {
                let data = self.func.block(inside);
                let results = data.insts.iter().filter_map(|&i| self.func.result(i));
                for value in data.params.iter().copied().chain(results) {
                    let leaves = |u: &User| !loops.contains(id, u.block());
                    if !self.varying[value.index()] && self.users[value.index()].iter().any(leaves)
                    {
                        self.mark(value);
                    }
                }
            }
        }
        self.splits.insert(block, influence.split);
        Some(())
    }
}

/// Differs between items even if all operands are the same.
fn varies_by_itself(func: &Function, data: &InstData) -> bool {
    match data {
        InstData::Load { ptr, volatile, .. } => {
            *volatile || func.ty(*ptr).addr_space() != Some(AddrSpace::Constant)
        }
        InstData::WorkItem { query, .. } => matches!(
            query,
            WorkItemQuery::GlobalId
                | WorkItemQuery::LocalId
                | WorkItemQuery::GlobalLinearId
                | WorkItemQuery::LocalLinearId
                | WorkItemQuery::SubGroupId
                | WorkItemQuery::SubGroupLocalId
                | WorkItemQuery::SubGroupSize
        ),
        InstData::Alloca { .. }
        | InstData::AtomicLoad { .. }
        | InstData::AtomicRmw { .. }
        | InstData::AtomicCmpXchg { .. }
        | InstData::Clock
        | InstData::Device { .. }
        | InstData::Printf { .. }
        | InstData::Call { .. } => true,
        _ => false,
    }
}
