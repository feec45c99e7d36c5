//! Turns small branches into selects: an `if` whose arms only compute a few values runs without control flow, so that
//! work-items in vector lanes need no masks for it.
//!
//! A block that ends in a branch takes in its arms: blocks of a few cheap instructions that nothing else leads to and
//! that jump on to one block. What they pass to it is chosen by the condition. No arm touches memory, calls or divides.
//! Inner branches come first, so that nests fold up.

use crate::ir::cfg::Cfg;
use crate::ir::{BinaryOp, Block, BlockCall, Function, Inst, InstData, SrcLoc, Terminator, Value};

/// The most instructions that both arms may have together, constants aside, and selects besides.
const MOST_INSTS: usize = 8;
const MOST_SELECTS: usize = 4;

pub fn run(func: &mut Function) {
    let cfg = Cfg::compute(func);
    let mut preds = vec![0u32; func.num_blocks()];
    for &block in func.layout() {
        func.term(block)
            .for_each_call(|call| preds[call.block.index()] += 1);
    }
    let mut gone = vec![false; func.num_blocks()];
    for &block in cfg.postorder() {
        // A branch with an `if` in its arm becomes simple by that one's end.
        while let Some(plan) = plan(func, &preds, block) {
            for arm in plan.arms.into_iter().flatten() {
                gone[arm.index()] = true;
                let data = std::mem::take(func.block_mut(arm));
                func.block_mut(block).insts.extend(data.insts);
            }
            // Two edges become one.
            preds[plan.join.index()] -= 1;
            let args = plan
                .args
                .iter()
                .map(|&(then, els)| choose(func, block, plan.cond, then, els))
                .collect();
            func.block_mut(block).term = Some(Terminator::Jump(BlockCall {
                block: plan.join,
                args,
            }));
            take_in(func, &mut preds, &mut gone, block);
        }
    }
    func.retain_blocks(|b| !gone[b.index()]);
}

struct Plan {
    cond: Value,
    arms: [Option<Block>; 2],
    join: Block,
    args: Vec<(Value, Value)>,
}

/// How the branch at the end of `block` becomes selects, if it can.
fn plan(func: &Function, preds: &[u32], block: Block) -> Option<Plan> {
    let Some(Terminator::Branch { cond, then, els }) = &func.block(block).term else {
        return None;
    };
    let (join, arms) = if let Some(join) = onward(func, preds, block, then)
        && join.block == els.block
    {
        ([join, els], [Some(then.block), None])
    } else if let Some(join) = onward(func, preds, block, els)
        && join.block == then.block
    {
        ([then, join], [None, Some(els.block)])
    } else {
        let (a, b) = (
            onward(func, preds, block, then)?,
            onward(func, preds, block, els)?,
        );
        (a.block == b.block && then.block != els.block)
            .then_some(([a, b], [Some(then.block), Some(els.block)]))?
    };
    let insts = arms
        .iter()
        .flatten()
        .flat_map(|&arm| &func.block(arm).insts);
    let work = insts.filter(|&&i| !is_constant(func.inst(i))).count();
    let args: Vec<(Value, Value)> = join[0]
        .args
        .iter()
        .copied()
        .zip(join[1].args.iter().copied())
        .collect();
    let differ = args.iter().filter(|(a, b)| a != b);
    // An address that may lead to either of two places is hard to follow.
    let plain = differ.clone().all(|&(a, _)| !func.ty(a).elem.is_ptr());
    // A loop that a block closes on itself stays.
    let fine = plain && work <= MOST_INSTS && differ.count() <= MOST_SELECTS;
    let fine = fine && join[0].block != block;
    fine.then(|| Plan {
        cond: *cond,
        arms,
        join: join[0].block,
        args,
    })
}

/// Where an arm goes on to, if it can be taken in.
fn onward<'f>(
    func: &'f Function,
    preds: &[u32],
    from: Block,
    arm: &BlockCall,
) -> Option<&'f BlockCall> {
    let data = func.block(arm.block);
    let alone = preds[arm.block.index()] == 1 && data.params.is_empty() && arm.block != from;
    match &data.term {
        Some(Terminator::Jump(call)) if alone && arm.block != func.entry() => {
            let cheap = data.insts.iter().all(|&i| is_cheap(func, i));
            cheap.then_some(call)
        }
        _ => None,
    }
}

fn is_constant(data: &InstData) -> bool {
    matches!(data, InstData::IConst { .. } | InstData::FConst { .. })
}

fn is_cheap(func: &Function, inst: Inst) -> bool {
    match func.inst(inst) {
        InstData::Binary { op, .. } => !matches!(
            op,
            BinaryOp::SDiv
                | BinaryOp::UDiv
                | BinaryOp::SRem
                | BinaryOp::URem
                | BinaryOp::FDiv
                | BinaryOp::FRem
        ),
        InstData::IConst { .. }
        | InstData::FConst { .. }
        | InstData::Undef { .. }
        | InstData::Unary { .. }
        | InstData::Ternary { .. }
        | InstData::ICmp { .. }
        | InstData::FCmp { .. }
        | InstData::Select { .. }
        | InstData::Cast { .. }
        | InstData::Splat { .. }
        | InstData::BuildVector { .. }
        | InstData::Extract { .. }
        | InstData::Insert { .. }
        | InstData::Shuffle { .. }
        | InstData::PtrAdd { .. }
        | InstData::InSpace { .. }
        | InstData::GlobalAddr { .. }
        | InstData::LocalAddr { .. } => true,
        _ => false,
    }
}

/// The condition's choice, at the end of `block`. It is exact whatever the program's fast-math options: it may carry a
/// NaN that nobody looks at.
fn choose(func: &mut Function, block: Block, cond: Value, then: Value, els: Value) -> Value {
    if then == els {
        return then;
    }
    let ty = func.ty(then);
    let inst = func.make_inst(
        InstData::Select { cond, then, els },
        Some(ty),
        SrcLoc::LIBRARY,
    );
    func.append_inst(block, inst);
    func.result(inst).expect("a select has a result")
}

/// Takes in the block behind, if only this one leads to it and it has no parameters to be replaced.
fn take_in(func: &mut Function, preds: &mut [u32], gone: &mut [bool], block: Block) {
    let Some(Terminator::Jump(call)) = &func.block(block).term else {
        return;
    };
    let next = call.block;
    let alone = preds[next.index()] == 1 && next != block && next != func.entry();
    // Barriers count by the layout.
    let plain = matches!(
        func.block(next).term,
        Some(Terminator::Jump(_) | Terminator::Branch { .. })
    );
    if !alone || !plain || !func.block(next).params.is_empty() {
        return;
    }
    gone[next.index()] = true;
    preds[next.index()] = 0;
    let data = std::mem::take(func.block_mut(next));
    let into = func.block_mut(block);
    into.insts.extend(data.insts);
    into.term = data.term;
    into.term_loc = data.term_loc;
}
