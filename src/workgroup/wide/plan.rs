//! Whether a region can run for several work-items in x at once (a *chunk*), and how.
//!
//! A block is *divergent* if it may run for a part of the lanes: it lies between a branch on a value that is not
//! uniform and that branch's immediate post-dominator. Divergent blocks form *clusters*, which are emitted in a line,
//! under masks; every cluster is entered in one way and left to one block. A loop of divergent blocks runs while any
//! lane is alive; the values that leave it vary (temporal divergence). What does not fit these rules is refused
//! (`refuse`), and the region runs item by item.

use std::collections::HashMap;

use crate::ir::{Block, Function, Inst, InstData, Terminator, Value};
use crate::workgroup::crossing::{Crossing, is_head_param};
use crate::workgroup::graph::Subgraph;
use crate::workgroup::regions::Regions;

use super::fields::Fields;
use super::loops::{self, Edges, Loop};
use super::shape::{self, Shape};

/// How a region runs in chunks.
pub struct Plan {
    pub lanes: u16,
    /// By node.
    pub divergent: Vec<bool>,
    /// By node: it ends in a branch that sends the lanes different ways.
    pub splits: Vec<bool>,
    /// By divergent node, the number of its cluster.
    pub cluster: Vec<usize>,
    /// Inner loops come before outer ones.
    pub loops: Vec<Loop>,
    /// By node.
    pub innermost: Vec<Option<usize>>,
    /// What each block reads of values that are computed in the region.
    pub uses: Vec<(Value, u32)>,
    pub shapes: HashMap<Value, Shape>,
    pub fields: Fields,
}

impl Plan {
    /// The shape of a value where it is defined in the region.
    pub fn shape(&self, value: Value) -> Shape {
        self.shapes.get(&value).copied().unwrap_or(Shape::Varying)
    }

    pub fn is_divergent(&self, node: u32) -> bool {
        self.divergent[node as usize]
    }
}

pub struct Input<'a> {
    pub func: &'a Function,
    pub regions: &'a Regions,
    pub crossing: &'a Crossing,
    pub region: usize,
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
    if graph.len() > MAX_BLOCKS || insts > MAX_INSTS || lanes < 2 {
        return None;
    }
    let edges = loops::edges(input, graph);
    let (loops, innermost) = loops::find_loops(graph, &edges)?;
    let ipdom = loops::post_dominators(&edges)?;
    let mut pass = Pass {
        input,
        graph,
        edges,
        ipdom,
        plan: Plan {
            lanes,
            divergent: vec![false; graph.len()],
            splits: vec![false; graph.len()],
            cluster: vec![usize::MAX; graph.len()],
            loops,
            innermost,
            uses: Vec::new(),
            shapes: HashMap::new(),
            fields: Fields::default(),
        },
    };
    pass.only_known_instructions()?;
    pass.solve();
    pass.find_uses();
    pass.find_clusters()?;
    pass.exits_can_be_masked()?;
    pass.pays()?;
    pass.find_fields();
    Some(pass.plan)
}
pub struct Pass<'a> {
    pub input: &'a Input<'a>,
    pub graph: &'a Subgraph,
    pub edges: Edges,
    ipdom: Vec<usize>,
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
            }
            for node in 0..self.graph.len() {
                let decides = match self.input.func.term(self.graph.block(node as u32)) {
                    Terminator::Branch { cond: v, .. } | Terminator::Switch { value: v, .. } => *v,
                    _ => continue,
                };
                let known = self.operand(decides, node as u32);
                if known.is_some_and(|s| s != Shape::Uniform) && !self.plan.splits[node] {
                    self.plan.splits[node] = true;
                    self.diverge(node);
                    changed = true;
                }
            }
        }
    }

    fn diverge(&mut self, branch: usize) {
        let stop = self.ipdom[branch];
        let mut work: Vec<u32> = self.edges.to[branch].clone();
        let mut seen = vec![false; self.graph.len()];
        while let Some(node) = work.pop() {
            let n = node as usize;
            if n != stop && !std::mem::replace(&mut seen[n], true) {
                self.plan.divergent[n] = true;
                work.extend(&self.edges.to[n]);
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
        let mut incoming: Vec<(u32, Value)> = Vec::new();
        let mut mixed = false;
        let (mut back, mut forward) = (0, 0);
        let mut preds = self.graph.preds(node).to_vec();
        preds.sort_unstable();
        preds.dedup();
        for pred in preds {
            mixed |= self.plan.is_divergent(pred) || self.splits(pred);
            func.term(self.graph.block(pred)).for_each_call(|call| {
                if call.block == block && loops::inner(self.input, self.graph, call).is_some() {
                    incoming.push((pred, call.args[n]));
                    if pred >= node {
                        back += 1;
                    } else {
                        forward += 1;
                    }
                }
            });
        }
        let mut shape = None;
        for &(pred, arg) in &incoming {
            let Some(mut found) = self.operand(arg, pred) else {
                continue;
            };
            if self.leaves_divergent_loop(pred, node) {
                found = Shape::Varying;
            }
            shape = Some(match shape {
                None => found,
                Some(old) => shape::join(old, found),
            });
        }
        let one_value = incoming.windows(2).all(|w| w[0].1 == w[1].1);
        let together = !mixed || one_value || (back == 1 && forward == 1);
        match shape? {
            // Where the lanes came from is forgotten here, and with it how to compute them exactly.
            Shape::Strided { guarded: true, .. } => Some(Shape::Varying),
            _ if !together => Some(Shape::Varying),
            shape => Some(shape),
        }
    }

    /// Lanes go along an edge between the two in different iterations.
    pub fn leaves_divergent_loop(&self, from: u32, to: u32) -> bool {
        self.plan.loops.iter().any(|l| {
            l.inside[from as usize]
                && !l.inside[to as usize]
                && self.plan.divergent[l.header as usize]
        })
    }

    pub fn splits(&self, node: u32) -> bool {
        self.plan.splits[node as usize]
    }

    /// The shape of an operand where it is used; `None` if it is not known yet.
    pub fn operand(&self, value: Value, node: u32) -> Option<Shape> {
        let Some(def) = self.direct(value, node) else {
            return self.outside(value);
        };
        let mut at = self.plan.innermost[def as usize];
        while let Some(l) = at {
            let this = &self.plan.loops[l];
            if this.inside[node as usize] {
                break;
            }
            if self.plan.divergent[this.header as usize] {
                return Some(Shape::Varying);
            }
            at = this.parent;
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

    fn outside(&self, value: Value) -> Option<Shape> {
        shape::outside(self.input.func, self.input.crossing, self.plan.lanes, value)
    }

    fn of_inst(&self, inst: Inst, node: u32) -> Option<Shape> {
        let func = self.input.func;
        let result = func.result(inst)?;
        if let InstData::Alloca { .. } = func.inst(inst) {
            return self.outside(result);
        }
        shape::transfer(func, self.plan.lanes, result, func.inst(inst), |v| {
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
}
