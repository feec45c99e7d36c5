//! What takes the whole call graph: no recursion, and what a group function reaches.
//!
//! Invariant: no recursion here either; each function is walked once.

use super::{Reporter, Rule, VerifyError};
use crate::ir::entities::FuncId;
use crate::ir::function::Function;
use crate::ir::inst::{InstData, WorkItemQuery};
use crate::ir::module::Module;

pub fn check(module: &Module, errors: &mut Vec<VerifyError>) {
    let callees: Vec<Vec<FuncId>> = module
        .func_ids()
        .map(|id| module.body(id).map_or_else(Vec::new, callees))
        .collect();
    let order = match postorder(&callees) {
        Ok(order) => order,
        Err(cycle) => {
            for (id, callee) in cycle {
                let Some(func) = module.body(id) else {
                    continue;
                };
                let message = format!("the call of {callee} leads back to {id}");
                Reporter { id, func, errors }.at_function(Rule::NoRecursion, message);
            }
            return;
        }
    };
    let mut per_item = vec![false; callees.len()];
    for id in order {
        let Some(func) = module.body(id) else {
            continue;
        };
        let called = (callees[id.index()].iter()).find(|c| per_item[c.index()]);
        if let (true, Some(callee)) = (func.group, called) {
            let message = format!("{callee} reaches a barrier or a work-item's id");
            Reporter { id, func, errors }.at_function(Rule::GroupFunction, message);
        }
        per_item[id.index()] = called.is_some() || is_per_item(func);
    }
}

/// Is this a question that only a single work-item can answer, or only where the kernel is known (about sub-groups)? Then
/// it must stand in the kernel itself.
pub fn asks_for_item(data: &InstData) -> bool {
    match data {
        InstData::WorkItem { query, .. } => matches!(
            query,
            WorkItemQuery::GlobalId
                | WorkItemQuery::LocalId
                | WorkItemQuery::GlobalLinearId
                | WorkItemQuery::LocalLinearId
                | WorkItemQuery::SubGroupId
                | WorkItemQuery::SubGroupLocalId
                | WorkItemQuery::SubGroupSize
                | WorkItemQuery::MaxSubGroupSize
                | WorkItemQuery::NumSubGroups
                | WorkItemQuery::EnqueuedNumSubGroups
        ),
        // A called function's variables are on the stack, where private memory is not looked for.
        InstData::InSpace { .. } => true,
        _ => false,
    }
}

fn callees(func: &Function) -> Vec<FuncId> {
    let mut out = Vec::new();
    for &block in func.layout() {
        for &inst in &func.block(block).insts {
            if let InstData::Call { func, .. } = func.inst(inst) {
                out.push(*func);
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn is_per_item(func: &Function) -> bool {
    func.layout().iter().any(|&block| {
        let data = func.block(block);
        data.term.as_ref().is_some_and(|term| term.is_barrier())
            || data
                .insts
                .iter()
                .any(|&inst| asks_for_item(func.inst(inst)))
    })
}

/// Callees before callers, or the calls that close a cycle.
fn postorder(callees: &[Vec<FuncId>]) -> Result<Vec<FuncId>, Vec<(FuncId, FuncId)>> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; callees.len()];
    let mut order = Vec::new();
    let mut cycles = Vec::new();
    for root in (0..callees.len()).map(FuncId::new) {
        if state[root.index()] != State::New {
            continue;
        }
        state[root.index()] = State::Open;
        let mut stack = vec![(root, 0)];
        while let Some((id, next)) = stack.last_mut() {
            match callees[id.index()].get(*next) {
                Some(&callee) => {
                    *next += 1;
                    match state[callee.index()] {
                        State::New => {
                            state[callee.index()] = State::Open;
                            stack.push((callee, 0));
                        }
                        State::Open => cycles.push((*id, callee)),
                        State::Done => {}
                    }
                }
                None => {
                    state[id.index()] = State::Done;
                    order.push(*id);
                    stack.pop();
                }
            }
        }
    }
    if cycles.is_empty() {
        Ok(order)
    } else {
        Err(cycles)
    }
}
