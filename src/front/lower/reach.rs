//! Drops the blocks that nothing leads to.

use crate::ir::{Function, Terminator};

/// Keeps the blocks that are reachable from the entry. A block without a terminator (a label that is only named)
/// ends in `unreachable`.
pub(super) fn drop_unreachable(func: &mut Function) {
    for block in func.layout().to_vec() {
        let data = func.block_mut(block);
        if data.term.is_none() {
            data.term = Some(Terminator::Unreachable);
        }
    }
    let mut seen = vec![false; func.num_blocks()];
    let mut work = vec![func.entry()];
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut seen[block.index()], true) {
            work.extend(func.successors(block));
        }
    }
    func.retain_blocks(|block| seen[block.index()]);
}
