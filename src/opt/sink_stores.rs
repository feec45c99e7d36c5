//! One store where several ways that meet end in one each to the same place: `if (rim) out[i] = a; else out[i] = b;` stores once,
//! behind the branch. Then it needs no mask where work-items run in lanes, and may go around the caches.
//!
//! What is stored becomes a parameter of the block where the ways meet, or of a new one before it if other ways meet there
//! too. Addresses are the same if they are computed alike from the same values; the computation is repeated behind.
//! Nothing but computation may follow the store on its way. Heads of loops are left alone.

use crate::ir::cfg::Cfg;
use crate::ir::{Block, BlockCall, Function, Inst, InstData, Terminator, Type, Value, ValueDef};

use super::{cse, dce};

/// Instructions of an address that are repeated at most.
const MOST_INSTS: usize = 16;

pub fn run(func: &mut Function) {
    let cfg = Cfg::compute(func);
    let mut changed = false;
    // Where ways meet first comes first: its store may sink on.
    for join in cfg.reverse_postorder().collect::<Vec<_>>() {
        let preds: Vec<Block> = cfg.preds(join).to_vec();
        let header = preds.iter().any(|&pred| cfg.is_retreating(pred, join));
        if header || preds.len() < 2 {
            continue;
        }
        changed |= sink_all(func, join, &preds);
    }
    if changed {
        dce::run(func);
    }
}

/// All stores that ways from `preds` to `join` share, the last one first. Returns whether there were any.
fn sink_all(func: &mut Function, join: Block, preds: &[Block]) -> bool {
    let mut changed = false;
    while let Some(ways) = alike(func, join, preds) {
        let all = ways.len() == preds.len();
        let place = sink(func, join, &ways, all);
        changed = true;
        if !all {
            // These ways lead elsewhere from now on.
            let blocks: Vec<Block> = ways.iter().map(|way| way.block).collect();
            sink_all(func, place, &blocks);
        }
    }
    changed
}

/// A store that is the last thing in its block that others can see.
#[derive(Clone, Copy)]
struct Way {
    block: Block,
    inst: Inst,
    ptr: Value,
    value: Value,
    align: u32,
}

/// Two or more of the ways to `join` that may share a store.
fn alike(func: &Function, join: Block, preds: &[Block]) -> Option<Vec<Way>> {
    let mut ways: Vec<Way> = preds.iter().filter_map(|&b| way(func, b, join)).collect();
    while let Some(first) = ways.first().copied() {
        let same = |other: &Way| {
            let mut budget = MOST_INSTS;
            func.ty(first.value) == func.ty(other.value)
                && computed_alike(func, first.ptr, other.ptr, &mut budget)
        };
        let (found, rest): (Vec<Way>, Vec<Way>) = ways.iter().partition(|&way| same(way));
        if found.len() >= 2 {
            return Some(found);
        }
        ways = rest;
        ways.retain(|way| way.block != first.block);
    }
    None
}

fn way(func: &Function, block: Block, join: Block) -> Option<Way> {
    match func.term(block) {
        Terminator::Jump(call) if call.block == join => {}
        _ => return None,
    }
    for &inst in func.block(block).insts.iter().rev() {
        match *func.inst(inst) {
            InstData::Store {
                value,
                ptr,
                align,
                volatile: false,
            } => {
                return Some(Way {
                    block,
                    inst,
                    ptr,
                    value,
                    align,
                });
            }
            ref data if cse::is_pure(data) => {}
            _ => return None,
        }
    }
    None
}

/// Whether two values are the same, or come of the same by the same instructions; `budget`: how many of these are looked at.
fn computed_alike(func: &Function, a: Value, b: Value, budget: &mut usize) -> bool {
    if a == b {
        return true;
    }
    let (ValueDef::Result(x), ValueDef::Result(y)) = (func.value(a).def, func.value(b).def) else {
        return false;
    };
    if *budget == 0 || !cse::is_pure(func.inst(x)) || func.loc(x).exact != func.loc(y).exact {
        return false;
    }
    *budget -= 1;
    let ((data, of_x), (other, of_y)) = (apart(func, x), apart(func, y));
    data == other
        && func.ty(a) == func.ty(b)
        && of_x.len() == of_y.len()
        && of_x
            .iter()
            .zip(&of_y)
            .all(|(&a, &b)| computed_alike(func, a, b, budget))
}

/// An instruction with any operands, and its operands.
fn apart(func: &Function, inst: Inst) -> (InstData, Vec<Value>) {
    let mut data = func.inst(inst).clone();
    let mut operands = Vec::new();
    data.for_each_use_mut(|value| operands.push(std::mem::replace(value, Value::new(0))));
    (data, operands)
}

/// Moves the store of these ways behind them: into `join` if `all` ways to it have it. Returns where it is.
fn sink(func: &mut Function, join: Block, ways: &[Way], all: bool) -> Block {
    let first = ways[0];
    let loc = func.loc(first.inst);
    let ty = func.ty(first.value);
    let place = if all { join } else { before(func, join) };
    let value = func.add_param(place, ty);
    for way in ways {
        let data = func.block_mut(way.block);
        data.insts.retain(|&inst| inst != way.inst);
        let Some(Terminator::Jump(call)) = &mut data.term else {
            unreachable!("a way ends in a jump");
        };
        call.block = place;
        call.args.push(way.value);
    }
    let mut insts = Vec::new();
    let ptrs: Vec<Value> = ways.iter().map(|way| way.ptr).collect();
    let ptr = repeat(func, &ptrs, &mut insts);
    let align = ways.iter().map(|way| way.align).min();
    let data = InstData::Store {
        value,
        ptr,
        align: align.unwrap_or(1),
        volatile: false,
    };
    insts.push(func.make_inst(data, None, loc));
    func.block_mut(place).insts.splice(0..0, insts);
    place
}

/// A new block that jumps to `join`, with parameters for what that wants.
fn before(func: &mut Function, join: Block) -> Block {
    let types: Vec<Type> = func
        .block(join)
        .params
        .iter()
        .map(|&p| func.ty(p))
        .collect();
    let place = func.add_block();
    let args = types.into_iter().map(|ty| func.add_param(place, ty));
    let args = args.collect();
    func.block_mut(place).term = Some(Terminator::Jump(BlockCall { block: join, args }));
    // Barriers count by the layout, where it stands before the block that it leads to.
    let mut layout = func.layout().to_vec();
    layout.retain(|&b| b != place);
    let at = layout.iter().position(|&b| b == join);
    layout.insert(at.unwrap_or(layout.len()), place);
    func.set_layout(layout);
    place
}

/// Computes again what values come of that are computed alike, one for each way; what is new goes to `insts`.
fn repeat(func: &mut Function, alike: &[Value], insts: &mut Vec<Inst>) -> Value {
    let first = alike[0];
    // A value that all ways know is known behind them.
    if alike.iter().all(|&value| value == first) {
        return first;
    }
    let of: Vec<Inst> = alike.iter().map(|&value| result_of(func, value)).collect();
    let (mut data, loc) = (func.inst(of[0]).clone(), func.loc(of[0]));
    let operands: Vec<Vec<Value>> = of.iter().map(|&inst| apart(func, inst).1).collect();
    let mut n = 0;
    data.for_each_use_mut(|value| {
        let alike: Vec<Value> = operands.iter().map(|of| of[n]).collect();
        *value = repeat(func, &alike, insts);
        n += 1;
    });
    let ty = func.ty(first);
    let inst = func.make_inst(data, Some(ty), loc);
    insts.push(inst);
    func.result(inst).expect("a value has a result")
}

fn result_of(func: &Function, value: Value) -> Inst {
    match func.value(value).def {
        ValueDef::Result(inst) => inst,
        ValueDef::Param(..) => unreachable!("parameters are alike if they are the same"),
    }
}
