//! Brings a kernel into the form that the region pass cuts: unreachable blocks gone; every barrier leads to a block
//! of its own, which has no other predecessor and no parameters (a collective's result is its only parameter).
//!
//! So what the barrier passes on is used behind it, and is a value that crosses like any other. `undef` becomes zero:
//! an undefined value is the same wherever it is looked at, and recomputing it must not change it.

use crate::ir::{Function, InstData};

use super::graph::Subgraph;

/// The prepared copy of a kernel.
pub fn run(kernel: &Function) -> Function {
    let mut func = kernel.clone();
    let reachable = Subgraph::of_function(&func);
    func.retain_blocks(|&b| reachable.contains(b));
    for block in func.layout().to_vec() {
        for inst in func.block(block).insts.clone() {
            if let InstData::Undef { ty } = *func.inst(inst) {
                *func.inst_mut(inst) = if ty.elem.is_float() {
                    InstData::FConst { ty, bits: 0 }
                } else {
                    InstData::IConst { ty, bits: 0 }
                };
            }
        }
        if func.term(block).is_barrier() {
            func.split_barrier_edge(block);
        }
    }
    func
}
