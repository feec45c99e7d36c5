//! The control-flow graph of a function: edges both ways and a depth-first order, as side tables.
//!
//! Invariants: it describes the function as it was when computed; edges come from every block of the layout, one
//! entry for each edge (a branch with both ways to one block gives two); orders hold only what the entry reaches.

use super::entities::Block;
use super::function::Function;

/// In place of an order number: not reachable.
const UNREACHED: u32 = u32::MAX;

/// Predecessors, successors and reverse postorder.
#[derive(Clone, Debug)]
pub struct Cfg {
    preds: Vec<Vec<Block>>,
    succs: Vec<Vec<Block>>,
    postorder: Vec<Block>,
    rpo: Vec<u32>,
}

impl Cfg {
    /// Takes time linear in blocks and edges. A block without a terminator has no successors.
    pub fn compute(func: &Function) -> Self {
        let count = func.num_blocks();
        let mut preds = vec![Vec::new(); count];
        let mut succs = vec![Vec::new(); count];
        for &block in func.layout() {
            if let Some(term) = &func.block(block).term {
                term.for_each_call(|call| {
                    succs[block.index()].push(call.block);
                    preds[call.block.index()].push(block);
                });
            }
        }
        let postorder = postorder(func.entry(), &succs);
        let mut rpo = vec![UNREACHED; count];
        for (n, block) in postorder.iter().rev().enumerate() {
            rpo[block.index()] = n as u32;
        }
        Self {
            preds,
            succs,
            postorder,
            rpo,
        }
    }

    /// Where the edges into `block` come from.
    pub fn preds(&self, block: Block) -> &[Block] {
        &self.preds[block.index()]
    }

    /// Where the edges out of `block` go, in the order of the terminator.
    pub fn succs(&self, block: Block) -> &[Block] {
        &self.succs[block.index()]
    }

    /// The reachable blocks, each after its successors except along back edges; the entry is last.
    pub fn postorder(&self) -> &[Block] {
        &self.postorder
    }

    /// The reachable blocks, each before its successors except along back edges; the entry is first.
    pub fn reverse_postorder(&self) -> impl DoubleEndedIterator<Item = Block> + '_ {
        self.postorder.iter().rev().copied()
    }

    pub fn is_reachable(&self, block: Block) -> bool {
        self.rpo[block.index()] != UNREACHED
    }

    /// The place of a reachable block in the reverse postorder.
    pub fn rpo_index(&self, block: Block) -> Option<usize> {
        let n = self.rpo[block.index()];
        (n != UNREACHED).then_some(n as usize)
    }

    /// The length of a side table by block.
    pub fn num_blocks(&self) -> usize {
        self.rpo.len()
    }

    /// An edge that goes to a block at or before its source in depth-first order: it closes a cycle.
    pub fn is_retreating(&self, from: Block, to: Block) -> bool {
        self.rpo[to.index()] <= self.rpo[from.index()]
    }
}

/// Depth-first without recursion.
fn postorder(entry: Block, succs: &[Vec<Block>]) -> Vec<Block> {
    let mut seen = vec![false; succs.len()];
    let mut out = Vec::new();
    let mut stack = vec![(entry, 0)];
    seen[entry.index()] = true;
    while let Some((block, next)) = stack.last_mut() {
        match succs[block.index()].get(*next) {
            Some(&succ) => {
                *next += 1;
                if !seen[succ.index()] {
                    seen[succ.index()] = true;
                    stack.push((succ, 0));
                }
            }
            None => {
                out.push(*block);
                stack.pop();
            }
        }
    }
    out
}
