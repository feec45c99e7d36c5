//! A sine and a cosine of the same number, in one block, come from one function of the library that makes both: they share
//! the reduction and its test for large numbers, which are half of the work.
//!
//! Runs before the library is linked in and anything is inlined, in functions that call both; there variables become
//! values first, so that the same number is seen to be the same.

use std::collections::HashMap;

use crate::ir::types::F32;
use crate::ir::{Block, Elem, FuncId, Function, Inst, InstData, Module, Type, Value};

use super::{cse, mem2reg, simplify_cfg, sroa};

/// A sine, a cosine, and what gives a vector of both.
const PAIRS: [[&str; 3]; 2] = [
    ["sin(float)", "cos(float)", "__clo_sin_cos(float)"],
    [
        "native_sin(float)",
        "native_cos(float)",
        "__clo_native_sin_cos(float)",
    ],
];
const BOTH: Type = Type::vector(Elem::F32, 2);

pub fn run(module: &mut Module) {
    for [sine, cosine, both] in PAIRS {
        let find = |module: &Module, name: &str| {
            let mut ids = module.func_ids();
            ids.find(|id| module.functions[id.index()].name == name)
        };
        let (Some(sine), Some(cosine)) = (find(module, sine), find(module, cosine)) else {
            continue;
        };
        let callers: Vec<FuncId> = module
            .func_ids()
            .filter(|&id| {
                let calls = |to| module.body(id).is_some_and(|body| has_call(body, to));
                calls(sine) && calls(cosine)
            })
            .collect();
        for caller in callers {
            let both = find(module, both).unwrap_or_else(|| module.declare(both));
            if let Some(func) = &mut module.functions[caller.index()].body {
                for pass in [simplify_cfg::run, sroa::run, mem2reg::run, cse::run] {
                    pass(func);
                }
                for block in func.layout().to_vec() {
                    pair(func, block, [sine, cosine], both);
                }
            }
        }
    }
}

fn has_call(func: &Function, to: FuncId) -> bool {
    let mut insts = func.layout().iter().flat_map(|&b| &func.block(b).insts);
    insts.any(|&inst| matches!(func.inst(inst), InstData::Call { func, .. } if *func == to))
}

fn pair(func: &mut Function, block: Block, parts: [FuncId; 2], both: FuncId) {
    let mut calls: HashMap<Value, [Vec<Inst>; 2]> = HashMap::new();
    for &inst in &func.block(block).insts {
        if let InstData::Call { func: to, args } = func.inst(inst)
            && let Some(part) = parts.iter().position(|part| part == to)
            && let &[arg] = &args[..]
            && func.ty(arg) == F32
        {
            calls.entry(arg).or_default()[part].push(inst);
        }
    }
    calls.retain(|_, [sines, cosines]| !sines.is_empty() && !cosines.is_empty());
    for inst in std::mem::take(&mut func.block_mut(block).insts) {
        let arg = match func.inst(inst) {
            InstData::Call { args, .. } => args.first().copied(),
            _ => None,
        };
        // At the first of them; the others are changed before they come.
        if let Some(arg) = arg
            && calls
                .get(&arg)
                .is_some_and(|parts| parts.concat().contains(&inst))
            && let Some(parts) = calls.remove(&arg)
        {
            let data = InstData::Call {
                func: both,
                args: vec![arg],
            };
            let made = func.make_inst(data, Some(BOTH), func.loc(inst));
            func.append_inst(block, made);
            let vec = func.result(made).expect("asked for above");
            for (lane, part) in (0u16..).zip(&parts) {
                for &part in part {
                    *func.inst_mut(part) = InstData::Extract { vec, lane };
                }
            }
        }
        func.append_inst(block, inst);
    }
}
