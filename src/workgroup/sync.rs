//! Sync dependence: where the items of a group meet again, or stay apart, after a branch that sends them different ways.
//!
//! Labels run from the branch through the graph, one for each edge out of it. A block that two labels reach is a
//! *join*: items come to it by disjoint paths. Walking stops where one label is left, because there all items are
//! together again. Level by level: first the innermost loop around the branch, then its parent. Where some items go
//! round a loop and others leave it, the loop is *divergent*: items leave it in different iterations.
//!
//! After LLVM's sync dependence analysis and Karrenberg and Hack, "Improving Performance of OpenCL on CPUs" (2012).
//! Reducible graphs only. Each call costs what lies between the branch and where its items meet; a budget of steps
//! bounds the whole.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::ir::cfg::Cfg;
use crate::ir::loops::LoopForest;
use crate::ir::{Block, Function, LoopId};

use super::regions::Regions;

/// What a divergent branch does to the items that come to it together.
#[derive(Default)]
pub struct Influence {
    /// Blocks that items reach by disjoint paths.
    pub joins: Vec<Block>,
    /// Loops that items leave in different iterations.
    pub divergent_loops: Vec<LoopId>,
    pub split: Split,
}

/// Which ends of its region a branch can send only some of the items to.
#[derive(Default)]
pub struct Split {
    /// Blocks that end a region (or return, or are cut) and are reached while items are apart, with the label of
    /// those that come there: items of one label are together.
    pub ends: Vec<(Block, u32)>,
    /// Some items leave a loop that has a barrier in it while others stay.
    pub unbounded: bool,
    /// Some items can wait at a barrier while others come round the loop again.
    pub lapped: bool,
}

pub struct SyncDependence<'a> {
    func: &'a Function,
    regions: &'a Regions,
    cfg: &'a Cfg,
    loops: &'a LoopForest,
    order: Vec<Block>,
    /// By loop: it contains a barrier or a cut.
    stops: Vec<bool>,
    steps: usize,
}

/// One walk from one branch.
struct Walk {
    out: Influence,
    level: Option<LoopId>,
    labels: HashMap<Block, u32>,
    heap: BinaryHeap<Reverse<usize>>,
    /// Labels that came back to the header of `level`.
    back: Vec<u32>,
    /// What is reached outside `level`.
    outside: Vec<(Block, u32)>,
    waits_inside: bool,
}

impl<'a> SyncDependence<'a> {
    pub fn new(
        func: &'a Function,
        regions: &'a Regions,
        cfg: &'a Cfg,
        loops: &'a LoopForest,
    ) -> Self {
        let stops = loops
            .ids()
            .map(|id| {
                let blocks = &loops.get(id).blocks;
                blocks.iter().any(|&b| regions.stops(func, b))
            })
            .collect();
        Self {
            func,
            regions,
            cfg,
            loops,
            order: cfg.reverse_postorder().collect(),
            stops,
            steps: 1_000_000,
        }
    }

    /// `None` when the budget is used up.
    pub fn influence(&mut self, branch: Block) -> Option<Influence> {
        let mut walk = Walk {
            out: Influence::default(),
            level: self.loops.innermost(branch),
            labels: HashMap::new(),
            heap: BinaryHeap::new(),
            back: Vec::new(),
            outside: Vec::new(),
            waits_inside: false,
        };
        // Edges, not blocks: two edges to one block bring different arguments.
        for (n, to) in (0u32..).zip(self.func.successors(branch)) {
            self.edge(&mut walk, Some(branch), to, n);
        }
        loop {
            if self.run_level(&mut walk)? {
                return Some(walk.out);
            }
            let Some(level) = walk.level else {
                return Some(walk.out);
            };
            if !walk.back.is_empty() {
                walk.out.split.lapped |= walk.waits_inside;
                if walk.back.len() > 1 {
                    walk.out.joins.push(self.loops.get(level).header);
                }
                if walk.outside.is_empty() {
                    return Some(walk.out);
                }
                walk.out.divergent_loops.push(level);
                walk.out.split.unbounded |= self.stops[level.index()];
                let label = self.label_of(self.loops.get(level).header);
                for &(_, to) in &self.loops.get(level).exits {
                    walk.outside.push((to, label));
                }
                self.steps = self.steps.checked_sub(self.loops.get(level).exits.len())?;
            }
            walk.level = self.loops.get(level).parent;
            walk.back.clear();
            for (to, label) in std::mem::take(&mut walk.outside) {
                self.edge(&mut walk, None, to, label);
            }
        }
    }

    /// Walks until nothing is left on this level (no), or all items are together (yes).
    fn run_level(&mut self, walk: &mut Walk) -> Option<bool> {
        while let Some(Reverse(at)) = walk.heap.pop() {
            let block = self.order[at];
            if walk.heap.is_empty() && walk.outside.is_empty() && walk.back.is_empty() {
                return Some(true);
            }
            self.steps = self.steps.checked_sub(1)?;
            let label = walk.labels[&block];
            let stop = self.regions.stops(self.func, block);
            walk.waits_inside |= stop && walk.level.is_some();
            if stop || self.cfg.succs(block).is_empty() {
                walk.out.split.ends.push((block, label));
            }
            for &to in self.cfg.succs(block) {
                self.edge(walk, Some(block), to, label);
            }
        }
        Some(false)
    }

    fn edge(&self, walk: &mut Walk, from: Option<Block>, to: Block, label: u32) {
        if let Some(level) = walk.level {
            if to == self.loops.get(level).header {
                if !walk.back.contains(&label) {
                    walk.back.push(label);
                }
                return;
            }
            if !self.loops.contains(level, to) {
                walk.outside.push((to, label));
                return;
            }
        }
        // The back edge of an inner loop brings the label that its header had already.
        if from.is_some_and(|from| self.cfg.is_retreating(from, to)) {
            return;
        }
        match walk.labels.get(&to).copied() {
            None => {
                walk.labels.insert(to, label);
                let at = self.cfg.rpo_index(to).expect("a reachable block");
                walk.heap.push(Reverse(at));
            }
            Some(other) if other == label || other == self.label_of(to) => {}
            Some(_) => {
                walk.labels.insert(to, self.label_of(to));
                walk.out.joins.push(to);
            }
        }
    }

    /// The label of the items that met at `block`; those of the first edges are smaller.
    fn label_of(&self, block: Block) -> u32 {
        u32::MAX - block.index() as u32
    }
}
