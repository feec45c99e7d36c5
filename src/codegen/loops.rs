//! What LLVM is told of loops.

use std::collections::HashMap;

use super::llvm::{Llvm, Md};
use super::narrow;
use crate::ir::cfg::Cfg;
use crate::ir::dom::DomTree;
use crate::ir::loops::LoopForest;
use crate::ir::{Block, Function, Unroll};

/// A node for each loop of which LLVM is told something, by the blocks that end with an edge back to its head: that it
/// is not to be vectorised, and what the source wishes.
pub fn loop_nodes(llvm: &Llvm, func: &Function) -> HashMap<Block, Md> {
    let cfg = Cfg::compute(func);
    let forest = LoopForest::compute(&cfg, &DomTree::compute(&cfg));
    let at_risk = narrow::loops(func, &forest);
    let mut nodes = HashMap::new();
    for id in forest.ids() {
        let natural = forest.get(id);
        let mut properties = Vec::new();
        if at_risk.binary_search(&id).is_ok() {
            properties.push(("llvm.loop.vectorize.enable", Some(0)));
        }
        properties.extend(
            func.block(natural.header)
                .unroll
                .map(|unroll| match unroll {
                    Unroll::Full => ("llvm.loop.unroll.full", None),
                    Unroll::Never => ("llvm.loop.unroll.disable", None),
                    Unroll::By(n) => ("llvm.loop.unroll.count", Some(n.into())),
                }),
        );
        if !properties.is_empty() {
            let node = llvm.loop_node(&properties);
            nodes.extend(natural.latches.iter().map(|&latch| (latch, node)));
        }
    }
    nodes
}
