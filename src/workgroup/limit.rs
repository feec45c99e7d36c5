//! Which items of a row have anything to do in a region: those below a limit that is the same for all.
//!
//! Tree algorithms in local memory have steps such as `if (l < k) s[l] += s[l + k];` between barriers, where half of
//! the items, then a quarter and so on, do something. Where a region does nothing before it asks for the local id in
//! x, and nothing where the answer is no, its loop over items ends at the limit. There may be uniform branches on the
//! way to the question; each way has its own limit (`slice::width`).

use std::collections::HashMap;

use crate::ir::{
    Block, BlockCall, CastOp, Elem, InstData, IntCC, Terminator, Value, WorkItemQuery,
};

use super::crossing::Home;
use super::graph::Subgraph;
use super::group::Group;

/// Items with a local id in x below `value` (or equal to it, with `inclusive`) run.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub value: Value,
    pub signed: bool,
    pub inclusive: bool,
}

/// As many blocks are looked at before the question.
const MAX_BLOCKS: usize = 12;

/// By node of the region, the questions that end the part that all items run together; `None` at one that tells
/// nothing. No answer if there is no limit at all.
pub fn find(group: &Group, region: usize) -> Option<HashMap<u32, Option<Limit>>> {
    // Who is on is part of what they do.
    if group.regions.has_lane_collectives(group.func, region) {
        return None;
    }
    let graph = &group.regions.list[region].graph;
    let mut stops = HashMap::new();
    let mut seen = vec![0u32];
    let mut next = 0;
    while let Some(&node) = seen.get(next) {
        next += 1;
        let block = graph.block(node);
        if seen.len() > MAX_BLOCKS || !does_nothing(group, block) {
            return None;
        }
        if group.uniformity.split(block).is_some() {
            stops.insert(node, limit(group, graph, node));
            continue;
        }
        let mut forward = true;
        group.func.term(block).for_each_call(|call| {
            if group.regions.headed_by(call.block).is_none()
                && let Some(to) = graph.node(call.block)
            {
                forward &= to > node;
                if !seen.contains(&to) {
                    seen.push(to);
                }
            }
        });
        if !forward {
            return None;
        }
    }
    stops.values().any(Option::is_some).then_some(stops)
}

/// Skipping the block changes nothing.
fn does_nothing(group: &Group, block: Block) -> bool {
    let func = group.func;
    let data = func.block(block);
    let kept = |v: &Value| matches!(group.home(*v), Home::ItemAtDef(_));
    !data.params.iter().any(kept)
        && data.insts.iter().all(|&inst| {
            let harmless = !func.inst(inst).has_side_effects();
            harmless && !func.result(inst).iter().any(kept)
        })
}

fn limit(group: &Group, graph: &Subgraph, node: u32) -> Option<Limit> {
    let func = group.func;
    let Terminator::Branch { cond, then, els } = func.term(graph.block(node)) else {
        return None;
    };
    let Some(&InstData::ICmp {
        cc,
        args: [id, value],
    }) = func.def_inst(*cond)
    else {
        return None;
    };
    if !is_local_id(group, id) || group.uniformity.is_varying(value) {
        return None;
    }
    // Whether the branch is taken by those below the limit, or by the others.
    let (inclusive, signed, below) = match cc {
        IntCC::Ult => (false, false, true),
        IntCC::Slt => (false, true, true),
        IntCC::Ule => (true, false, true),
        IntCC::Sle => (true, true, true),
        IntCC::Eq => (true, false, true),
        IntCC::Uge => (false, false, false),
        IntCC::Sge => (false, true, false),
        IntCC::Ugt => (true, false, false),
        IntCC::Sgt => (true, true, false),
        IntCC::Ne => (true, false, false),
    };
    let idle = if below { els } else { then };
    leads_out(group, graph, node, idle).then_some(Limit {
        value,
        signed,
        inclusive,
    })
}

/// The item's local id in x, in a type that holds it.
fn is_local_id(group: &Group, value: Value) -> bool {
    let func = group.func;
    match func.def_inst(value) {
        Some(InstData::WorkItem { query, dim }) => *query == WorkItemQuery::LocalId && *dim == 0,
        Some(&InstData::Cast {
            op: CastOp::Trunc | CastOp::ZExt | CastOp::SExt,
            arg,
            to,
        }) => matches!(to.elem, Elem::I32 | Elem::I64) && is_local_id(group, arg),
        _ => false,
    }
}

/// Items that go this way leave the region with nothing done and nothing kept.
fn leads_out(group: &Group, graph: &Subgraph, mut node: u32, call: &BlockCall) -> bool {
    let func = group.func;
    let mut call = call.clone();
    for _ in 0..MAX_BLOCKS {
        if group.regions.headed_by(call.block).is_some() {
            return keeps_nothing(group, graph, node, &call);
        }
        let Some(to) = graph.node(call.block) else {
            return false;
        };
        if !does_nothing(group, call.block) {
            return false;
        }
        node = to;
        match func.term(call.block) {
            Terminator::Return(_) => return true,
            Terminator::Jump(next) | Terminator::Barrier { next, .. } => call = next.clone(),
            _ => return false,
        }
    }
    false
}

/// No item does anything in the region but go on.
pub fn is_idle(group: &Group, region: usize) -> bool {
    let func = group.func;
    let graph = &group.regions.list[region].graph;
    (0u32..).zip(&graph.blocks).all(|(node, &block)| {
        let mut nothing = does_nothing(group, block)
            && !matches!(func.term(block), Terminator::Collective { .. });
        func.term(block).for_each_call(|call| {
            nothing &= graph.node(call.block).is_some_and(|to| to > node)
                || keeps_nothing(group, graph, node, call);
        });
        nothing
    })
}

/// On the way out of the region by this call nothing is stored, for an item or for all.
fn keeps_nothing(group: &Group, graph: &Subgraph, node: u32, call: &BlockCall) -> bool {
    let Some(target) = group.regions.headed_by(call.block) else {
        return false;
    };
    let own = group.func.block(call.block).params.iter();
    let own = own.zip(&call.args);
    let own = own.filter(|&(&param, &arg)| !group.stays(graph, node, param, arg));
    let own = own.map(|(param, _)| param);
    let live = group.crossing.live[target].iter();
    let live = live.filter(|&&v| group.is_direct(graph, v, node));
    !own.chain(live).any(|&v| {
        matches!(
            group.home(v),
            Home::Shared(_) | Home::Item(_) | Home::ItemAtDef(_)
        )
    })
}
