//! Cuts a prepared kernel in regions. A region is what is reachable from its head, without crossing a barrier: the
//! entry, or the block behind a barrier. Regions may overlap; what they share is cloned.
//!
//! Sharing is at most barriers x blocks, which is too much for kernels with many guarded barriers. Where clones would
//! take more than the budget, blocks at which different regions meet become heads themselves (a *cut*): all items run
//! up to there before any goes on, as if a barrier without fence stood there. Then no block is in two regions, small
//! dead ends excepted. A loop without barrier is never cut inside; a block is put before it to be cut there.
//!
//! Invariants: region 0 is the entry's; cuts have lower numbers than barriers, because items that wait at a cut must
//! go on to their barrier before a barrier may be left, and for the same reason barriers and collectives of sub-groups
//! lower ones than those of groups; else barriers are numbered in layout order of their blocks, as the interpreter does.

use std::collections::HashMap;

use crate::ir::cfg::Cfg;
use crate::ir::dom::DomTree;
use crate::ir::loops::LoopForest;
use crate::ir::meet::places;
use crate::ir::{Block, BlockCall, Function, Team, Terminator};

use super::graph::Subgraph;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeadKind {
    Entry,
    /// All items stop here, with nothing ordered.
    Cut,
    /// The block that ends in the barrier or collective.
    Barrier(Block),
}

impl HeadKind {
    /// Behind a barrier or collective of whole groups.
    fn is_of_group(self, func: &Function) -> bool {
        match self {
            HeadKind::Barrier(block) => func.term(block).team() == Some(Team::Group),
            HeadKind::Entry | HeadKind::Cut => false,
        }
    }
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
    /// Sub-groups are the chunks that regions run in: what they do together ends no region.
    in_lanes: bool,
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

    /// Items wait at the end of the block, or are cut there.
    pub fn stops(&self, func: &Function, block: Block) -> bool {
        ends_region(func, block, self.in_lanes) || self.is_cut(block)
    }

    /// What sub-groups do together in the region is done in the lanes of a chunk.
    pub fn has_lane_collectives(&self, func: &Function, region: usize) -> bool {
        let blocks = &self.list[region].graph.blocks;
        self.in_lanes && blocks.iter().any(|&b| is_of_sub_group(func, b))
    }

    /// The number of the first region that starts behind a barrier of groups.
    pub fn first_of_group(&self, func: &Function) -> usize {
        self.list
            .iter()
            .position(|r| r.kind.is_of_group(func))
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

pub struct Options<'a> {
    /// It cuts where the regions would take more than this part of the kernel, and so many instructions more.
    pub percent: usize,
    pub free: usize,
    /// See [`Regions`].
    pub in_lanes: bool,
    /// The headers of loops in each round of which items meet.
    pub rounds: &'a [Block],
}

/// Makes the regions; puts blocks before cycles where it cuts.
pub fn run(func: &mut Function, options: Options) -> Regions {
    let Options {
        percent,
        free,
        in_lanes,
        rounds,
    } = options;
    let rounds: Vec<Block> = rounds
        .iter()
        .map(|&h| put_block_behind_loop(func, h))
        .collect();
    let mut heads = vec![(func.entry(), HeadKind::Entry)];
    heads.extend(rounds.iter().map(|&b| (b, HeadKind::Cut)));
    let mut barriers = Vec::new();
    for &block in func.layout() {
        if ends_region(func, block, in_lanes) {
            barriers.push((func.successors(block)[0], HeadKind::Barrier(block)));
        }
    }
    // Stable: else they stay in layout order.
    barriers.sort_by_key(|&(_, kind)| kind.is_of_group(func));
    let of_sub_groups = barriers.first().is_some_and(|b| !b.1.is_of_group(func));
    let total: usize = func.layout().iter().map(|&b| cost(func, b)).sum();
    heads.extend(&barriers);
    if clones_cost_more(func, &heads, total * percent / 100 + free, in_lanes) {
        heads.truncate(1 + rounds.len());
        let cuts = find_cuts(func, in_lanes, &rounds);
        heads.extend(cuts.into_iter().map(|b| (b, HeadKind::Cut)));
        heads.extend(&barriers);
    }
    if of_sub_groups {
        sort_by_place(func, &mut heads);
    }
    build(func, &heads, in_lanes)
}

/// What comes before barriers of groups, in the order of `ir::meet`.
fn sort_by_place(func: &Function, heads: &mut [(Block, HeadKind)]) {
    let cfg = Cfg::compute(func);
    let loops = LoopForest::compute(&cfg, &DomTree::compute(&cfg));
    let place = places(func, &cfg, &loops);
    // Items wait before a block that is cut, and at the end of one with a barrier.
    heads[1..].sort_by_key(|&(head, kind)| match kind {
        HeadKind::Barrier(_) if kind.is_of_group(func) => (true, 0, false),
        HeadKind::Barrier(block) => (false, place[block.index()], true),
        HeadKind::Cut | HeadKind::Entry => (false, place[head.index()], false),
    });
}

/// Puts a block on the edges back to the header of a loop, where items wait for others before another round.
fn put_block_behind_loop(func: &mut Function, header: Block) -> Block {
    let cfg = Cfg::compute(func);
    let dom = DomTree::compute(&cfg);
    let back: Vec<Block> = cfg.preds(header).to_vec();
    put_block_before(func, header, |from| {
        back.contains(&from) && dom.dominates(header, from)
    })
}

fn is_of_sub_group(func: &Function, block: Block) -> bool {
    func.term(block)
        .team()
        .is_some_and(|team| team != Team::Group)
}

fn ends_region(func: &Function, block: Block, in_lanes: bool) -> bool {
    func.term(block).is_barrier() && !(in_lanes && is_of_sub_group(func, block))
}

/// A dead end up to this cost is cloned rather than cut.
const SMALL_END: usize = 10;

fn cost(func: &Function, block: Block) -> usize {
    func.block(block).insts.len() + 2
}

/// The successors within a region that has no cuts.
fn inner_successors(func: &Function, block: Block, in_lanes: bool) -> Vec<Block> {
    match ends_region(func, block, in_lanes) {
        true => Vec::new(),
        false => func.successors(block),
    }
}

/// Stops counting at `budget`, so that finding out is not dearer than the budget.
fn clones_cost_more(
    func: &Function,
    heads: &[(Block, HeadKind)],
    budget: usize,
    in_lanes: bool,
) -> bool {
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
            for succ in inner_successors(func, block, in_lanes) {
                if seen[succ.index()] != n {
                    seen[succ.index()] = n;
                    work.push(succ);
                }
            }
        }
    }
    false
}

/// The blocks at which regions meet: each block belongs to the one head that all of its predecessors belong to, or is
/// cut, and then is a head itself. Repeated until nothing changes; that is a few times more than loops nest. The
/// blocks of a loop without barrier belong together, to what enters it.
fn find_cuts(func: &mut Function, in_lanes: bool, rounds: &[Block]) -> Vec<Block> {
    let unit = loops_without_barrier(func, in_lanes);
    // Seen from a root that leads to all heads, by an extra entry of the successor list.
    let mut is_head = vec![false; func.num_blocks()];
    let entry = func.entry();
    is_head[entry.index()] = true;
    let mut roots = rounds.to_vec();
    rounds.iter().for_each(|b| is_head[b.index()] = true);
    for &block in func.layout() {
        if ends_region(func, block, in_lanes) {
            let head = func.successors(block)[0];
            is_head[head.index()] = true;
            roots.push(head);
        }
    }
    let graph = Subgraph::new(entry, |b| {
        let mut succs = inner_successors(func, b, in_lanes);
        if b == entry {
            succs.extend(&roots);
        }
        succs
    });
    let mut owner: Vec<Option<Block>> = vec![None; func.num_blocks()];
    let mut cuts = Vec::new();
    let mut changed = true;
    while changed {
        changed = false;
        for (node, &block) in (0u32..).zip(&graph.blocks) {
            let mut new = None;
            if is_head[block.index()] {
                new = Some(block);
            } else if unit[block.index()] != block {
                new = owner[unit[block.index()].index()];
            } else {
                let mut meets = false;
                for &p in graph.preds(node) {
                    let from = graph.block(p);
                    if unit[from.index()] == block && from != block {
                        continue;
                    }
                    let other = owner[from.index()];
                    meets |= new.is_some() && other.is_some() && new != other;
                    new = new.or(other);
                }
                if meets {
                    new = Some(block);
                    if !is_small_end(func, block, in_lanes) {
                        is_head[block.index()] = true;
                        cuts.push(node);
                    }
                }
            }
            changed |= new != owner[block.index()];
            owner[block.index()] = new;
        }
    }
    cuts.sort_unstable();
    cuts.into_iter()
        .map(|node| put_block_before_loop(func, &graph, &unit, node))
        .collect()
}

/// By block: the header of the outermost loop around it that has no barrier; without one, the block itself.
fn loops_without_barrier(func: &Function, in_lanes: bool) -> Vec<Block> {
    let cfg = Cfg::compute(func);
    let loops = LoopForest::compute(&cfg, &DomTree::compute(&cfg));
    let mut unit: Vec<Block> = (0..func.num_blocks()).map(Block::new).collect();
    // Inner loops first, so that the outermost has the last word.
    for id in loops.ids().rev() {
        let this = loops.get(id);
        if !this.blocks.iter().any(|&b| ends_region(func, b, in_lanes)) {
            for block in &this.blocks {
                unit[block.index()] = this.header;
            }
        }
    }
    unit
}

fn is_small_end(func: &Function, block: Block, in_lanes: bool) -> bool {
    inner_successors(func, block, in_lanes).is_empty() && cost(func, block) <= SMALL_END
}

/// Where to cut at `node`: right there, or in a new block that the edges into the loop go through, when it heads a
/// loop without barrier.
fn put_block_before_loop(
    func: &mut Function,
    graph: &Subgraph,
    unit: &[Block],
    node: u32,
) -> Block {
    let inside = |p: u32| unit[graph.block(p).index()] == graph.block(node);
    if !graph.preds(node).iter().any(|&p| inside(p)) {
        return graph.block(node);
    }
    put_block_before(func, graph.block(node), |from| {
        graph
            .node(from)
            .is_some_and(|p| graph.preds(node).contains(&p) && !inside(p))
    })
}

/// A new block that the edges to `target` from those blocks go through.
fn put_block_before(func: &mut Function, target: Block, through: impl Fn(Block) -> bool) -> Block {
    let before = func.add_block();
    let types: Vec<_> = func
        .block(target)
        .params
        .iter()
        .map(|&p| func.ty(p))
        .collect();
    let args = types.iter().map(|&ty| func.add_param(before, ty)).collect();
    let loc = func.start_loc(target);
    let data = func.block_mut(before);
    data.term = Some(Terminator::Jump(BlockCall {
        block: target,
        args,
    }));
    data.term_loc = loc;
    for from in func.layout().to_vec() {
        if from != before
            && through(from)
            && let Some(term) = func.block_mut(from).term.as_mut()
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

fn build(func: &Function, heads: &[(Block, HeadKind)], in_lanes: bool) -> Regions {
    let by_head: HashMap<Block, usize> = heads
        .iter()
        .enumerate()
        .map(|(n, &(head, _))| (head, n))
        .collect();
    let list = heads
        .iter()
        .map(|&(head, kind)| {
            let graph = Subgraph::new(head, |b| {
                let mut succs = inner_successors(func, b, in_lanes);
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
    Regions {
        list,
        in_lanes,
        by_head,
    }
}
