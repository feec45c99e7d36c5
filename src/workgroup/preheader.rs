//! Gives a loop that is entered over several edges, some of which bring the same arguments, one block before its head, where
//! these edges meet. So a branch of which all ways lead to the loop with the same values (`if (id == 0) ...` before
//! a loop over barriers) is over before the loop begins: the counters stay the same for all items.

use crate::ir::cfg::Cfg;
use crate::ir::dom::DomTree;
use crate::ir::loops::LoopForest;
use crate::ir::{Block, BlockCall, Function, Terminator, Value};

/// Adds the blocks to a kernel.
pub fn run(func: &mut Function) {
    let cfg = Cfg::compute(func);
    let loops = LoopForest::compute(&cfg, &DomTree::compute(&cfg));
    for id in loops.ids() {
        let this = loops.get(id);
        let mut outside = cfg.preds(this.header).to_vec();
        outside.retain(|&from| !loops.contains(id, from));
        outside.dedup();
        add(func, this.header, &outside);
    }
}

/// `outside`: where the edges into the loop from outside begin.
fn add(func: &mut Function, header: Block, outside: &[Block]) {
    let mut edges: Vec<Vec<Value>> = Vec::new();
    for &from in outside {
        func.term(from).for_each_call(|call| {
            if call.block == header {
                edges.push(call.args.clone());
            }
        });
    }
    let Some((first, others)) = edges.split_first() else {
        return;
    };
    let same = |n: usize| others.iter().all(|args| args[n] == first[n]);
    if others.is_empty() || !(0..first.len()).any(same) {
        return;
    }
    let differs: Vec<bool> = (0..first.len()).map(|n| !same(n)).collect();
    let before = func.add_block();
    let mut args = Vec::new();
    for (n, &arg) in first.iter().enumerate() {
        args.push(match differs[n] {
            true => func.add_param(before, func.ty(arg)),
            false => arg,
        });
    }
    let block = header;
    func.block_mut(before).term = Some(Terminator::Jump(BlockCall { block, args }));
    for &from in outside {
        let term = func.block_mut(from).term.as_mut().expect("finished");
        term.for_each_call_mut(|call| {
            if call.block == header {
                call.block = before;
                let mut n = 0;
                call.args.retain(|_| {
                    n += 1;
                    differs[n - 1]
                });
            }
        });
    }
}
