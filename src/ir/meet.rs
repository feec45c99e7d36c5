//! Where the items of a sub-group meet again that went different ways: the order in which those run that wait.
//!
//! What a sub-group does together may stand in code that only some of its items come to; then those take part that are
//! there. Items that run one by one are there when those that can still come have come. So of all that wait, those run
//! first that are first in an order of the blocks in which loops stay together, and what follows a loop comes behind it;
//! and where an item would go round a loop in which its sub-group does something together, it waits for those that are
//! still in that round. This is what vector lanes do: all of a round before the next, and all of a loop before what
//! follows.

use std::collections::HashMap;

use super::cfg::Cfg;
use super::dom::DomTree;
use super::entities::{Block, LoopId};
use super::function::Function;
use super::loops::LoopForest;

#[derive(Default)]
pub struct Meetings {
    /// By block; of what can't be reached it is the number of blocks.
    place: Vec<u32>,
    /// By edge back to a header: the place of the loop's last block.
    rounds: HashMap<(Block, Block), u32>,
}

impl Meetings {
    /// `together` tells the blocks in which a sub-group does something together.
    pub fn new(func: &Function, together: impl Fn(Block) -> bool) -> Self {
        let cfg = Cfg::compute(func);
        let loops = LoopForest::compute(&cfg, &DomTree::compute(&cfg));
        let place = places(func, &cfg, &loops);
        let mut rounds = HashMap::new();
        for id in loops.ids() {
            let this = loops.get(id);
            if this.blocks.iter().any(|&b| together(b)) {
                let last = this.blocks.iter().map(|b| place[b.index()]).max();
                let last = last.expect("a loop has a header");
                let edges = this.latches.iter().map(|&from| (from, this.header));
                rounds.extend(edges.map(|edge| (edge, last)));
            }
        }
        Self { place, rounds }
    }

    /// The place of a block in the order.
    pub fn place(&self, block: Block) -> u32 {
        self.place[block.index()]
    }

    /// The edge begins another round of a loop, for which items wait: behind the block with this place.
    pub fn round(&self, from: Block, to: Block) -> Option<u32> {
        self.rounds.get(&(from, to)).copied()
    }
}

/// In reverse post-order, but all blocks of a loop where its header is.
pub fn places(func: &Function, cfg: &Cfg, loops: &LoopForest) -> Vec<u32> {
    let mut place = vec![func.num_blocks() as u32; func.num_blocks()];
    let mut next = 0;
    let order: Vec<Block> = cfg.reverse_postorder().collect();
    put(&order, None, loops, &mut place, &mut next);
    place
}

/// The blocks of a loop, or of the function, in reverse post-order. As deep as loops nest.
fn put(
    blocks: &[Block],
    level: Option<LoopId>,
    loops: &LoopForest,
    place: &mut [u32],
    next: &mut u32,
) {
    for &block in blocks {
        let mut inner = None;
        let mut at = loops.innermost(block);
        while at != level {
            inner = at;
            at = at.and_then(|id| loops.get(id).parent);
        }
        match inner {
            None => {
                place[block.index()] = *next;
                *next += 1;
            }
            Some(id) if loops.get(id).header == block => {
                put(&loops.get(id).blocks, Some(id), loops, place, next);
            }
            Some(_) => {}
        }
    }
}
