//! The part of a control-flow graph that is reachable from one block: order, dominators, cycles.
//!
//! Nodes are numbered in reverse post-order, so node 0 is the head. Strongly connected components by Tarjan,
//! without recursion.

use std::collections::HashMap;

use crate::ir::dom::immediate_dominators;
use crate::ir::{Block, Function};

pub struct Subgraph {
    /// The blocks in reverse post-order.
    pub blocks: Vec<Block>,
    index: HashMap<Block, u32>,
    preds: Vec<Vec<u32>>,
    /// When the walk of the dominator tree enters and leaves each node.
    dom_range: Vec<(u32, u32)>,
    /// Components in topological order: an edge never leads to a lower number.
    scc: Vec<u32>,
}

impl Subgraph {
    /// What is reachable from `head` by the edges that `successors` tells.
    pub fn new(head: Block, successors: impl Fn(Block) -> Vec<Block>) -> Self {
        let blocks = reverse_post_order(head, &successors);
        let index: HashMap<Block, u32> = (0u32..).zip(&blocks).map(|(n, &b)| (b, n)).collect();
        let succs: Vec<Vec<u32>> = blocks
            .iter()
            .map(|&b| successors(b).iter().map(|s| index[s]).collect())
            .collect();
        let mut preds = vec![Vec::new(); blocks.len()];
        for (n, list) in succs.iter().enumerate() {
            for &s in list {
                preds[s as usize].push(n as u32);
            }
        }
        let dom_range = dominator_ranges(&preds);
        let scc = components(&succs);
        Self {
            blocks,
            index,
            preds,
            dom_range,
            scc,
        }
    }

    /// All of a function, barriers crossed like jumps.
    pub fn of_function(func: &Function) -> Self {
        Self::new(func.entry(), |b| func.successors(b))
    }

    pub fn node(&self, block: Block) -> Option<u32> {
        self.index.get(&block).copied()
    }

    pub fn contains(&self, block: Block) -> bool {
        self.index.contains_key(&block)
    }

    pub fn block(&self, node: u32) -> Block {
        self.blocks[node as usize]
    }

    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    pub fn preds(&self, node: u32) -> &[u32] {
        &self.preds[node as usize]
    }

    /// Every path from the head to `b` goes through `a`.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        let (a, b) = (self.dom_range[a as usize], self.dom_range[b as usize]);
        a.0 <= b.0 && b.1 <= a.1
    }

    /// No means that no path leads from `a` to `b`; yes may be wrong.
    pub fn may_reach(&self, a: u32, b: u32) -> bool {
        self.scc[a as usize] <= self.scc[b as usize]
    }
}

fn reverse_post_order(head: Block, successors: &impl Fn(Block) -> Vec<Block>) -> Vec<Block> {
    let mut seen = std::collections::HashSet::from([head]);
    let mut order = Vec::new();
    let mut stack = vec![(head, successors(head), 0)];
    while let Some((block, succs, next)) = stack.last_mut() {
        match succs.get(*next).copied() {
            Some(succ) => {
                *next += 1;
                if seen.insert(succ) {
                    stack.push((succ, successors(succ), 0));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn dominator_ranges(preds: &[Vec<u32>]) -> Vec<(u32, u32)> {
    let order: Vec<u32> = (0..preds.len() as u32).collect();
    let idom = immediate_dominators(&order, preds.len(), |node, out| {
        out.extend(&preds[node as usize]);
    });
    let mut children = vec![Vec::new(); preds.len()];
    for node in 1..preds.len() {
        children[idom[node] as usize].push(node as u32);
    }
    let mut ranges = vec![(0, 0); preds.len()];
    let mut clock = 0;
    let mut stack = vec![(0u32, 0usize)];
    while let Some((node, next)) = stack.last_mut() {
        let n = *node as usize;
        if *next == 0 {
            ranges[n].0 = clock;
            clock += 1;
        }
        match children[n].get(*next) {
            Some(&child) => {
                *next += 1;
                stack.push((child, 0));
            }
            None => {
                ranges[n].1 = clock;
                clock += 1;
                stack.pop();
            }
        }
    }
    ranges
}

fn components(succs: &[Vec<u32>]) -> Vec<u32> {
    const NEW: u32 = u32::MAX;
    let n = succs.len();
    let mut number = vec![NEW; n];
    let mut low = vec![0u32; n];
    let mut open = vec![false; n];
    let mut scc = vec![0u32; n];
    let (mut clock, mut closed) = (0u32, 0u32);
    let mut members: Vec<u32> = Vec::new();
    // Node 0 reaches them all.
    let mut stack = vec![(0u32, 0usize)];
    while let Some(&mut (node, ref mut next)) = stack.last_mut() {
        let v = node as usize;
        if *next == 0 {
            number[v] = clock;
            low[v] = clock;
            clock += 1;
            open[v] = true;
            members.push(node);
        }
        if let Some(&s) = succs[v].get(*next) {
            *next += 1;
            let s = s as usize;
            if number[s] == NEW {
                stack.push((s as u32, 0));
            } else if open[s] {
                low[v] = low[v].min(number[s]);
            }
            continue;
        }
        stack.pop();
        if let Some(&(parent, _)) = stack.last() {
            let p = parent as usize;
            low[p] = low[p].min(low[v]);
        }
        if low[v] == number[v] {
            while let Some(member) = members.pop() {
                open[member as usize] = false;
                scc[member as usize] = closed;
                if member == node {
                    break;
                }
            }
            closed += 1;
        }
    }
    // Tarjan closes components from the far end.
    scc.iter_mut().for_each(|c| *c = closed - 1 - *c);
    scc
}
