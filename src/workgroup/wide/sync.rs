//! Where the lanes of a chunk are apart after a branch that sends them different ways, and where they meet again.
//!
//! As in `workgroup::sync`, for one region: labels run from the branch, one for each edge out of it. A block that two
//! labels reach is a *join*. Where one label is left, and no lane has left the region, all lanes are together again.
//! What runs before that is *partial*: a part of the lanes may be there. Level by level: first the innermost loop
//! around the branch, then its parent. Where some lanes go round a loop and others leave it, it is *divergent*.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::plan::Pass;

struct Walk {
    level: Option<usize>,
    labels: HashMap<u32, u32>,
    /// By place in the order.
    heap: BinaryHeap<Reverse<u32>>,
    /// Labels that came back to the header of `level`.
    back: Vec<u32>,
    outside: Vec<(u32, u32)>,
    /// Lanes have left the region while others had not; and have done so from inside `level`.
    left: bool,
    left_level: bool,
}

impl Pass<'_> {
    /// Notes what the branch at the end of `branch` does, once.
    pub fn diverge(&mut self, branch: u32) {
        let mut walk = Walk {
            level: self.plan.innermost[branch as usize],
            labels: HashMap::new(),
            heap: BinaryHeap::new(),
            back: Vec::new(),
            outside: Vec::new(),
            left: self.edges.leaves[branch as usize],
            left_level: self.edges.leaves[branch as usize],
        };
        for (n, to) in (0u32..).zip(self.edges.to[branch as usize].clone()) {
            self.edge(&mut walk, branch, to, n);
        }
        loop {
            if self.level(&mut walk) {
                return;
            }
            let Some(l) = walk.level else {
                return;
            };
            if !walk.back.is_empty() {
                if walk.back.len() > 1 {
                    self.back_joins[self.plan.loops[l].header as usize] = true;
                }
                if walk.outside.is_empty() && !walk.left_level {
                    return;
                }
                self.make_divergent(l);
                let label = u32::MAX - self.plan.loops[l].header;
                let exits = self.plan.loops[l].exits.iter();
                walk.outside.extend(exits.map(|&to| (to, label)));
                walk.left |= self.plan.loops[l].leaves;
                walk.left_level |= self.plan.loops[l].leaves;
            }
            walk.level = self.plan.loops[l].parent;
            walk.back.clear();
            let from = self.plan.loops[l].header;
            for (to, label) in std::mem::take(&mut walk.outside) {
                self.edge(&mut walk, from, to, label);
            }
        }
    }

    fn make_divergent(&mut self, l: usize) {
        let this = &mut self.plan.loops[l];
        this.divergent = true;
        for (partial, &inside) in self.plan.partial.iter_mut().zip(&this.inside) {
            *partial |= inside;
        }
    }

    /// Walks until nothing is left on this level (no), or all lanes are together (yes).
    fn level(&mut self, walk: &mut Walk) -> bool {
        while let Some(Reverse(place)) = walk.heap.pop() {
            let node = self.plan.order.nodes[place as usize];
            let others = !walk.heap.is_empty() || !walk.outside.is_empty() || !walk.back.is_empty();
            if !others && !walk.left {
                return true;
            }
            self.plan.partial[node as usize] = true;
            let label = walk.labels[&node];
            if self.edges.leaves[node as usize] {
                walk.left = true;
                walk.left_level = true;
            }
            for to in self.edges.to[node as usize].clone() {
                self.edge(walk, node, to, label);
            }
        }
        false
    }

    fn edge(&mut self, walk: &mut Walk, from: u32, to: u32, label: u32) {
        if let Some(l) = walk.level {
            let this = &self.plan.loops[l];
            if to == this.header {
                if !walk.back.contains(&label) {
                    walk.back.push(label);
                }
                return;
            }
            if !this.inside[to as usize] {
                walk.outside.push((to, label));
                return;
            }
        }
        // The back edge of an inner loop brings the label that its header had already.
        if to <= from && self.plan.is_header(to) && self.graph.dominates(to, from) {
            return;
        }
        let own = u32::MAX - to;
        match walk.labels.get(&to).copied() {
            None => {
                walk.labels.insert(to, label);
                walk.heap.push(Reverse(self.plan.order.place[to as usize]));
            }
            Some(other) if other == label || other == own => {}
            Some(_) => {
                walk.labels.insert(to, own);
                self.joins[to as usize] = true;
            }
        }
    }
}
