//! One work-group: work-items in linear order, each up to its next barrier; then those at the barrier go on.
//!
//! Work-items that have returned hold up nobody. Where they wait at different barriers, each pair is reported and
//! those at the lowest barrier go first, barriers being numbered by the order of their blocks in the layout (in a
//! called function: by the block of the call, then by the callee's): that is what the driver of the work-group pass
//! does, and what a GPU would do. Barriers and collectives of sub-groups come before those of groups, so that what waits
//! for a group's is all that can come to it. Collectives fold the values of the work-items that arrived
//! (`ir::collective`).

use super::exec::{self, Start, Stop};
use super::fault::Fault;
use super::item::{Frame, Item};
use super::memory::Addr;
use super::{Divergence, Machine, NdRange};
use crate::ir::collective::{Fold, GROUP_ROW};
use crate::ir::entities::FuncId;
use crate::ir::function::Function;
use crate::ir::inst::{Collective, Team, Terminator};
use crate::ir::module::Module;
use crate::ir::types::Elem;

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
    /// Work-items in a full sub-group.
    pub sub_group: u64,
}

impl GroupState {
    /// The linear local id.
    pub fn linear_id(&self, [x, y, z]: [u64; 3]) -> u64 {
        let [width, height, _] = self.local_size;
        let row = z.wrapping_mul(height).wrapping_add(y);
        row.wrapping_mul(width).wrapping_add(x)
    }
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
    item.round = None;
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
        .map(|&n| (barrier_key(machine, &items[n]), n))
        .collect();
    keyed.sort();
    let line = |n: usize| barrier_line(module, &items[n]);
    for pair in keyed.windows(2) {
        // Sub-groups may go their own ways.
        if pair[0].0 != pair[1].0 && pair[0].0[0] == 1 {
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

/// Whether it is a barrier of groups. Then for each frame the place of its block and the place in the block: in the order
/// of [`Meetings`], or else in the layout.
fn barrier_key(machine: &Machine, item: &Item) -> Vec<usize> {
    let of_group = of_group(machine.module, item);
    let mut key = Vec::with_capacity(1 + item.frames.len() * 2);
    key.push(usize::from(of_group));
    for frame in &item.frames {
        let info = &machine.infos[frame.func.index()];
        match (&info.meetings, machine.module.body(frame.func)) {
            (Some(meetings), _) if !of_group => key.push(2 * meetings.place(frame.block) as usize),
            (_, Some(func)) => key.extend(func.layout().iter().position(|&b| b == frame.block)),
            _ => {}
        }
        key.push(frame.pc);
    }
    if let Some(round) = item.round {
        key.truncate(key.len() - 2);
        key.push(2 * round as usize + 1);
    }
    key
}

/// The terminator at which a work-item waits, and its function.
fn barrier<'m>(module: &'m Module, item: &Item) -> Option<(&'m Function, &'m Terminator)> {
    let frame = item.frames.last()?;
    let func = module.body(frame.func)?;
    Some((func, func.term(frame.block)))
}

fn of_group(module: &Module, item: &Item) -> bool {
    barrier(module, item).is_some_and(|(_, term)| term.team() == Some(Team::Group))
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
    let Terminator::Collective { team, op, args, .. } = term else {
        return None;
    };
    let elem = func.ty(args[0]).elem;
    let operand = |n: usize, arg: usize| exec::operand(machine, &items[n], args[arg]);
    let mut values: Vec<Option<u64>> = vec![None; items.len()];
    for &n in ready {
        values[n] = Some(operand(n, 0));
    }
    let results = match op {
        Collective::Broadcast => {
            let [x, y, z] = std::array::from_fn(|d| operand(ready[0], d + 1));
            let from = state.linear_id([x, y, z]) as usize;
            vec![values.get(from).copied().flatten().unwrap_or(0); items.len()]
        }
        Collective::Shuffle => {
            let size = state.sub_group as usize;
            let from = |n: usize| n - n % size + operand(n, 1) as usize % size;
            let one = |n: usize| values[n].and_then(|_| values.get(from(n)).copied().flatten());
            (0..items.len()).map(|n| one(n).unwrap_or(0)).collect()
        }
        _ => match team {
            Team::Group => of_team(*op, elem, &values, None),
            Team::SubGroup | Team::Cluster(_) => {
                let size = match team {
                    Team::Cluster(n) => state.sub_group.min(u64::from(*n)),
                    _ => state.sub_group,
                } as usize;
                let teams = values.chunks(size);
                let results = teams.map(|team| of_team(*op, elem, team, Some(size)));
                results.collect::<Vec<_>>().concat()
            }
        },
    };
    Some(ready.iter().map(|&n| results[n]).collect())
}

/// What the work-items of a team get, by their order; `size` is the number of places in a sub-group or cluster.
fn of_team(op: Collective, elem: Elem, values: &[Option<u64>], size: Option<usize>) -> Vec<u64> {
    let votes = || values.iter().flatten().map(|&v| v != 0);
    let fold = op.fold().and_then(|op| Fold::new(op, elem));
    let all = |result: u64| vec![result; values.len()];
    match (op, fold) {
        (Collective::All, _) => all(votes().all(|v| v).into()),
        (Collective::Any, _) => all(votes().any(|v| v).into()),
        (Collective::Ballot, _) => {
            let bits = (0u32..).zip(values).map(|(n, v)| match v {
                Some(v) if *v != 0 => 1u64 << (n & 63),
                _ => 0,
            });
            all(bits.fold(0, |all, bit| all | bit))
        }
        (Collective::Reduce(_), Some(fold)) => all(match size {
            None => fold.reduce_group(values),
            Some(size) => fold.reduce(values, size),
        }),
        (Collective::ScanInclusive(_) | Collective::ScanExclusive(_), Some(fold)) => {
            let exclusive = matches!(op, Collective::ScanExclusive(_));
            fold.scan(values, size.unwrap_or(GROUP_ROW), exclusive)
        }
        _ => panic!("the verifier lets no such collective pass"),
    }
}
