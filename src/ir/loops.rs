//! The natural loops of a function as a forest, and the test for irreducible control flow.
//!
//! A natural loop has a header that dominates its blocks; edges from inside back to the header close it (Aho, Sethi,
//! Ullman). Loops that share a header are one loop. Invariants: an inner loop's blocks are all in its parent; loops
//! are numbered so that a parent comes before its children. Cycles without such a header make no loop here; ask
//! [`irreducible_edge`].

use super::cfg::Cfg;
use super::dom::DomTree;
use super::entities::{Block, LoopId};

/// One natural loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The only block through which it is entered.
    pub header: Block,
    /// The loop directly around this one.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// The sources of the edges back to the header, each once.
    pub latches: Vec<Block>,
    /// Its blocks and those of inner loops, in reverse postorder; the header is first.
    pub blocks: Vec<Block>,
    /// The edges that leave it: from a block inside to one outside.
    pub exits: Vec<(Block, Block)>,
}

/// All natural loops.
#[derive(Clone, Debug, Default)]
pub struct LoopForest {
    loops: Vec<Loop>,
    innermost: Vec<Option<LoopId>>,
}

impl LoopForest {
    pub fn compute(cfg: &Cfg, dom: &DomTree) -> Self {
        Finder::new(cfg).run(dom)
    }

    /// The loops, parents before children.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = LoopId> + use<> {
        (0..self.loops.len()).map(LoopId::new)
    }

    pub fn get(&self, id: LoopId) -> &Loop {
        &self.loops[id.index()]
    }

    /// The innermost loop that `block` is in.
    pub fn innermost(&self, block: Block) -> Option<LoopId> {
        self.innermost[block.index()]
    }

    /// Is `block` in the loop, or in a loop inside it?
    pub fn contains(&self, id: LoopId, block: Block) -> bool {
        let mut at = self.innermost(block);
        while let Some(inner) = at {
            if inner == id {
                return true;
            }
            at = self.get(inner).parent;
        }
        false
    }

    /// The number of loops around `block`.
    pub fn depth(&self, block: Block) -> u32 {
        self.innermost(block).map_or(0, |id| self.get(id).depth)
    }
}

/// An edge that closes a cycle that is entered at several blocks, if there is one: the flow is then irreducible.
pub fn irreducible_edge(cfg: &Cfg, dom: &DomTree) -> Option<(Block, Block)> {
    cfg.reverse_postorder()
        .flat_map(|from| cfg.succs(from).iter().map(move |&to| (from, to)))
        .find(|&(from, to)| cfg.is_retreating(from, to) && !dom.dominates(to, from))
}

struct Finder<'a> {
    cfg: &'a Cfg,
    /// By discovery: inner loops before outer ones.
    headers: Vec<(Block, Vec<Block>)>,
    parent: Vec<Option<usize>>,
    /// A loop at or above each one, for finding the outermost in few steps.
    above: Vec<usize>,
    innermost: Vec<Option<usize>>,
}

impl<'a> Finder<'a> {
    fn new(cfg: &'a Cfg) -> Self {
        Self {
            cfg,
            headers: Vec::new(),
            parent: Vec::new(),
            above: Vec::new(),
            innermost: vec![None; cfg.num_blocks()],
        }
    }

    fn run(mut self, dom: &DomTree) -> LoopForest {
        // An inner header is dominated by the outer one, so it comes later in the preorder.
        for &header in dom.preorder().iter().rev() {
            let mut latches: Vec<Block> = Vec::new();
            for &pred in self.cfg.preds(header) {
                if dom.dominates(header, pred) && !latches.contains(&pred) {
                    latches.push(pred);
                }
            }
            if !latches.is_empty() {
                self.collect(header, latches);
            }
        }
        self.finish()
    }

    /// Walks from the latches against the edges up to the header, over inner loops in one step.
    fn collect(&mut self, header: Block, latches: Vec<Block>) {
        let this = self.headers.len();
        let mut stack = latches.clone();
        self.headers.push((header, latches));
        self.parent.push(None);
        self.above.push(this);
        while let Some(block) = stack.pop() {
            if !self.cfg.is_reachable(block) {
                continue;
            }
            let entered = match self.innermost[block.index()] {
                None => {
                    self.innermost[block.index()] = Some(this);
                    block
                }
                Some(inner) => {
                    let outermost = self.outermost(inner);
                    if outermost == this {
                        continue;
                    }
                    self.parent[outermost] = Some(this);
                    self.above[outermost] = this;
                    self.headers[outermost].0
                }
            };
            if entered != header {
                stack.extend(self.cfg.preds(entered));
            }
        }
    }

    fn outermost(&mut self, start: usize) -> usize {
        let mut top = start;
        while self.above[top] != top {
            top = self.above[top];
        }
        let mut at = start;
        while self.above[at] != at {
            at = std::mem::replace(&mut self.above[at], top);
        }
        top
    }

    /// Turns the order round and fills in what follows from the nesting.
    fn finish(self) -> LoopForest {
        let count = self.headers.len();
        let id = |n: usize| LoopId::new(count - 1 - n);
        let mut forest = LoopForest {
            loops: Vec::with_capacity(count),
            innermost: self.innermost.iter().map(|n| n.map(id)).collect(),
        };
        for (n, (header, latches)) in self.headers.into_iter().enumerate().rev() {
            let parent = self.parent[n].map(id);
            let depth = parent.map_or(1, |p| forest.get(p).depth + 1);
            forest.loops.push(Loop {
                header,
                parent,
                depth,
                latches,
                blocks: Vec::new(),
                exits: Vec::new(),
            });
        }
        for block in self.cfg.reverse_postorder() {
            let mut at = forest.innermost(block);
            while let Some(id) = at {
                for &succ in self.cfg.succs(block) {
                    if !forest.contains(id, succ) {
                        forest.loops[id.index()].exits.push((block, succ));
                    }
                }
                let data = &mut forest.loops[id.index()];
                data.blocks.push(block);
                at = data.parent;
            }
        }
        forest
    }
}
