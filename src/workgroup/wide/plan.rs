//! Whether a region can run for several work-items in x at once (a *chunk*), and how.
//!
//! A block is *partial* if it may run for a part of the lanes (`sync`); then it runs under a mask. A loop is
//! *divergent* if lanes can leave it in different iterations: it runs while a lane is alive, and the values that leave
//! it vary (temporal divergence). Blocks are emitted once each, in the order of `loops::order`. What has no form for
//! several lanes is refused (`refuse`), and the region runs item by item.

use std::collections::HashMap;

use crate::ir::{Block, Function, Inst, InstData, Terminator, Value};
use crate::workgroup::Machine;
use crate::workgroup::crossing::{Crossing, is_head_param};
use crate::workgroup::graph::Subgraph;
use crate::workgroup::regions::Regions;

use super::fields::Fields;
use super::loops::{self, Edges, Loop, Order};
use super::shape::{self, Shape, Span};

/// How a region runs in chunks.
pub struct Plan {
    pub lanes: u16,
    /// The number of instructions in the region.
    pub insts: usize,
    /// By node.
    pub partial: Vec<bool>,
    /// By node: it ends in a branch that sends the lanes different ways.
    pub splits: Vec<bool>,
    /// Inner loops come before outer ones.
    pub loops: Vec<Loop>,
    /// By node.
    pub innermost: Vec<Option<usize>>,
    pub order: Order,
    /// By node: another that the same lanes come to, before.
    pub like: Vec<Option<u32>>,
    /// By node: it is worth a branch around it, for when no lane comes.
    pub gated: Vec<bool>,
    /// Values that are used outside of a divergent loop that computes them, with the outermost loop that they leave.
    pub temporal: HashMap<Value, usize>,
    /// What each block reads of values that are computed in the region; ascending.
    pub uses: Vec<(Value, u32)>,
    pub shapes: HashMap<Value, Shape>,
    pub fields: Fields,
}

impl Plan {
    /// The shape of a value where it is defined in the region.
    pub fn shape(&self, value: Value) -> Shape {
        self.shapes.get(&value).copied().unwrap_or(Shape::Varying)
    }

    pub fn is_partial(&self, node: u32) -> bool {
        self.partial[node as usize]
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.partial.len()
    }

    /// The loop that a block heads.
    pub fn headed_loop(&self, node: u32) -> Option<usize> {
        self.innermost[node as usize].filter(|&l| self.loops[l].header == node)
    }

    pub fn is_header(&self, node: u32) -> bool {
        self.headed_loop(node).is_some()
    }

    /// The node where the edges back of a loop meet.
    pub fn latch(&self, index: usize) -> u32 {
        (self.len() + index) as u32
    }

    /// The end of the region.
    pub fn end(&self) -> u32 {
        (self.len() + self.loops.len()) as u32
    }

    /// The divergent loops from the innermost around `node` that do not contain `other`.
    pub fn leaves_divergent(&self, node: u32, other: u32) -> bool {
        let mut at = self.innermost[node as usize];
        while let Some(l) = at.filter(|&l| !self.loops[l].inside[other as usize]) {
            if self.loops[l].divergent {
                return true;
            }
            at = self.loops[l].parent;
        }
        false
    }
}

pub struct Input<'a> {
    pub func: &'a Function,
    pub regions: &'a Regions,
    pub crossing: &'a Crossing,
    pub region: usize,
    /// What it must pay on, if it must.
    pub machine: Option<Machine>,
}

/// The most blocks and instructions of a region that is widened.
const MAX_BLOCKS: usize = 512;
const MAX_INSTS: usize = 20_000;

/// `None` if the region can't run in chunks of `lanes` items.
pub fn run(input: &Input, lanes: u16) -> Option<Plan> {
    let graph = &input.regions.list[input.region].graph;
    let insts: usize = graph
        .blocks
        .iter()
        .map(|&b| input.func.block(b).insts.len())
        .sum();
    let n = graph.len();
    if n > MAX_BLOCKS || insts > MAX_INSTS || lanes < 2 {
        return None;
    }
    let edges = loops::edges(input, graph);
    let (loops, innermost) = loops::find_loops(graph, &edges)?;
    let idom = loops::dominators(graph);
    let mut pass = Pass {
        input,
        graph,
        edges,
        joins: vec![false; n],
        back_joins: vec![false; n],
        plan: Plan {
            lanes,
            insts,
            partial: vec![false; n],
            splits: vec![false; n],
            order: loops::order(&loops, &innermost, &idom),
            loops,
            innermost,
            like: vec![None; n],
            gated: vec![false; n],
            temporal: HashMap::new(),
            uses: Vec::new(),
            shapes: HashMap::new(),
            fields: Fields::default(),
        },
        idom,
    };
    pass.only_known_instructions()?;
    pass.solve();
    pass.find_like();
    if let Some(machine) = input.machine {
        pass.pays(machine)?;
    }
    pass.find_uses();
    pass.find_temporal();
    pass.find_gates();
    pass.find_fields();
    Some(pass.plan)
}

pub struct Pass<'a> {
    pub input: &'a Input<'a>,
    pub graph: &'a Subgraph,
    pub edges: Edges,
    pub idom: Vec<u32>,
    /// By node: lanes come to it by disjoint paths from a branch; or come round its loop by them.
    pub joins: Vec<bool>,
    pub back_joins: Vec<bool>,
    pub plan: Plan,
}

impl Pass<'_> {
    /// The least fixed point of shapes and divergence.
    fn solve(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for node in 0..self.graph.len() as u32 {
                changed |= self.node(node);
                let decides = match self.input.func.term(self.graph.block(node)) {
                    Terminator::Branch { cond: v, .. } | Terminator::Switch { value: v, .. } => *v,
                    _ => continue,
                };
                let known = self.operand(decides, node);
                if known.is_some_and(|s| s != Shape::Uniform) && !self.splits(node) {
                    self.plan.splits[node as usize] = true;
                    self.diverge(node);
                    changed = true;
                }
            }
        }
    }

    fn node(&mut self, node: u32) -> bool {
        let func = self.input.func;
        let block = self.graph.block(node);
        let mut changed = false;
        for n in 0..func.block(block).params.len() {
            let param = func.block(block).params[n];
            let shape = if node == 0 {
                self.outside(param)
            } else {
                self.param(node, block, n)
            };
            changed |= self.lower(param, shape);
        }
        for &inst in &func.block(block).insts {
            if let Some(result) = func.result(inst) {
                let shape = self.of_inst(inst, node);
                changed |= self.lower(result, shape);
            }
        }
        changed
    }

    /// Joins what was known with what is found now.
    fn lower(&mut self, value: Value, found: Option<Shape>) -> bool {
        let Some(found) = found else {
            return false;
        };
        let old = self.plan.shapes.get(&value).copied();
        let new = match old {
            None => found,
            Some(old) => shape::join(old, found),
        };
        if old == Some(new) {
            return false;
        }
        self.plan.shapes.insert(value, new);
        true
    }

    /// A parameter: what all edges bring, unless lanes can come by different edges.
    fn param(&self, node: u32, block: Block, n: usize) -> Option<Shape> {
        let func = self.input.func;
        if let [pred] = *self.graph.preds(node)
            && let Terminator::Collective {
                team,
                op,
                args,
                next,
                ..
            } = func.term(self.graph.block(pred))
            && n == next.args.len()
        {
            let last = *args.last().expect("a collective has operands");
            return shape::together(*team, *op, self.operand(last, pred));
        }
        let mut incoming: Vec<(u32, Value)> = Vec::new();
        let mut preds = self.graph.preds(node).to_vec();
        preds.sort_unstable();
        preds.dedup();
        for pred in preds {
            func.term(self.graph.block(pred)).for_each_call(|call| {
                if call.block == block && loops::inner(self.input, self.graph, call).is_some() {
                    incoming.push((pred, call.args[n]));
                }
            });
        }
        let mut shape = None;
        for &(pred, arg) in &incoming {
            let Some(mut found) = self.operand(arg, pred) else {
                continue;
            };
            if self.plan.leaves_divergent(pred, node) {
                found = Shape::Varying;
            }
            shape = Some(match shape {
                None => found,
                Some(old) => shape::join(old, found),
            });
        }
        let is_back = |e: &&(u32, Value)| self.graph.dominates(node, e.0);
        let (back, forward): (Vec<&_>, Vec<&_>) = incoming.iter().partition(is_back);
        let one_value = |edges: &[&(u32, Value)]| edges.windows(2).all(|w| w[0].1 == w[1].1);
        let apart = (self.joins[node as usize] && !one_value(&forward))
            || (self.back_joins[node as usize] && !one_value(&back));
        match shape? {
            // Where the lanes came from is forgotten here, and with it how to compute them exactly.
            Shape::Strided { guarded: true, .. } => Some(Shape::Varying),
            _ if apart => Some(Shape::Varying),
            shape => Some(shape),
        }
    }

    pub fn splits(&self, node: u32) -> bool {
        self.plan.splits[node as usize]
    }

    /// The shape of an operand where it is used; `None` if it is not known yet.
    pub fn operand(&self, value: Value, node: u32) -> Option<Shape> {
        let Some(def) = self.direct(value, node) else {
            return self.outside(value);
        };
        if self.plan.leaves_divergent(def, node) {
            return Some(Shape::Varying);
        }
        self.plan.shapes.get(&value).copied()
    }

    /// The node of the definition, if the region has computed the value on every way to `node`.
    pub fn direct(&self, value: Value, node: u32) -> Option<u32> {
        let Input {
            func,
            regions,
            crossing,
            ..
        } = *self.input;
        let def = self.graph.node(crossing.def_block(value))?;
        (self.graph.dominates(def, node) && !(def == 0 && is_head_param(func, regions, value)))
            .then_some(def)
    }

    fn span(&self) -> Span {
        Span::chunk(self.plan.lanes)
    }

    fn outside(&self, value: Value) -> Option<Shape> {
        shape::outside(self.input.func, self.input.crossing, self.span(), value)
    }

    fn of_inst(&self, inst: Inst, node: u32) -> Option<Shape> {
        let func = self.input.func;
        let result = func.result(inst)?;
        if let InstData::Alloca { .. } = func.inst(inst) {
            return self.outside(result);
        }
        shape::transfer(func, self.span(), result, func.inst(inst), |v| {
            self.operand(v, node)
        })
    }
    fn find_uses(&mut self) {
        let Input {
            func,
            regions,
            crossing,
            ..
        } = *self.input;
        let mut uses = Vec::new();
        for (node, &block) in (0u32..).zip(&self.graph.blocks) {
            for &inst in &func.block(block).insts {
                func.inst(inst).for_each_use(|v| uses.push((v, node)));
            }
            func.term(block).for_each_use(|v| uses.push((v, node)));
            func.term(block).for_each_call(|call| {
                if let Some(target) = regions.headed_by(call.block) {
                    uses.extend(crossing.live[target].iter().map(|&v| (v, node)));
                }
            });
        }
        uses.retain(|&(v, node)| self.direct(v, node).is_some());
        uses.sort_unstable();
        uses.dedup();
        self.plan.uses = uses;
    }

    /// The uses that leave a divergent loop.
    fn find_temporal(&mut self) {
        for &(value, node) in &self.plan.uses {
            let def = self.direct(value, node).expect("looked at before");
            if !self.plan.leaves_divergent(def, node) {
                continue;
            }
            let mut at = self.plan.innermost[def as usize];
            let mut last = None;
            while let Some(l) = at.filter(|&l| !self.plan.loops[l].inside[node as usize]) {
                last = Some(l);
                at = self.plan.loops[l].parent;
            }
            let last = last.expect("it leaves a loop");
            let outermost = self.plan.temporal.entry(value).or_insert(last);
            *outermost = last.max(*outermost);
        }
    }

    /// A block has the lanes of its nearest dominator in the same loop if they all come to it from there.
    fn find_like(&mut self) {
        for node in 1..self.graph.len() as u32 {
            let level = self.plan.innermost[node as usize];
            let mut above = self.idom[node as usize];
            while above != 0 && self.plan.innermost[above as usize] != level {
                above = self.idom[above as usize];
            }
            if self.plan.innermost[above as usize] == level && self.all_come(above, node, level) {
                self.plan.like[node as usize] = Some(above);
            }
        }
    }

    /// Every way from `above` leads to `node`, before the loop around both goes on or ends.
    fn all_come(&self, above: u32, node: u32, level: Option<usize>) -> bool {
        let mut seen = vec![false; self.graph.len()];
        seen[node as usize] = true;
        let mut work = vec![above];
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut seen[at as usize], true) {
                continue;
            }
            if self.edges.leaves[at as usize] {
                return false;
            }
            for &to in &self.edges.to[at as usize] {
                let goes_on = level.is_some_and(|l| {
                    let this = &self.plan.loops[l];
                    to == this.header || !this.inside[to as usize]
                });
                if goes_on {
                    return false;
                }
                work.push(to);
            }
        }
        true
    }
}
