//! One work-group: work-items in linear order, each up to its next barrier; then those at the barrier go on.
//!
//! Work-items that have returned hold up nobody. Where they wait at different barriers, each pair is reported and
//! those at the lowest barrier go first, barriers being numbered by the order of their blocks in the layout (in a
//! called function: by the block of the call, then by the callee's): that is what the driver of the work-group pass
//! does, and what a GPU would do. Collectives fold the values of the work-items that arrived, in linear order.

use super::exec::{self, Start, Stop};
use super::fault::Fault;
use super::item::{Frame, Item};
use super::memory::Addr;
use super::{Divergence, Machine, NdRange};
use crate::ir::entities::FuncId;
use crate::ir::eval;
use crate::ir::function::Function;
use crate::ir::inst::{BinaryOp, Collective, Terminator};
use crate::ir::module::Module;
use crate::ir::types::{Elem, Type};

/// What the work-items of a group share, memory aside.
pub struct GroupState {
    pub kernel: FuncId,
    pub range: NdRange,
    pub num_groups: [u64; 3],
    pub group_id: [u64; 3],
    /// Smaller than the range's in a remainder group.
    pub local_size: [u64; 3],
    /// The address of each `__local` variable.
    pub locals: Vec<Addr>,
    pub scratch: Addr,
}

/// Runs one group to its end. `pool` keeps the work-items' allocations from group to group.
pub fn run(
    machine: &mut Machine,
    state: &GroupState,
    func: &Function,
    args: &[Vec<u64>],
    pool: &mut Vec<Item>,
) -> Result<(), Fault> {
    let count = if func.group {
        1
    } else {
        state.local_size.iter().product::<u64>() as usize
    };
    while pool.len() < count {
        pool.push(Item::default());
    }
    let items = &mut pool[..count];
    let mut waiting = Vec::with_capacity(count);
    for (n, item) in items.iter_mut().enumerate() {
        place(item, n as u64, state);
        begin(machine, item, state.kernel, func, args);
        if exec::run(machine, state, item, Start::Here)? == Stop::Barrier {
            waiting.push(n);
        }
    }
    while !waiting.is_empty() {
        let (ready, mut rest) = lowest(machine, state, items, &waiting);
        let results = collective(machine, state, items, &ready);
        for (at, &n) in ready.iter().enumerate() {
            let result = results.as_ref().map(|r| r[at]);
            let stop = exec::run(machine, state, &mut items[n], Start::AfterBarrier(result))?;
            if stop == Stop::Barrier {
                rest.push(n);
            }
        }
        rest.sort_unstable();
        waiting = rest;
    }
    Ok(())
}

/// The ids of the n-th work-item.
fn place(item: &mut Item, n: u64, state: &GroupState) {
    let [x, y, _] = state.local_size;
    item.local_id = [n % x, n / x % y, n / x / y];
    item.global_id = std::array::from_fn(|d| {
        let first = state.group_id[d] * state.range.local[d];
        state.range.offset[d].wrapping_add(first + item.local_id[d])
    });
}

fn begin(machine: &Machine, item: &mut Item, id: FuncId, func: &Function, args: &[Vec<u64>]) {
    let info = &machine.infos[id.index()];
    item.private.truncate(0);
    item.regs.clear();
    item.regs.resize(info.len, 0);
    item.frames.clear();
    item.frames.push(Frame {
        func: id,
        base: 0,
        block: func.entry(),
        pc: 0,
        private_mark: 0,
        call: None,
    });
    for (&param, lanes) in func.param_values().iter().zip(args) {
        let slot = info.slots[param.index()] as usize;
        item.regs[slot..slot + lanes.len()].copy_from_slice(lanes);
    }
}

/// The waiting work-items at the lowest barrier, and the others.
fn lowest(
    machine: &mut Machine,
    state: &GroupState,
    items: &[Item],
    waiting: &[usize],
) -> (Vec<usize>, Vec<usize>) {
    let first = &items[waiting[0]];
    if waiting.iter().all(|&n| same_place(first, &items[n])) {
        return (waiting.to_vec(), Vec::new());
    }
    let module = machine.module;
    let mut keyed: Vec<(Vec<usize>, usize)> = waiting
        .iter()
        .map(|&n| (barrier_key(module, &items[n]), n))
        .collect();
    keyed.sort();
    let line = |n: usize| barrier_line(module, &items[n]);
    for pair in keyed.windows(2) {
        if pair[0].0 != pair[1].0 {
            machine.divergences.push(Divergence {
                group: state.group_id,
                line_a: line(pair[0].1),
                line_b: line(pair[1].1),
            });
        }
    }
    let lowest = keyed[0].0.clone();
    let (ready, rest): (Vec<_>, Vec<_>) = keyed.into_iter().partition(|(key, _)| *key == lowest);
    let numbers = |list: Vec<(Vec<usize>, usize)>| list.into_iter().map(|(_, n)| n).collect();
    (numbers(ready), numbers(rest))
}

fn same_place(a: &Item, b: &Item) -> bool {
    let place = |frame: &Frame| (frame.func, frame.block, frame.pc);
    a.frames.len() == b.frames.len()
        && (a.frames.iter().zip(&b.frames)).all(|(x, y)| place(x) == place(y))
}

/// For each frame the place of its block in the layout and the place in the block.
fn barrier_key(module: &Module, item: &Item) -> Vec<usize> {
    let mut key = Vec::with_capacity(item.frames.len() * 2);
    for frame in &item.frames {
        if let Some(func) = module.body(frame.func) {
            key.extend(func.layout().iter().position(|&b| b == frame.block));
        }
        key.push(frame.pc);
    }
    key
}

/// The terminator at which a work-item waits, and its function.
fn barrier<'m>(module: &'m Module, item: &Item) -> Option<(&'m Function, &'m Terminator)> {
    let frame = item.frames.last()?;
    let func = module.body(frame.func)?;
    Some((func, func.term(frame.block)))
}

fn barrier_line(module: &Module, item: &Item) -> u32 {
    match barrier(module, item) {
        Some((_, Terminator::Barrier { line, .. } | Terminator::Collective { line, .. })) => *line,
        _ => 0,
    }
}

/// The result for each of the work-items that arrived, or none for a plain barrier.
fn collective(
    machine: &Machine,
    state: &GroupState,
    items: &[Item],
    ready: &[usize],
) -> Option<Vec<u64>> {
    let (func, term) = barrier(machine.module, &items[ready[0]])?;
    let Terminator::Collective {
        op, signed, args, ..
    } = term
    else {
        return None;
    };
    let ty = func.ty(args[0]);
    let operand = |n: usize, arg: usize| exec::operand(machine, &items[n], args[arg]);
    let values: Vec<u64> = ready.iter().map(|&n| operand(n, 0)).collect();
    let all = |x: u64| Some(vec![x; ready.len()]);
    match op {
        Collective::All => all(values.iter().all(|&v| v != 0).into()),
        Collective::Any => all(values.iter().any(|&v| v != 0).into()),
        Collective::Broadcast => {
            let id: [u64; 3] = std::array::from_fn(|d| operand(ready[0], d + 1));
            let [x, y, _] = state.local_size;
            let linear = (id[2].wrapping_mul(y).wrapping_add(id[1])).wrapping_mul(x);
            let linear = linear.wrapping_add(id[0]);
            let from = ready.iter().position(|&n| n as u64 == linear);
            all(from.map_or(0, |at| values[at]))
        }
        _ => Some(fold(*op, *signed, ty, &values)),
    }
}

/// Reductions and scans.
fn fold(op: Collective, signed: bool, ty: Type, values: &[u64]) -> Vec<u64> {
    let float = ty.elem.is_float();
    let (combine, start) = match op {
        Collective::ReduceAdd | Collective::ScanInclusiveAdd | Collective::ScanExclusiveAdd => {
            (if float { BinaryOp::FAdd } else { BinaryOp::Add }, 0)
        }
        Collective::ReduceMin | Collective::ScanInclusiveMin | Collective::ScanExclusiveMin => (
            pick(
                float,
                signed,
                [BinaryOp::FMin, BinaryOp::SMin, BinaryOp::UMin],
            ),
            extreme(ty.elem, signed, true),
        ),
        _ => (
            pick(
                float,
                signed,
                [BinaryOp::FMax, BinaryOp::SMax, BinaryOp::UMax],
            ),
            extreme(ty.elem, signed, false),
        ),
    };
    let mut inclusive: Vec<u64> = Vec::with_capacity(values.len());
    for &value in values {
        let folded = match inclusive.last() {
            Some(&before) => eval::binary(combine, ty.elem, before, value),
            None => value,
        };
        inclusive.push(folded);
    }
    match op {
        Collective::ReduceAdd | Collective::ReduceMin | Collective::ReduceMax => {
            let total = inclusive.last().copied().unwrap_or(start);
            vec![total; values.len()]
        }
        Collective::ScanInclusiveAdd
        | Collective::ScanInclusiveMin
        | Collective::ScanInclusiveMax => inclusive,
        _ => {
            inclusive.pop();
            inclusive.insert(0, start);
            inclusive
        }
    }
}

fn pick(float: bool, signed: bool, [f, s, u]: [BinaryOp; 3]) -> BinaryOp {
    match (float, signed) {
        (true, _) => f,
        (_, true) => s,
        _ => u,
    }
}

/// The largest value of the type, or the smallest (OpenCL C 3.0, 6.15.16: the identities of min and max).
fn extreme(elem: Elem, signed: bool, largest: bool) -> u64 {
    let mask = eval::mask(elem);
    if elem.is_float() {
        let infinity = if largest {
            f64::INFINITY
        } else {
            f64::NEG_INFINITY
        };
        return eval::from_f64(elem, infinity);
    }
    match (signed, largest) {
        (true, true) => mask >> 1,
        (true, false) => mask ^ (mask >> 1),
        (false, true) => mask,
        (false, false) => 0,
    }
}
