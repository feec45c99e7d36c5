//! What the tables must be before anything else can be asked: ids in range, one place for each block, instruction
//! and value, a terminator for each block.

use super::{Reporter, Rule};
use crate::ir::entities::{Block, Value};
use crate::ir::function::ValueDef;

/// Where every value is defined.
pub struct Places {
    /// By value: the block, and the place in it (0 for a parameter, then counting instructions); none where the
    /// value's instruction is in no block of the layout.
    pub of_value: Vec<Option<(Block, u32)>>,
}

/// `None` when something is so wrong that the other checks can't run.
pub fn check(report: &mut Reporter) -> Option<Places> {
    let before = report.errors.len();
    layout(report);
    if report.errors.len() > before {
        return None;
    }
    ids(report);
    if report.errors.len() > before {
        return None;
    }
    let places = places(report);
    (report.errors.len() == before).then_some(places)
}

fn layout(report: &mut Reporter) {
    let func = report.func;
    if func.layout().is_empty() {
        report.at_function(Rule::Layout, "there is no entry block".to_string());
    }
    let mut seen = vec![false; func.num_blocks()];
    for &block in func.layout() {
        match seen.get_mut(block.index()) {
            None => report.at_function(Rule::KnownIds, format!("{block} does not exist")),
            Some(seen) if *seen => {
                report.at_function(Rule::Layout, format!("{block} is in the layout twice"));
            }
            Some(seen) => *seen = true,
        }
    }
    for &block in func.layout() {
        if block.index() < func.num_blocks() && func.block(block).term.is_none() {
            let message = "the block has no terminator".to_string();
            report.at_block(block, Rule::Terminated, message);
        }
    }
}

/// Operands and branch targets exist.
fn ids(report: &mut Reporter) {
    let func = report.func;
    let mut in_layout = vec![false; func.num_blocks()];
    for &block in func.layout() {
        in_layout[block.index()] = true;
    }
    let unknown = |v: Value| v.index() >= func.num_values();
    for &block in func.layout() {
        let data = func.block(block);
        if let Some(v) = data.params.iter().find(|v| unknown(**v)) {
            report.at_block(block, Rule::KnownIds, format!("{v} does not exist"));
        }
        for &inst in &data.insts {
            if inst.index() >= func.num_insts() {
                report.at_block(block, Rule::KnownIds, format!("{inst} does not exist"));
                continue;
            }
            let mut bad = None;
            func.inst(inst).for_each_use(|v| {
                if unknown(v) {
                    bad = Some(v);
                }
            });
            if let Some(v) = bad {
                report.at_inst(block, inst, (Rule::KnownIds, format!("{v} does not exist")));
            }
        }
        let mut bad = Vec::new();
        let term = func.term(block);
        term.for_each_use(|v| {
            if unknown(v) {
                bad.push(format!("{v} does not exist"));
            }
        });
        term.for_each_call(|call| {
            let known = in_layout.get(call.block.index());
            if known != Some(&true) {
                bad.push(format!("{} is not in the layout", call.block));
            }
        });
        for message in bad {
            report.at_term(block, (Rule::KnownIds, message));
        }
    }
}

fn places(report: &mut Reporter) -> Places {
    let func = report.func;
    let mut of_value = vec![None; func.num_values()];
    let mut placed = vec![false; func.num_insts()];
    for &block in func.layout() {
        for (n, &v) in func.block(block).params.iter().enumerate() {
            if func.value(v).def != ValueDef::Param(block, n as u32) {
                let message = format!("{v} is not defined as parameter {n} of this block");
                report.at_block(block, Rule::SingleDefinition, message);
            }
            of_value[v.index()] = Some((block, 0));
        }
        for (n, &inst) in func.block(block).insts.iter().enumerate() {
            if std::mem::replace(&mut placed[inst.index()], true) {
                let message = "the instruction stands in two places".to_string();
                report.at_inst(block, inst, (Rule::SingleDefinition, message));
            }
            let Some(v) = func.result(inst) else { continue };
            if func.value(v).def != ValueDef::Result(inst) {
                let message = format!("{v} is defined elsewhere");
                report.at_inst(block, inst, (Rule::SingleDefinition, message));
            }
            of_value[v.index()] = Some((block, n as u32 + 1));
        }
    }
    Places { of_value }
}
