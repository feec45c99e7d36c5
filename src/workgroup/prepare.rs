//! Brings a kernel into the form that the region pass cuts: unreachable blocks gone; every barrier leads to a block
//! of its own, which has no other predecessor and no parameters (a collective's result is its only parameter).
//!
//! So what the barrier passes on is used behind it, and is a value that crosses like any other. `undef` becomes zero:
//! an undefined value is the same wherever it is looked at, and recomputing it must not change it. What is asked about
//! sub-groups is computed from the linear local id.

use crate::ir::types::I64;
use crate::ir::{BinaryOp, Block, Builder, Function, InstData, Value, WorkItemQuery};

use super::graph::Subgraph;
use super::preheader;

/// The prepared copy of a kernel, whose sub-groups have so many work-items. `in_lanes`: they are the lanes of a chunk, and
/// all of them are full; then who they are is asked of the chunk.
pub fn run(kernel: &Function, sub_group: u16, in_lanes: bool) -> Function {
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
        answer_queries(&mut func, block, sub_group, in_lanes);
        if func.term(block).is_barrier() {
            func.split_barrier_edge(block);
        }
    }
    preheader::run(&mut func);
    func
}

/// Computes what the block's instructions ask about sub-groups.
fn answer_queries(func: &mut Function, block: Block, sub_group: u16, in_lanes: bool) {
    use WorkItemQuery as Q;
    Builder::rewrite(func, block, |b, data| {
        let &InstData::WorkItem { query, .. } = data else {
            return None;
        };
        let query = match query {
            Q::SubGroupId | Q::SubGroupLocalId if in_lanes => return None,
            Q::SubGroupSize if in_lanes => Q::MaxSubGroupSize,
            Q::SubGroupId
            | Q::SubGroupLocalId
            | Q::SubGroupSize
            | Q::MaxSubGroupSize
            | Q::NumSubGroups
            | Q::EnqueuedNumSubGroups => query,
            _ => return None,
        };
        Some(answer(b, query, u64::from(sub_group)))
    });
}

/// The last operation of the answer; those before it are put at the end of the block.
fn answer(b: &mut Builder, query: WorkItemQuery, size: u64) -> InstData {
    use WorkItemQuery as Q;
    let ty = I64;
    let low = b.iconst(ty, size - 1);
    let log = b.iconst(ty, u64::from(size.trailing_zeros()));
    match query {
        Q::SubGroupId => {
            let id = b.work_item(Q::LocalLinearId, 0);
            let (op, args) = (BinaryOp::LShr, [id, log]);
            InstData::Binary { op, args }
        }
        Q::SubGroupLocalId => {
            let id = b.work_item(Q::LocalLinearId, 0);
            let (op, args) = (BinaryOp::And, [id, low]);
            InstData::Binary { op, args }
        }
        Q::SubGroupSize => {
            // Only the last one may be smaller.
            let id = b.work_item(Q::LocalLinearId, 0);
            let place = b.binary(BinaryOp::And, id, low);
            let first = b.binary(BinaryOp::Sub, id, place);
            let items = product(b, Q::LocalSize);
            let rest = b.binary(BinaryOp::Sub, items, first);
            let size = b.iconst(ty, size);
            let (op, args) = (BinaryOp::UMin, [rest, size]);
            InstData::Binary { op, args }
        }
        Q::NumSubGroups | Q::EnqueuedNumSubGroups => {
            let items = match query {
                Q::NumSubGroups => product(b, Q::LocalSize),
                _ => product(b, Q::EnqueuedLocalSize),
            };
            let up = b.binary(BinaryOp::Add, items, low);
            let (op, args) = (BinaryOp::LShr, [up, log]);
            InstData::Binary { op, args }
        }
        _ => InstData::IConst { ty, bits: size },
    }
}

/// Of a size's three dimensions.
fn product(b: &mut Builder, query: WorkItemQuery) -> Value {
    let [x, y, z] = [0, 1, 2].map(|dim| b.work_item(query, dim));
    let plane = b.binary(BinaryOp::Mul, x, y);
    b.binary(BinaryOp::Mul, plane, z)
}
