//! The control flow of a region for a chunk of work-items.
//!
//! Blocks that all lanes come to together keep their branches. A cluster of divergent blocks is emitted in a line:
//! each block runs under the mask of the lanes that come to it, the `or` of its edges' masks, and its parameters are
//! chosen from what the edges bring. Divergent loops are in `live`.
//!
//! A line runs with empty masks too. That is harmless for masked accesses; a scalar access and a loop get a branch
//! around them. Source: Moll and Hack, "Partial Control-Flow Linearization" (PLDI 2018), of which this keeps the
//! uniform branches outside of clusters only.

use std::collections::HashMap;

use crate::ir::{
    BinaryOp, Block, BlockCall, IntCC, LIBRARY_FILE, SrcLoc, Terminator, UnaryOp, Value,
};

use crate::workgroup::crossing::Home;
use crate::workgroup::group::DONE;
use crate::workgroup::item::Report;

use super::shape::Shape;
use super::{Rep, Widen};

/// The state of the walk over the blocks.
pub struct Flow {
    /// By node: the block to branch to, where uniform control can come.
    blocks: Vec<Option<Block>>,
    /// By node: the edges to it out of what is emitted already.
    pub pending: HashMap<u32, Vec<Edge>>,
    pub open: Vec<OpenLoop>,
    /// By divergent node: the lanes that came to it.
    pub masks: HashMap<u32, Value>,
    /// By loop: the lanes that entered it.
    pub entered: HashMap<usize, Value>,
}

impl Flow {
    pub fn new(nodes: usize) -> Self {
        Self {
            blocks: vec![None; nodes],
            pending: HashMap::new(),
            open: Vec::new(),
            masks: HashMap::new(),
            entered: HashMap::new(),
        }
    }
}

#[derive(Clone)]
pub struct Edge {
    /// All lanes without a mask.
    pub mask: Option<Value>,
    pub args: Vec<Rep>,
}

pub struct OpenLoop {
    pub index: usize,
    pub back: Vec<Edge>,
    pub exits: Vec<(u32, Edge)>,
}

/// Where an edge leads.
enum To {
    Node(u32),
    /// Out of the region: to the head of another, or to the end.
    Region(Option<usize>),
}

impl Widen<'_, '_> {
    pub fn run(&mut self) {
        let start = self.frame.start;
        for node in 0..self.graph.len() as u32 {
            self.make_block(node);
        }
        for node in 0..self.graph.len() as u32 {
            let Some(block) = self.flow.blocks[node as usize] else {
                continue;
            };
            self.cur = block;
            self.mask = None;
            if self.plan.is_divergent(node) {
                let params = self.group.func.block(self.graph.block(node)).params.clone();
                let args = params.iter().map(|p| self.map[p].clone()).collect();
                self.flow
                    .pending
                    .insert(node, vec![Edge { mask: None, args }]);
                self.cluster(self.plan.cluster[node as usize]);
                continue;
            }
            self.instructions(node);
            if self.plan.splits[node as usize] {
                let targets = self.masked_terminator(node);
                self.cluster_behind(targets);
            } else {
                self.uniform_terminator(node);
            }
        }
        let first = self.flow.blocks[0].expect("the head is entered");
        self.group.at(start).jump(first, Vec::new());
    }

    /// A block to branch to, with parameters of the right form, unless only masks lead there.
    fn make_block(&mut self, node: u32) {
        let graph = self.graph;
        let entered = node == 0
            || graph
                .preds(node)
                .iter()
                .any(|&p| !self.plan.is_divergent(p) && !self.plan.splits[p as usize]);
        if self.plan.is_divergent(node) && !entered {
            return;
        }
        let block = self.group.out.add_block();
        self.flow.blocks[node as usize] = Some(block);
        if node == 0 {
            return;
        }
        for &param in &self.group.func.block(graph.block(node)).params {
            let shape = self.plan.shape(param);
            let ty = self.group.func.ty(param);
            let rep = self.parameter(block, ty, shape);
            self.map.insert(param, rep);
        }
    }

    fn instructions(&mut self, node: u32) {
        let func = self.group.func;
        let block = self.graph.block(node);
        if node != 0 {
            for &param in &func.block(block).params {
                self.keep_definition(param);
            }
        }
        for &inst in &func.block(block).insts {
            self.inst(node, inst);
        }
    }

    fn to(&self, call: &BlockCall) -> To {
        match self.group.regions.headed_by(call.block) {
            Some(target) => To::Region(Some(target)),
            None => To::Node(self.graph.node(call.block).expect("a block of the region")),
        }
    }

    // All lanes together.

    fn uniform_terminator(&mut self, node: u32) {
        let func = self.group.func;
        let block = self.graph.block(node);
        let loc = func.block(block).term_loc;
        let mut term = func.term(block).clone();
        match &mut term {
            Terminator::Return(_) | Terminator::Unreachable => self.leave(None),
            Terminator::Barrier { next, .. } | Terminator::Collective { next, .. } => {
                let target = self.group.regions.headed_by(next.block);
                self.store_for_region(node, target, func.term(block), &[]);
                self.leave(target);
            }
            Terminator::Jump(call) => {
                *call = self.uniform_edge(node, call);
                let cur = self.cur;
                self.group.at_loc(cur, loc).terminate(term);
            }
            Terminator::Branch { cond: v, .. } | Terminator::Switch { value: v, .. } => {
                let rep = self.operand(*v, node);
                *v = self.first(&rep);
                let cur = self.cur;
                term.for_each_call_mut(|call| *call = self.uniform_edge(node, call));
                self.group.at_loc(cur, loc).terminate(term);
            }
        }
    }

    /// The arguments are made in the current block; a block that leaves the region is new.
    fn uniform_edge(&mut self, node: u32, call: &BlockCall) -> BlockCall {
        let func = self.group.func;
        let reps: Vec<Rep> = call.args.iter().map(|&v| self.operand(v, node)).collect();
        match self.to(call) {
            To::Node(to) => BlockCall {
                block: self.flow.blocks[to as usize].expect("uniform control comes here"),
                args: self.arguments(to, &reps),
            },
            To::Region(target) => {
                let exit = self.group.out.add_block();
                let cur = std::mem::replace(&mut self.cur, exit);
                for (&param, rep) in func.block(call.block).params.iter().zip(&reps) {
                    self.store_home(param, rep);
                }
                self.store_live(node, target);
                self.leave(target);
                self.cur = cur;
                BlockCall {
                    block: exit,
                    args: Vec::new(),
                }
            }
        }
    }

    /// What stands for the values as arguments of a block of the region.
    pub fn arguments(&mut self, to: u32, reps: &[Rep]) -> Vec<Value> {
        let params = &self.group.func.block(self.graph.block(to)).params;
        let shapes: Vec<Shape> = params.iter().map(|&p| self.plan.shape(p)).collect();
        reps.iter()
            .zip(shapes)
            .map(|(rep, shape)| self.argument(rep, shape))
            .collect()
    }

    /// What a barrier's or an edge's target wants stored, of the lanes that are on.
    fn store_for_region(
        &mut self,
        node: u32,
        target: Option<usize>,
        term: &Terminator,
        params: &[(Value, Rep)],
    ) {
        if let (Terminator::Collective { args, .. }, Some(target)) = (term, target) {
            for (n, &arg) in args.iter().enumerate() {
                let rep = self.operand(arg, node);
                let slot = self.group.operands[&target][n];
                let address = self.slot(slot);
                self.keep_lanes(&rep, address);
            }
        }
        for (param, rep) in params {
            self.store_home(*param, rep);
        }
        self.store_live(node, target);
    }

    fn store_live(&mut self, node: u32, target: Option<usize>) {
        let crossing = self.group.crossing;
        for &value in target.iter().flat_map(|&t| &crossing.live[t]) {
            if self.is_direct(value, node) && !matches!(crossing.home(value), Home::ItemAtDef(_)) {
                let rep = self.operand(value, node);
                self.store_home(value, &rep);
            }
        }
    }

    /// Ends the current block: all lanes go on to `target`, or have returned.
    fn leave(&mut self, target: Option<usize>) {
        let (cur, latch) = (self.cur, self.frame.latch);
        let number = match self.frame.report {
            Report::Nothing => None,
            Report::Next => Some(target.map_or(DONE, |t| t as u32)),
            Report::Alive => Some(target.map_or(0, |_| u32::from(self.lanes))),
        };
        let args = number.map(|number| self.group.region_const(cur, number));
        self.group.at(cur).jump(latch, args.into_iter().collect());
    }

    // Under masks.

    /// The edges out of a block of which each has a mask; those that leave the region store what must be.
    fn masked_terminator(&mut self, node: u32) -> Vec<u32> {
        let func = self.group.func;
        let term = func.term(self.graph.block(node));
        let mut targets = Vec::new();
        match term {
            Terminator::Return(_) | Terminator::Unreachable => {}
            Terminator::Barrier { next, .. } | Terminator::Collective { next, .. } => {
                let target = self.group.regions.headed_by(next.block);
                self.store_for_region(node, target, term, &[]);
            }
            Terminator::Jump(call) => targets.extend(self.masked_edge(node, call, self.mask)),
            Terminator::Branch { cond, then, els } => {
                let rep = self.operand(*cond, node);
                let cond = self.lanes(&rep);
                let cur = self.cur;
                let not = self.group.at(cur).unary(UnaryOp::Not, cond);
                for (call, chosen) in [(then, cond), (els, not)] {
                    let mask = self.and(chosen);
                    targets.extend(self.masked_edge(node, call, Some(mask)));
                }
            }
            Terminator::Switch {
                value,
                cases,
                default,
            } => {
                let rep = self.operand(*value, node);
                let value = self.lanes(&rep);
                let ty = self.group.out.ty(value);
                let mut rest = self.mask_value();
                for (bits, call) in cases {
                    let cur = self.cur;
                    let mut b = self.group.at(cur);
                    let bits = b.iconst(ty, *bits);
                    let hit = b.icmp(IntCC::Eq, value, bits);
                    let miss = b.unary(UnaryOp::Not, hit);
                    rest = self.both(rest, miss);
                    let mask = self.and(hit);
                    targets.extend(self.masked_edge(node, call, Some(mask)));
                }
                targets.extend(self.masked_edge(node, default, Some(rest)));
            }
        }
        targets
    }

    /// The lanes that are on and in `chosen`. What a lane that is off computed may be nothing that LLVM accepts (a NaN
    /// under fast math), so it is not looked at: a select, where `and` would.
    fn and(&mut self, chosen: Value) -> Value {
        match self.mask {
            Some(mask) => self.both(mask, chosen),
            None => chosen,
        }
    }

    fn both(&mut self, mask: Value, chosen: Value) -> Value {
        let off = self.zeros(self.group.out.ty(mask));
        self.select(mask, chosen, off)
    }

    fn masked_edge(&mut self, node: u32, call: &BlockCall, mask: Option<Value>) -> Option<u32> {
        let args: Vec<Rep> = call.args.iter().map(|&v| self.operand(v, node)).collect();
        match self.to(call) {
            To::Node(to) => {
                self.add_edge(to, Edge { mask, args });
                Some(to)
            }
            To::Region(target) => {
                let all = std::mem::replace(&mut self.mask, mask);
                let func = self.group.func;
                let params = func.block(call.block).params.iter().copied();
                let params: Vec<(Value, Rep)> = params.zip(args).collect();
                let term = Terminator::Unreachable;
                self.store_for_region(node, target, &term, &params);
                self.mask = all;
                None
            }
        }
    }

    pub fn add_edge(&mut self, to: u32, edge: Edge) {
        if let Some(open) = self.flow.open.last_mut() {
            let this = &self.plan.loops[open.index];
            if to == this.header {
                open.back.push(edge);
                return;
            }
            if !this.inside[to as usize] {
                open.exits.push((to, edge));
                return;
            }
        }
        self.flow.pending.entry(to).or_default().push(edge);
    }

    /// The cluster that a branch of all lanes leads to, if it does not skip to the block behind.
    fn cluster_behind(&mut self, targets: Vec<u32>) {
        let inside = targets.iter().find(|&&t| self.plan.is_divergent(t));
        match inside {
            Some(&t) => self.cluster(self.plan.cluster[t as usize]),
            None => self.finish_cluster(),
        }
    }

    fn cluster(&mut self, number: usize) {
        let members: Vec<u32> = (0..self.graph.len() as u32)
            .filter(|&n| self.plan.cluster[n as usize] == number)
            .collect();
        self.line(&members, None);
        self.finish_cluster();
    }

    /// All lanes are together again: in the one block behind the cluster, or at the end of the region.
    fn finish_cluster(&mut self) {
        self.mask = None;
        let behind: Vec<u32> = self.flow.pending.keys().copied().collect();
        match behind[..] {
            [] => self.leave(self.only_exit()),
            [to] => {
                let edges = self.flow.pending.remove(&to).expect("just seen");
                let params = self.group.func.block(self.graph.block(to)).params.clone();
                let reps: Vec<Rep> = (0..params.len())
                    .map(|k| self.chosen(&edges, k, params[k]))
                    .collect();
                let args = self.arguments(to, &reps);
                let block = self.flow.blocks[to as usize].expect("all lanes come here");
                let cur = self.cur;
                self.group.at(cur).jump(block, args);
            }
            _ => panic!("a cluster leads to several blocks"),
        }
    }

    /// Where all lanes go that leave the region under masks.
    fn only_exit(&self) -> Option<usize> {
        self.group.regions.list[self.frame.region]
            .exits
            .first()
            .copied()
    }

    /// Emits divergent blocks of one loop (or of none) one behind the other, inner loops as a whole.
    pub fn line(&mut self, members: &[u32], level: Option<usize>) {
        let mut done = vec![false; self.graph.len()];
        for &node in members {
            if done[node as usize] {
                continue;
            }
            let mut child = None;
            let mut at = self.plan.innermost[node as usize];
            while let Some(l) = at.filter(|&l| Some(l) != level) {
                let this = &self.plan.loops[l];
                if !self.plan.is_divergent(this.header) {
                    break;
                }
                child = Some(l);
                at = this.parent;
            }
            match child {
                None => self.block(node),
                Some(l) => {
                    let inside = &self.plan.loops[l].inside;
                    let inner: Vec<u32> = members
                        .iter()
                        .copied()
                        .filter(|&n| inside[n as usize])
                        .collect();
                    for &n in &inner {
                        done[n as usize] = true;
                    }
                    self.divergent_loop(l, &inner);
                }
            }
        }
    }

    fn block(&mut self, node: u32) {
        let Some(edges) = self.flow.pending.remove(&node) else {
            return;
        };
        self.arrive(node, &edges);
        self.instructions(node);
        self.masked_terminator(node);
    }

    /// Takes the mask and the parameters from the edges.
    fn arrive(&mut self, node: u32, edges: &[Edge]) {
        self.mask = self.any_of(edges);
        if let Some(mask) = self.mask {
            self.flow.masks.insert(node, mask);
        }
        let params = self.group.func.block(self.graph.block(node)).params.clone();
        for (k, param) in params.into_iter().enumerate() {
            let rep = self.chosen(edges, k, param);
            self.map.insert(param, rep);
        }
    }

    pub fn any_of(&mut self, edges: &[Edge]) -> Option<Value> {
        let mut all = None;
        for edge in edges {
            let mask = edge.mask?;
            all = Some(match all {
                None => mask,
                Some(all) => self.binary(BinaryOp::Or, all, mask),
            });
        }
        all
    }

    /// The k-th argument, of each lane from the edge that it came by.
    pub fn chosen(&mut self, edges: &[Edge], k: usize, param: Value) -> Rep {
        let shape = self.plan.shape(param);
        let whole = edges.iter().find(|e| e.mask.is_none());
        let first = whole.unwrap_or(&edges[0]);
        if shape != Shape::Varying || whole.is_some() || edges.len() == 1 {
            return self.in_shape(&first.args[k], shape);
        }
        let mut value = self.lanes(&first.args[k]);
        for edge in &edges[1..] {
            let other = self.lanes(&edge.args[k]);
            let mask = edge.mask.expect("looked for above");
            value = self.select(mask, other, value);
        }
        Rep::Lanes(value)
    }

    /// Chooses without fast-math flags: a NaN passes.
    pub fn select(&mut self, mask: Value, then: Value, els: Value) -> Value {
        let exact = SrcLoc {
            file: LIBRARY_FILE,
            ..SrcLoc::default()
        };
        let mask = self.for_components(mask, then);
        let cur = self.cur;
        self.group.at_loc(cur, exact).select(mask, then, els)
    }
}
