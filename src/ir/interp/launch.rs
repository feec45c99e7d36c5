//! From arguments and an NDRange to work-groups: checks, argument values, the loop over groups.

use super::fault::Fault;
use super::group::{self, GroupState};
use super::item::Item;
use super::memory::{Addr, Memory, Segment};
use super::{Arg, Machine, NdRange, Scratch};
use crate::ir::abi::BASE_ALIGN;
use crate::ir::entities::{FuncId, Value};
use crate::ir::function::{DEFAULT_SUB_GROUP_SIZE, Function, ParamAttrs};
use crate::ir::types::{AddrSpace, Type};

/// Limit on the work-items of one group.
const MAX_GROUP: u64 = 1 << 16;
/// Limit in bytes on one argument's or variable's local memory, and on scratch.
const MAX_BYTES: u64 = 1 << 32;

pub fn launch(
    machine: &mut Machine,
    kernel: FuncId,
    args: &[Arg],
    range: &NdRange,
    scratch: Scratch,
) -> Result<(), Fault> {
    let module = machine.module;
    let slot = module.functions.get(kernel.index());
    let Some(func) = slot.and_then(|slot| slot.body.as_ref()) else {
        return Err(Fault::before_launch(format!("{kernel} has no body")));
    };
    let items = group_items(range)?;
    let mut cleared = Vec::new();
    let values = arguments(machine, func, args, &mut cleared)?;
    let mut locals = Vec::with_capacity(func.locals.len());
    for var in &func.locals {
        let name = format!("__local '{}'", var.name);
        locals.push(zeroed(
            machine,
            &name,
            AddrSpace::Local,
            var.size,
            var.align,
        )?);
    }
    cleared.extend(locals.iter().copied());
    let scratch = scratch_segment(machine, func, scratch, items)?;
    machine.steps_left = machine.step_limit;

    let num_groups = range.num_groups();
    let attrs = func.kernel.as_ref();
    let sub_group = attrs.and_then(|attrs| attrs.sub_group_size);
    let sub_group = sub_group.unwrap_or(DEFAULT_SUB_GROUP_SIZE);
    let mut pool: Vec<Item> = Vec::new();
    let mut state = GroupState {
        kernel,
        range: *range,
        num_groups,
        group_id: [0; 3],
        local_size: [0; 3],
        locals,
        scratch,
        sub_group: u64::from(sub_group),
    };
    for z in 0..num_groups[2] {
        for y in 0..num_groups[1] {
            for x in 0..num_groups[0] {
                state.group_id = [x, y, z];
                state.local_size = std::array::from_fn(|n| {
                    range.local[n].min(range.global[n] - state.group_id[n] * range.local[n])
                });
                for &addr in &cleared {
                    machine
                        .memory
                        .segment_mut(Memory::number(addr))
                        .bytes
                        .fill(0);
                }
                group::run(machine, &state, func, &values, &mut pool)?;
            }
        }
    }
    Ok(())
}

/// Work-items of a full group.
fn group_items(range: &NdRange) -> Result<u64, Fault> {
    let bad = |message: &str| Err(Fault::before_launch(message));
    if !(1..=3).contains(&range.dims) {
        return bad("an NDRange has 1 to 3 dimensions");
    }
    if range.global.contains(&0) || range.local.contains(&0) {
        return bad("a size of the NDRange is 0");
    }
    let product = range.local.iter().try_fold(1u64, |n, &l| n.checked_mul(l));
    match product {
        Some(items) if items <= MAX_GROUP => Ok(items),
        _ => bad("the work-group is too large"),
    }
}

fn zeroed(
    machine: &mut Machine,
    name: &str,
    space: AddrSpace,
    size: u64,
    align: u32,
) -> Result<Addr, Fault> {
    if size > MAX_BYTES {
        return Err(Fault::before_launch(format!("{name} is too large")));
    }
    Ok(machine.memory.add(Segment {
        bytes: vec![0; size as usize],
        align,
        writable: true,
        space,
        name: name.to_string(),
    }))
}

fn scratch_segment(
    machine: &mut Machine,
    func: &Function,
    scratch: Scratch,
    items: u64,
) -> Result<Addr, Fault> {
    if !func.group {
        return Ok(0);
    }
    let size = scratch.per_item.saturating_mul(items);
    let size = size.saturating_add(scratch.fixed);
    let align = BASE_ALIGN as u32;
    // Variables of work-items are kept there.
    zeroed(machine, "scratch", AddrSpace::Private, size, align)
}

/// The registers of each parameter; the local memory of arguments goes to `cleared` as well.
fn arguments(
    machine: &mut Machine,
    func: &Function,
    args: &[Arg],
    cleared: &mut Vec<Addr>,
) -> Result<Vec<Vec<u64>>, Fault> {
    let params = func.param_values();
    if params.len() != args.len() {
        let message = format!("{} arguments for {} parameters", args.len(), params.len());
        return Err(Fault::before_launch(message));
    }
    let mut values = Vec::with_capacity(args.len());
    for (n, arg) in args.iter().enumerate() {
        let value = argument(machine, func, params[n], &func.params[n], arg)?;
        let Some(lanes) = value else {
            return Err(Fault::before_launch(format!("argument {n} does not fit")));
        };
        if let Arg::Local(_) = arg {
            cleared.extend(lanes.iter().copied());
        }
        values.push(lanes);
    }
    Ok(values)
}

/// `None` where the argument does not fit the parameter.
fn argument(
    machine: &mut Machine,
    func: &Function,
    param: Value,
    attrs: &ParamAttrs,
    arg: &Arg,
) -> Result<Option<Vec<u64>>, Fault> {
    let ty = func.ty(param);
    Ok(match (*arg, attrs.by_value, ty.addr_space()) {
        (Arg::Bytes(bytes), Some((size, align)), _) if bytes.len() as u64 == size => {
            let addr = machine.memory.add(Segment {
                bytes: bytes.to_vec(),
                align,
                writable: false,
                space: AddrSpace::Constant,
                name: format!("argument '{}'", attrs.name),
            });
            Some(vec![addr])
        }
        (_, Some(_), _) => None,
        (Arg::Bytes(bytes), None, _) => lanes_of(ty, bytes),
        (Arg::Null, None, Some(_)) => Some(vec![0]),
        (Arg::Buffer(id, offset), None, Some(AddrSpace::Global | AddrSpace::Constant)) => {
            Some(vec![Memory::address(id.0, offset)])
        }
        (Arg::Local(size), None, Some(AddrSpace::Local)) => {
            let name = format!("__local argument '{}'", attrs.name);
            let align = BASE_ALIGN as u32;
            Some(vec![zeroed(machine, &name, AddrSpace::Local, size, align)?])
        }
        _ => None,
    })
}

fn lanes_of(ty: Type, bytes: &[u8]) -> Option<Vec<u64>> {
    let size = ty.elem.bytes() as usize;
    let lanes = usize::from(ty.lanes);
    if bytes.len() != size * lanes && bytes.len() as u64 != ty.bytes() {
        return None;
    }
    let lane = |chunk: &[u8]| {
        let mut word = [0; 8];
        word[..size].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    };
    Some(bytes.chunks_exact(size).take(lanes).map(lane).collect())
}
