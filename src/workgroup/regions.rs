//! Cuts a prepared kernel in regions. A region is what is reachable from its head, without crossing a barrier: the
//! entry, or the block behind a barrier. Regions may overlap; what they share is cloned.
//!
//! Sharing is at most barriers x blocks, which is too much for kernels with many guarded barriers. Where clones would
//! take more than the budget, blocks at which different regions meet become heads themselves (a *cut*): all items run
//! up to there before any goes on, as if a barrier without fence stood there. Then no block is in two regions, small
//! dead ends excepted. A cycle without barrier is never cut inside; a block is put before it to be cut there.
//!
//! Invariants: region 0 is the entry's; cuts have lower numbers than barriers, because items that wait at a cut must
//! go on to their barrier before a barrier may be left; barriers are numbered in layout order of their blocks, as the
//! interpreter does.

use std::collections::{HashMap, HashSet};

use crate::ir::cfg::Cfg;
use crate::ir::dom::DomTree;
use crate::ir::loops::LoopForest;
use crate::ir::{Block, BlockCall, Function, Terminator};

use super::graph::Subgraph;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeadKind {
    Entry,
    /// All items stop here, with nothing ordered.
    Cut,
    /// The block that ends in the barrier or collective.
    Barrier(Block),
}

pub struct Region {
    pub kind: HeadKind,
    pub graph: Subgraph,
    /// The regions that an item can go to from here, in ascending order.
    pub exits: Vec<usize>,
    /// An item may return here.
    pub returns: bool,
}

pub struct Regions {
    pub list: Vec<Region>,
    by_head: HashMap<Block, usize>,
}

impl Regions {
    /// The region that starts with `block`, if one does.
    pub fn headed_by(&self, block: Block) -> Option<usize> {
        self.by_head.get(&block).copied()
    }

    /// The regions that going along the edge to `block` enters: an edge to a head leaves the region.
    pub fn is_cut(&self, block: Block) -> bool {
        self.headed_by(block)
            .is_some_and(|r| self.list[r].kind == HeadKind::Cut)
    }

    /// The number of the first region that starts behind a barrier.
    pub fn first_barrier(&self) -> usize {
        self.list
            .iter()
            .position(|r| matches!(r.kind, HeadKind::Barrier(_)))
            .unwrap_or(self.list.len())
    }

    /// For each region, whether it can be reached from a region for which `from` says yes, by one step or more.
    pub fn reachable_from(&self, from: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut reached = vec![false; self.list.len()];
        let mut work: Vec<usize> = (0..self.list.len()).filter(|&r| from(r)).collect();
        while let Some(r) = work.pop() {
            for &t in &self.list[r].exits {
                if !reached[t] {
                    reached[t] = true;
                    work.push(t);
                }
            }
        }
        reached
    }
}

/// Makes the regions; puts blocks before cycles where it cuts. It cuts where clones would take more than `factor`
/// times the kernel and `free` instructions more.
pub fn run(func: &mut Function, factor: usize, free: usize) -> Regions {
    let mut heads = vec![(func.entry(), HeadKind::Entry)];
    let mut barriers = Vec::new();
    for &block in func.layout() {
        if func.term(block).is_barrier() {
            barriers.push((func.successors(block)[0], HeadKind::Barrier(block)));
        }
    }
    let total: usize = func.layout().iter().map(|&b| cost(func, b)).sum();
    heads.extend(&barriers);
    if clones_cost_more(func, &heads, total * factor + free) {
        heads.truncate(1);
        let cuts = find_cuts(func);
        heads.extend(cuts.into_iter().map(|b| (b, HeadKind::Cut)));
        heads.extend(&barriers);
    }
    build(func, &heads)
}

/// A dead end up to this cost is cloned rather than cut.
const SMALL_END: usize = 10;

fn cost(func: &Function, block: Block) -> usize {
    func.block(block).insts.len() + 2
}

/// The successors within a region that has no cuts.
fn inner_successors(func: &Function, block: Block) -> Vec<Block> {
    match func.term(block).is_barrier() {
        true => Vec::new(),
        false => func.successors(block),
    }
}

/// Stops counting at `budget`, so that finding out is not dearer than the budget.
fn clones_cost_more(func: &Function, heads: &[(Block, HeadKind)], budget: usize) -> bool {
    let mut seen = vec![usize::MAX; func.num_blocks()];
    let mut sum = 0;
    for (n, &(head, _)) in heads.iter().enumerate() {
        seen[head.index()] = n;
        let mut work = vec![head];
        while let Some(block) = work.pop() {
            sum += cost(func, block);
            if sum > budget {
                return true;
            }
            for succ in inner_successors(func, block) {
                if seen[succ.index()] != n {
                    seen[succ.index()] = n;
                    work.push(succ);
                }
            }
        }
    }
    false
}

/// The blocks at which regions meet, by one walk over the components of the graph without the barriers' edges: each
/// component belongs to the one head that all of its predecessors belong to, or is cut.
fn find_cuts(func: &mut Function) -> Vec<Block> {
    let entry = func.entry();
    // The loops around a barrier are cut at their heads, so that what is in them can be cut too.
    let mut cuts = heads_of_loops_with_barriers(func);
    cuts.retain(|&head| head != entry);
    let loop_heads: HashSet<Block> = cuts.iter().copied().collect();
    // Seen from a root that leads to all heads, by an extra entry of the successor list.
    let roots: HashSet<Block> = func
        .layout()
        .iter()
        .filter(|&&b| func.term(b).is_barrier())
        .map(|&b| func.successors(b)[0])
        .chain(cuts.iter().copied())
        .collect();
    let mut sorted_roots: Vec<Block> = roots.iter().copied().collect();
    sorted_roots.sort_unstable();
    let graph = Subgraph::new(entry, |b| {
        let mut succs = inner_successors(func, b);
        succs.retain(|s| !loop_heads.contains(s));
        if b == entry {
            succs.extend(&sorted_roots);
        }
        succs
    });
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); graph.len()];
    for node in 0..graph.len() as u32 {
        members[graph.component(node) as usize].push(node);
    }
    let mut owner: Vec<Block> = graph.blocks.clone();
    for (component, nodes) in members.iter().enumerate() {
        let Some(&first) = nodes.first() else {
            continue;
        };
        let head = graph.block(first);
        if head == entry || roots.contains(&head) {
            continue;
        }
        let mut entered = Vec::new();
        let mut owners = Vec::new();
        for &node in nodes {
            for &p in graph.preds(node) {
                if graph.component(p) as usize != component {
                    entered.push(node);
                    owners.push(owner[p as usize]);
                }
            }
        }
        entered.dedup();
        owners.sort_unstable();
        owners.dedup();
        let in_cycle = graph.succs(first).iter().any(|s| nodes.contains(s));
        let the_owner = match owners[..] {
            [one] => one,
            _ if is_small_end(func, head) => head,
            _ if !in_cycle => {
                cuts.push(head);
                head
            }
            _ => {
                // An irreducible cycle gets a cut before each of its entries, and a clone for each.
                for &node in &entered {
                    cuts.push(put_block_before(func, &graph, node));
                }
                head
            }
        };
        for &node in nodes {
            owner[node as usize] = the_owner;
        }
    }
    cuts
}

fn heads_of_loops_with_barriers(func: &Function) -> Vec<Block> {
    let cfg = Cfg::compute(func);
    let loops = LoopForest::compute(&cfg, &DomTree::compute(&cfg));
    let mut heads = Vec::new();
    for &block in func.layout() {
        if !func.term(block).is_barrier() {
            continue;
        }
        let mut at = loops.innermost(block);
        while let Some(id) = at {
            heads.push(loops.get(id).header);
            at = loops.get(id).parent;
        }
    }
    heads.sort_unstable();
    heads.dedup();
    heads
}

fn is_small_end(func: &Function, block: Block) -> bool {
    inner_successors(func, block).is_empty() && cost(func, block) <= SMALL_END
}

/// Gives the edges that enter the component of `node` at `node` a block of their own, and returns it.
fn put_block_before(func: &mut Function, graph: &Subgraph, node: u32) -> Block {
    let target = graph.block(node);
    let before = func.add_block();
    let types: Vec<_> = func
        .block(target)
        .params
        .iter()
        .map(|&p| func.ty(p))
        .collect();
    let args = types.iter().map(|&ty| func.add_param(before, ty)).collect();
    let loc = func.block(target).term_loc;
    let data = func.block_mut(before);
    data.term = Some(Terminator::Jump(BlockCall {
        block: target,
        args,
    }));
    data.term_loc = loc;
    for &p in graph.preds(node) {
        if graph.component(p) != graph.component(node)
            && let Some(term) = func.block_mut(graph.block(p)).term.as_mut()
        {
            term.for_each_call_mut(|call| {
                if call.block == target {
                    call.block = before;
                }
            });
        }
    }
    before
}

fn build(func: &Function, heads: &[(Block, HeadKind)]) -> Regions {
    let by_head: HashMap<Block, usize> = heads
        .iter()
        .enumerate()
        .map(|(n, &(head, _))| (head, n))
        .collect();
    let list = heads
        .iter()
        .map(|&(head, kind)| {
            let graph = Subgraph::new(head, |b| {
                let mut succs = inner_successors(func, b);
                succs.retain(|s| !by_head.contains_key(s));
                succs
            });
            let mut exits = Vec::new();
            let mut returns = false;
            for &block in &graph.blocks {
                let succs = func.successors(block);
                returns |= succs.is_empty();
                exits.extend(succs.iter().filter_map(|s| by_head.get(s).copied()));
            }
            exits.sort_unstable();
            exits.dedup();
            Region {
                kind,
                graph,
                exits,
                returns,
            }
        })
        .collect();
    Regions { list, by_head }
}
