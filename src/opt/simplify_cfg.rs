//! Simplifies control flow: constant branches, unreachable blocks, blocks that only jump on, parameters that always
//! get the same value, and straight lines.

use std::collections::HashMap;

use crate::ir::cfg::Cfg;
use crate::ir::{Block, BlockCall, Function, Terminator, Value};

use super::replace::Replacements;

pub fn run(func: &mut Function) {
    decide_constant_branches(func);
    drop_unreachable(func);
    skip_empty_blocks(func);
    drop_unreachable(func);
    drop_redundant_params(func);
    // Two edges to one block may be alike now.
    decide_constant_branches(func);
    merge_straight_lines(func);
}

fn drop_unreachable(func: &mut Function) {
    let cfg = Cfg::compute(func);
    func.retain_blocks(|&b| cfg.is_reachable(b));
}

fn decide_constant_branches(func: &mut Function) {
    for block in func.layout().to_vec() {
        let target = match func.term(block) {
            Terminator::Branch { cond, then, els } => match func.const_bits(*cond) {
                Some(0) => Some(els),
                Some(_) => Some(then),
                None => (then == els).then_some(then),
            },
            Terminator::Switch {
                value,
                cases,
                default,
            } => match func.const_bits(*value) {
                Some(bits) => cases
                    .iter()
                    .find(|(case, _)| *case == bits)
                    .map_or(Some(default), |(_, call)| Some(call)),
                None => cases
                    .iter()
                    .all(|(_, call)| call == default)
                    .then_some(default),
            },
            _ => None,
        };
        if let Some(call) = target.cloned() {
            func.block_mut(block).term = Some(Terminator::Jump(call));
        }
    }
}

/// An edge to a block that has neither instructions nor parameters, and jumps on, goes where that jumps.
fn skip_empty_blocks(func: &mut Function) {
    let mut onward: HashMap<Block, BlockCall> = HashMap::new();
    for &block in func.layout() {
        let data = func.block(block);
        if block != func.entry()
            && data.insts.is_empty()
            && data.params.is_empty()
            && let Some(Terminator::Jump(call)) = &data.term
            && call.block != block
        {
            onward.insert(block, call.clone());
        }
    }
    if onward.is_empty() {
        return;
    }
    for block in func.layout().to_vec() {
        // A collective passes its result to a block that has a parameter for it.
        let Some(term) = func.block_mut(block).term.as_mut() else {
            continue;
        };
        term.for_each_call_mut(|call| {
            // A ring of empty blocks has no end.
            let mut steps = onward.len().min(64);
            while let Some(next) = onward.get(&call.block).filter(|_| steps > 0) {
                *call = next.clone();
                steps -= 1;
            }
        });
    }
}

/// A parameter that gets one value, or itself, on every edge is that value.
fn drop_redundant_params(func: &mut Function) {
    let mut incoming: Vec<Vec<Value>> = vec![Vec::new(); func.num_values()];
    let mut passed_to: Vec<Vec<Value>> = vec![Vec::new(); func.num_values()];
    let mut fixed = vec![false; func.num_blocks()];
    fixed[func.entry().index()] = true;
    for &block in func.layout() {
        let term = func.term(block);
        if let Terminator::Collective { next, .. } = term {
            fixed[next.block.index()] = true;
        }
        term.for_each_call(|call| {
            for (&arg, &param) in call.args.iter().zip(&func.block(call.block).params) {
                incoming[param.index()].push(arg);
                passed_to[arg.index()].push(param);
            }
        });
    }
    let mut replace = Replacements::new(func);
    let mut redundant = vec![false; func.num_values()];
    let mut work: Vec<(Block, Value)> = Vec::new();
    let mut block_of: HashMap<Value, Block> = HashMap::new();
    for &block in func.layout() {
        if !fixed[block.index()] {
            for &param in &func.block(block).params {
                block_of.insert(param, block);
                work.push((block, param));
            }
        }
    }
    while let Some((_, param)) = work.pop() {
        if redundant[param.index()] {
            continue;
        }
        let mut only = None;
        let mut same = true;
        for &arg in &incoming[param.index()] {
            let arg = replace.get(arg);
            if arg != param {
                same &= only.is_none_or(|o| o == arg);
                only = Some(arg);
            }
        }
        let Some(value) = only.filter(|_| same) else {
            continue;
        };
        redundant[param.index()] = true;
        replace.set(param, value);
        // Those that get this parameter may be redundant now.
        let users = std::mem::take(&mut passed_to[param.index()]);
        work.extend(
            users
                .iter()
                .filter_map(|u| block_of.get(u).map(|&b| (b, *u))),
        );
        passed_to[value.index()].extend(users);
    }
    if !redundant.contains(&true) {
        return;
    }
    let layout = func.layout().to_vec();
    let stay: Vec<Vec<bool>> = (0..func.num_blocks())
        .map(|n| {
            let params = &func.block(Block::new(n)).params;
            params.iter().map(|p| !redundant[p.index()]).collect()
        })
        .collect();
    for &block in &layout {
        if let Some(term) = func.block_mut(block).term.as_mut() {
            term.for_each_call_mut(|call| {
                let mut stays = stay[call.block.index()].iter();
                call.args.retain(|_| *stays.next().unwrap_or(&true));
            });
        }
        func.retain_params(block, |p| !redundant[p.index()]);
    }
    replace.apply(func);
}

/// A block whose only predecessor jumps to it becomes that one's end. What is left stands in the layout where its end
/// stood, because barriers count by the layout.
fn merge_straight_lines(func: &mut Function) {
    let cfg = Cfg::compute(func);
    let mut preds = vec![0u32; func.num_blocks()];
    for &block in func.layout() {
        func.term(block)
            .for_each_call(|call| preds[call.block.index()] += 1);
    }
    let mut replace = Replacements::new(func);
    let mut merged = vec![false; func.num_blocks()];
    let mut place = vec![0; func.num_blocks()];
    for (n, block) in func.layout().iter().enumerate() {
        place[block.index()] = n;
    }
    for block in cfg.reverse_postorder() {
        if merged[block.index()] {
            continue;
        }
        while let Terminator::Jump(call) = func.term(block) {
            let next = call.block;
            if preds[next.index()] != 1 || next == block || next == func.entry() {
                break;
            }
            let args = call.args.clone();
            for (&param, arg) in func.block(next).params.iter().zip(args) {
                replace.set(param, arg);
            }
            let data = std::mem::take(func.block_mut(next));
            merged[next.index()] = true;
            if block != func.entry() {
                place[block.index()] = place[next.index()];
            }
            let into = func.block_mut(block);
            into.insts.extend(data.insts);
            into.term = data.term;
            into.term_loc = data.term_loc;
        }
    }
    if merged.contains(&true) {
        let mut layout = func.layout().to_vec();
        layout.retain(|b| !merged[b.index()]);
        layout.sort_by_key(|b| place[b.index()]);
        func.set_layout(layout);
        replace.apply(func);
    }
}
