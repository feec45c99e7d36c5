//! Dominators, post-dominators and dominance frontiers.
//!
//! Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001). Invariants: only blocks that the
//! entry reaches are in the trees; a block dominates itself. The post-dominator tree hangs under a virtual exit that
//! follows every block without successors and one block of every endless loop, so that each reachable block has a
//! place in it. No recursion; `dominates` takes constant time.

use super::cfg::Cfg;
use super::entities::Block;

/// No node.
pub const NONE: u32 = u32::MAX;

/// The dominator tree.
#[derive(Clone, Debug)]
pub struct DomTree {
    tree: Tree,
}

/// The post-dominator tree.
#[derive(Clone, Debug)]
pub struct PostDomTree {
    tree: Tree,
}

impl DomTree {
    pub fn compute(cfg: &Cfg) -> Self {
        let order: Vec<u32> = cfg.reverse_postorder().map(|b| b.index() as u32).collect();
        let preds = |n: u32, out: &mut Vec<u32>| {
            let block = Block::new(n as usize);
            out.extend(cfg.preds(block).iter().map(|b| b.index() as u32));
        };
        let idom = immediate_dominators(&order, cfg.num_blocks(), preds);
        Self {
            tree: Tree::new(idom, &order),
        }
    }

    /// The immediate dominator; none for the entry and for blocks that it doesn't reach.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.tree.parent(block)
    }

    /// Does every path from the entry to `b` pass through `a`? No for an unreachable block.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        self.tree.is_above(a, b)
    }

    /// The blocks whose immediate dominator is `block`, in reverse postorder.
    pub fn children(&self, block: Block) -> &[Block] {
        &self.tree.children[block.index()]
    }

    /// The tree from the entry, each block before those that it dominates.
    pub fn preorder(&self) -> &[Block] {
        &self.tree.preorder
    }

    /// For each block (by index) the blocks where its dominance ends: the ones it does not strictly dominate, with a
    /// predecessor that it dominates. The size can be quadratic for deep nests; compute it only where it is used.
    pub fn frontiers(&self, cfg: &Cfg) -> Vec<Vec<Block>> {
        let mut out: Vec<Vec<Block>> = vec![Vec::new(); cfg.num_blocks()];
        for join in cfg.reverse_postorder() {
            // The entry is a join as soon as one edge comes back to it.
            let fewest = if self.idom(join).is_some() { 2 } else { 1 };
            if cfg.preds(join).len() < fewest {
                continue;
            }
            let stop = self.idom(join);
            for &pred in cfg.preds(join).iter().filter(|&&p| cfg.is_reachable(p)) {
                let mut runner = Some(pred);
                while runner != stop {
                    let Some(block) = runner else { break };
                    let frontier = &mut out[block.index()];
                    if frontier.last() == Some(&join) {
                        break;
                    }
                    frontier.push(join);
                    runner = self.idom(block);
                }
            }
        }
        out
    }
}

impl PostDomTree {
    pub fn compute(cfg: &Cfg) -> Self {
        let exit = cfg.num_blocks() as u32;
        let (order, exits) = reverse_graph_order(cfg);
        let mut is_exit = vec![false; cfg.num_blocks()];
        for &block in &exits {
            is_exit[block.index()] = true;
        }
        let preds = |n: u32, out: &mut Vec<u32>| {
            if n == exit {
                return;
            }
            let block = Block::new(n as usize);
            out.extend(cfg.succs(block).iter().map(|b| b.index() as u32));
            if is_exit[block.index()] {
                out.push(exit);
            }
        };
        let idom = immediate_dominators(&order, cfg.num_blocks() + 1, preds);
        Self {
            tree: Tree::new(idom, &order),
        }
    }

    /// The immediate post-dominator; none where that is the virtual exit, and for unreachable blocks.
    pub fn ipdom(&self, block: Block) -> Option<Block> {
        self.tree
            .parent(block)
            .filter(|b| b.index() + 1 < self.tree.parent.len())
    }

    /// Does every path from `b` to an exit pass through `a`?
    pub fn post_dominates(&self, a: Block, b: Block) -> bool {
        self.tree.is_above(a, b)
    }
}

/// A tree over block numbers with intervals for the question "is it above".
#[derive(Clone, Debug)]
struct Tree {
    /// By block number; `NONE` for the root and what is not in the tree.
    parent: Vec<u32>,
    children: Vec<Vec<Block>>,
    preorder: Vec<Block>,
    /// The place in the preorder, and the end of the subtree; an empty interval where not in the tree.
    interval: Vec<(u32, u32)>,
}

impl Tree {
    /// `order` lists the nodes, the root first, parents before children.
    fn new(parent: Vec<u32>, order: &[u32]) -> Self {
        let count = parent.len();
        let mut children = vec![Vec::new(); count];
        for &n in order {
            if parent[n as usize] != NONE {
                children[parent[n as usize] as usize].push(Block::new(n as usize));
            }
        }
        let mut size = vec![1u32; count];
        for &n in order.iter().rev() {
            if parent[n as usize] != NONE {
                size[parent[n as usize] as usize] += size[n as usize];
            }
        }
        let mut interval = vec![(1, 0); count];
        let mut preorder = vec![Block::new(0); order.len()];
        if let Some(&root) = order.first() {
            interval[root as usize] = (0, size[root as usize]);
        }
        for &n in order {
            let (start, _) = interval[n as usize];
            preorder[start as usize] = Block::new(n as usize);
            let mut at = start + 1;
            for child in &children[n as usize] {
                interval[child.index()] = (at, at + size[child.index()]);
                at += size[child.index()];
            }
        }
        Self {
            parent,
            children,
            preorder,
            interval,
        }
    }

    fn parent(&self, block: Block) -> Option<Block> {
        let parent = self.parent[block.index()];
        (parent != NONE).then(|| Block::new(parent as usize))
    }

    fn is_above(&self, a: Block, b: Block) -> bool {
        let (start, end) = self.interval[a.index()];
        let (at, b_end) = self.interval[b.index()];
        at < b_end && start <= at && at < end
    }
}

/// The immediate dominator of each of `count` nodes ([`NONE`] for the root and unreachable nodes). `order` is a reverse
/// postorder, the root first; `preds` appends a node's predecessors, unreachable ones included.
pub fn immediate_dominators(
    order: &[u32],
    count: usize,
    preds: impl Fn(u32, &mut Vec<u32>),
) -> Vec<u32> {
    let mut place = vec![NONE; count];
    for (n, &node) in order.iter().enumerate() {
        place[node as usize] = n as u32;
    }
    // Everything below is in places of `order`, so that comparing numbers compares depths.
    let mut idom = vec![NONE; order.len()];
    if idom.is_empty() {
        return vec![NONE; count];
    }
    idom[0] = 0;
    let mut list = Vec::new();
    let mut changed = true;
    while changed {
        changed = false;
        for n in 1..order.len() {
            list.clear();
            preds(order[n], &mut list);
            let mut new = NONE;
            for &pred in &list {
                let pred = place[pred as usize];
                if pred == NONE || idom[pred as usize] == NONE {
                    continue;
                }
                new = if new == NONE {
                    pred
                } else {
                    intersect(&idom, pred, new)
                };
            }
            if idom[n] != new {
                idom[n] = new;
                changed = true;
            }
        }
    }
    let mut out = vec![NONE; count];
    for n in 1..order.len() {
        out[order[n] as usize] = order[idom[n] as usize];
    }
    out
}

fn intersect(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = idom[a as usize];
        }
        while b > a {
            b = idom[b as usize];
        }
    }
    a
}

/// A reverse postorder of the reversed graph, its root (the virtual exit, numbered after the blocks) first, and the
/// blocks that the virtual exit follows.
fn reverse_graph_order(cfg: &Cfg) -> (Vec<u32>, Vec<Block>) {
    let mut exits = Vec::new();
    let mut seen = vec![false; cfg.num_blocks()];
    let mut postorder: Vec<u32> = Vec::new();
    let mut walk = |exit: Block, seen: &mut Vec<bool>| {
        let mut stack = vec![(exit, 0)];
        seen[exit.index()] = true;
        while let Some((block, next)) = stack.last_mut() {
            match cfg.preds(*block).get(*next) {
                Some(&pred) => {
                    *next += 1;
                    if cfg.is_reachable(pred) && !seen[pred.index()] {
                        seen[pred.index()] = true;
                        stack.push((pred, 0));
                    }
                }
                None => {
                    postorder.push(block.index() as u32);
                    stack.pop();
                }
            }
        }
    };
    for &block in cfg.postorder() {
        if cfg.succs(block).is_empty() {
            exits.push(block);
            walk(block, &mut seen);
        }
    }
    // What is left leads into endless loops; the first in postorder lies deepest.
    for &block in cfg.postorder() {
        if !seen[block.index()] {
            exits.push(block);
            walk(block, &mut seen);
        }
    }
    postorder.push(cfg.num_blocks() as u32);
    postorder.reverse();
    (postorder, exits)
}
