//! One instruction of one work-item.
//!
//! Invariant: every register holds zero-extended bits of its element; operators go lane by lane through `eval`.

use super::exec::Runner;
use super::fault::FaultKind;
use super::item::Item;
use super::masked;
use super::{Divergence, PrintfArg};
use crate::ir::device::DeviceOp;
use crate::ir::entities::{GlobalId, Inst, Value};
use crate::ir::eval;
use crate::ir::inst::*;
use crate::ir::types::{Elem, Type};

/// Executes anything but a call.
pub fn step(r: &mut Runner, inst: Inst, data: &InstData) -> Result<(), FaultKind> {
    match data {
        InstData::MaskedStore { .. } | InstData::Scatter { .. } => {
            return masked::store(r, data);
        }
        InstData::Store { .. }
        | InstData::MemCpy { .. }
        | InstData::MemSet { .. }
        | InstData::AtomicStore { .. } => return store(r, data),
        InstData::ReportDivergence(divergent) => {
            let [line_a, line_b] = divergent.lines.map(|line| r.get(line) as u32);
            let divergence = Divergence {
                group: r.group.group_id,
                line_a,
                line_b,
            };
            r.machine.divergences.push(divergence);
            return Ok(());
        }
        // One work-item runs at a time, in order: memory is always consistent.
        InstData::Fence { .. } | InstData::Prefetch { .. } => return Ok(()),
        _ => {}
    }
    let Some(result) = r.func.result(inst) else {
        return Ok(());
    };
    let dst = r.slot(result);
    let lanes = usize::from(r.func.ty(result).lanes);
    match data {
        InstData::IConst { bits, .. } | InstData::FConst { bits, .. } => {
            r.item.regs[dst..dst + lanes].fill(*bits);
        }
        InstData::Undef { .. } => r.item.regs[dst..dst + lanes].fill(0),
        InstData::Unary { op, arg } => {
            let (a, elem) = operand(r, *arg);
            let regs = &mut r.item.regs;
            for n in 0..lanes {
                regs[dst + n] = eval::unary(*op, elem, regs[a + n]);
            }
        }
        InstData::Binary { op, args } => {
            let (a, elem) = operand(r, args[0]);
            let b = r.slot(args[1]);
            let regs = &mut r.item.regs;
            for n in 0..lanes {
                regs[dst + n] = eval::binary(*op, elem, regs[a + n], regs[b + n]);
            }
        }
        InstData::Ternary { op, args } => {
            let (a, elem) = operand(r, args[0]);
            let (b, c) = (r.slot(args[1]), r.slot(args[2]));
            let regs = &mut r.item.regs;
            for n in 0..lanes {
                let [x, y, z] = [regs[a + n], regs[b + n], regs[c + n]];
                regs[dst + n] = eval::ternary(*op, elem, x, y, z);
            }
        }
        InstData::ICmp { cc, args } => {
            let (a, elem) = operand(r, args[0]);
            let b = r.slot(args[1]);
            let regs = &mut r.item.regs;
            for n in 0..lanes {
                regs[dst + n] = eval::icmp(*cc, elem, regs[a + n], regs[b + n]).into();
            }
        }
        InstData::FCmp { cc, args } => {
            let (a, elem) = operand(r, args[0]);
            let b = r.slot(args[1]);
            let regs = &mut r.item.regs;
            for n in 0..lanes {
                regs[dst + n] = eval::fcmp(*cc, elem, regs[a + n], regs[b + n]).into();
            }
        }
        InstData::Select { cond, then, els } => {
            let (c, a, b) = (r.slot(*cond), r.slot(*then), r.slot(*els));
            let step = usize::from(r.func.ty(*cond).is_vector());
            let regs = &mut r.item.regs;
            for n in 0..lanes {
                let from = if regs[c + n * step] != 0 { a } else { b };
                regs[dst + n] = regs[from + n];
            }
        }
        InstData::Cast { op, arg, to } => cast(r, *op, *arg, *to, dst),
        InstData::Splat { arg, .. } => {
            let bits = r.get(*arg);
            r.item.regs[dst..dst + lanes].fill(bits);
        }
        InstData::BuildVector { args } => {
            for (n, &arg) in args.iter().enumerate() {
                r.item.regs[dst + n] = r.get(arg);
            }
        }
        InstData::Extract { .. }
        | InstData::Insert { .. }
        | InstData::ExtractDyn { .. }
        | InstData::InsertDyn { .. }
        | InstData::Shuffle { .. } => lanes_of(r, data, dst),
        InstData::WorkItem { query, dim } => {
            r.item.regs[dst] = work_item(r, *query, usize::from(*dim));
        }
        InstData::Printf { format, args } => {
            printf(r, *format, args);
            r.item.regs[dst] = 0;
        }
        InstData::InSpace { ptr, space } => {
            let (a, _) = operand(r, *ptr);
            for n in 0..lanes {
                let found = r.machine.memory.space(r.item.regs[a + n]);
                r.item.regs[dst + n] = (found == *space).into();
            }
        }
        // There is no queue: nothing can be enqueued, and nothing is there to be asked about.
        InstData::Device { op, .. } => {
            let failure = -1i64 as u64;
            r.item.regs[dst] = match op {
                DeviceOp::EnqueueKernel | DeviceOp::EnqueueMarker => failure,
                _ => 0,
            };
        }
        InstData::Clock => {
            r.machine.ticks += 1;
            r.item.regs[dst] = r.machine.ticks;
        }
        InstData::ScratchBase => r.item.regs[dst] = r.group.scratch,
        _ => memory(r, data, dst)?,
    }
    Ok(())
}

/// The first register of a value, and its element.
fn operand(r: &Runner, v: Value) -> (usize, Elem) {
    (r.slot(v), r.func.ty(v).elem)
}

fn cast(r: &mut Runner, op: CastOp, arg: Value, to: Type, dst: usize) {
    let from = r.func.ty(arg);
    let a = r.slot(arg);
    let regs = &mut r.item.regs;
    if op != CastOp::Bitcast || from.elem.bytes() == to.elem.bytes() {
        for n in 0..usize::from(to.lanes) {
            regs[dst + n] = eval::cast(op, from.elem, to.elem, regs[a + n]);
        }
        return;
    }
    let mut bytes = vec![0; (from.elem.bytes() * u64::from(from.lanes)) as usize];
    put(&mut bytes, from.elem, &regs[a..a + usize::from(from.lanes)]);
    get(&bytes, to.elem, &mut regs[dst..dst + usize::from(to.lanes)]);
}

fn lanes_of(r: &mut Runner, data: &InstData, dst: usize) {
    // The number of lanes rounded up to a power of two is what a dynamic lane is taken modulo.
    let dynamic = |r: &Runner, vec: Value, lane: Value| {
        let count = usize::from(r.func.ty(vec).lanes);
        let lane = r.get(lane) as usize & (count.next_power_of_two() - 1);
        (lane < count).then_some(lane)
    };
    match data {
        InstData::Extract { vec, lane } => {
            r.item.regs[dst] = r.lanes(*vec)[usize::from(*lane)];
        }
        InstData::ExtractDyn { vec, lane } => {
            let lane = dynamic(r, *vec, *lane);
            r.item.regs[dst] = lane.map_or(0, |n| r.lanes(*vec)[n]);
        }
        InstData::Insert { vec, scalar, lane } => {
            let range = r.range(*vec);
            r.item.regs.copy_within(range, dst);
            r.item.regs[dst + usize::from(*lane)] = r.get(*scalar);
        }
        InstData::InsertDyn { vec, scalar, lane } => {
            let range = r.range(*vec);
            let lane = dynamic(r, *vec, *lane);
            r.item.regs.copy_within(range, dst);
            if let Some(lane) = lane {
                r.item.regs[dst + lane] = r.get(*scalar);
            }
        }
        InstData::Shuffle { a, b, mask } => {
            let count = usize::from(r.func.ty(*a).lanes);
            let (a, b) = (r.slot(*a), r.slot(*b));
            let regs = &mut r.item.regs;
            for (n, &lane) in mask.iter().enumerate() {
                let lane = usize::from(lane);
                let from = if lane < count {
                    a + lane
                } else {
                    b + lane - count
                };
                regs[dst + n] = regs[from];
            }
        }
        _ => unreachable!("only the vector instructions come here"),
    }
}

fn work_item(r: &Runner, query: WorkItemQuery, dim: usize) -> u64 {
    let (group, item) = (r.group, &r.item);
    let range = &group.range;
    match query {
        WorkItemQuery::GlobalId => item.global_id[dim],
        WorkItemQuery::LocalId => item.local_id[dim],
        WorkItemQuery::GroupId => group.group_id[dim],
        WorkItemQuery::GlobalSize => range.global[dim],
        WorkItemQuery::LocalSize => group.local_size[dim],
        WorkItemQuery::EnqueuedLocalSize => range.local[dim],
        WorkItemQuery::NumGroups => group.num_groups[dim],
        WorkItemQuery::GlobalOffset => range.offset[dim],
        WorkItemQuery::GlobalLinearId => {
            let id = |d: usize| item.global_id[d].wrapping_sub(range.offset[d]);
            let row = id(2).wrapping_mul(range.global[1]).wrapping_add(id(1));
            row.wrapping_mul(range.global[0]).wrapping_add(id(0))
        }
        WorkItemQuery::LocalLinearId => group.linear_id(item.local_id),
        WorkItemQuery::SubGroupId => group.linear_id(item.local_id) / group.sub_group,
        WorkItemQuery::SubGroupLocalId => group.linear_id(item.local_id) % group.sub_group,
        WorkItemQuery::SubGroupSize => {
            let id = group.linear_id(item.local_id);
            let first = id - id % group.sub_group;
            (group.local_size.iter().product::<u64>() - first).min(group.sub_group)
        }
        WorkItemQuery::MaxSubGroupSize => group.sub_group,
        WorkItemQuery::NumSubGroups => {
            let items: u64 = group.local_size.iter().product();
            items.div_ceil(group.sub_group)
        }
        WorkItemQuery::EnqueuedNumSubGroups => {
            let items: u64 = range.local.iter().product();
            items.div_ceil(group.sub_group)
        }
        WorkItemQuery::WorkDim => u64::from(range.dims),
    }
}

fn printf(r: &mut Runner, format: GlobalId, args: &[Value]) {
    let module = r.machine.module;
    let init = &module.globals[format.index()].init;
    let end = init.iter().position(|&b| b == 0).unwrap_or(init.len());
    let args: Vec<PrintfArg> = args
        .iter()
        .map(|&arg| {
            let elem = r.func.ty(arg).elem;
            let bytes = elem.bytes() as u8;
            let lanes = r.lanes(arg);
            match elem {
                Elem::Ptr(_) => PrintfArg::Pointer {
                    addr: lanes[0],
                    text: r.machine.memory.string(&r.item.private, lanes[0]),
                },
                _ if elem.is_float() => PrintfArg::Float {
                    bytes,
                    lanes: lanes.iter().map(|&b| eval::to_f64(elem, b)).collect(),
                },
                _ => PrintfArg::Int {
                    bytes,
                    lanes: lanes.to_vec(),
                },
            }
        })
        .collect();
    (r.machine.printf)(&init[..end], &args);
}

/// What has a result and has to do with memory.
fn memory(r: &mut Runner, data: &InstData, dst: usize) -> Result<(), FaultKind> {
    match data {
        InstData::Alloca { size, align } => {
            r.item.regs[dst] = r.item.private.alloca(*size, *align)?;
        }
        InstData::Load { ty, ptr, align, .. } => load(r, *ty, *ptr, *align, dst)?,
        InstData::MaskedLoad { .. } | InstData::Gather { .. } => masked::load(r, data, dst)?,
        InstData::AnyLane { mask } => {
            r.item.regs[dst] = r.lanes(*mask).iter().any(|&bit| bit != 0).into();
        }
        InstData::MaskBits { mask } => {
            let lanes = r.lanes(*mask).iter().enumerate();
            r.item.regs[dst] = lanes.fold(0, |bits, (n, &bit)| bits | (bit & 1) << n);
        }
        InstData::AtomicLoad { ty, ptr, .. } => load(r, *ty, *ptr, ty.bytes() as u32, dst)?,
        InstData::PtrAdd { ptr, offset } => {
            let (a, b) = (r.slot(*ptr), r.slot(*offset));
            let lanes = usize::from(r.func.ty(*ptr).lanes);
            let regs = &mut r.item.regs;
            for n in 0..lanes {
                regs[dst + n] = regs[a + n].wrapping_add(regs[b + n]);
            }
        }
        InstData::GlobalAddr { global } => r.item.regs[dst] = r.machine.globals[global.index()],
        InstData::LocalAddr { local } => r.item.regs[dst] = r.group.locals[local.index()],
        InstData::AtomicRmw { op, ptr, value, .. } => {
            let elem = r.func.ty(*value).elem;
            let value = r.get(*value);
            let change = |old| Some(eval::atomic(*op, elem, old, value));
            r.item.regs[dst] = atomic(r, *ptr, elem, change)?;
        }
        InstData::AtomicCmpXchg {
            ptr, expected, new, ..
        } => {
            let elem = r.func.ty(*new).elem;
            let (expected, new) = (r.get(*expected), r.get(*new));
            let change = |old| (old == expected).then_some(new);
            r.item.regs[dst] = atomic(r, *ptr, elem, change)?;
        }
        _ => unreachable!("every other instruction is handled before"),
    }
    Ok(())
}

fn load(r: &mut Runner, ty: Type, ptr: Value, align: u32, dst: usize) -> Result<(), FaultKind> {
    let addr = r.get(ptr);
    let size = ty.elem.bytes() * u64::from(ty.lanes);
    let Item { regs, private, .. } = &mut *r.item;
    let bytes = r.machine.memory.read(private, addr, size, align)?;
    get(bytes, ty.elem, &mut regs[dst..dst + usize::from(ty.lanes)]);
    Ok(())
}

/// Writes what `change` makes of the old value, if anything; the old value.
fn atomic(
    r: &mut Runner,
    ptr: Value,
    elem: Elem,
    change: impl Fn(u64) -> Option<u64>,
) -> Result<u64, FaultKind> {
    let addr = r.get(ptr);
    let size = elem.bytes();
    let private = &mut r.item.private;
    let bytes = (r.machine.memory).write(private, addr, size, size as u32)?;
    let mut old = [0];
    get(bytes, elem, &mut old);
    if let Some(new) = change(old[0]) {
        put(bytes, elem, &[new]);
    }
    Ok(old[0])
}

/// What writes memory and has no result.
fn store(r: &mut Runner, data: &InstData) -> Result<(), FaultKind> {
    let (value, ptr, align) = match data {
        InstData::Store {
            value, ptr, align, ..
        } => (*value, *ptr, *align),
        InstData::AtomicStore { value, ptr, .. } => {
            (*value, *ptr, r.func.ty(*value).bytes() as u32)
        }
        InstData::MemCpy {
            dst,
            src,
            size,
            align,
        } => {
            let (dst, src) = (r.get(*dst), r.get(*src));
            let private = &mut r.item.private;
            let memory = &mut r.machine.memory;
            let copy = memory.read(private, src, *size, *align)?.to_vec();
            (memory.write(private, dst, *size, *align)?).copy_from_slice(&copy);
            return Ok(());
        }
        InstData::MemSet {
            dst,
            byte,
            size,
            align,
        } => {
            let (dst, byte) = (r.get(*dst), r.get(*byte) as u8);
            let private = &mut r.item.private;
            (r.machine.memory.write(private, dst, *size, *align)?).fill(byte);
            return Ok(());
        }
        _ => unreachable!("only instructions that write come here"),
    };
    let ty = r.func.ty(value);
    let addr = r.get(ptr);
    let range = r.range(value);
    let size = ty.elem.bytes() * u64::from(ty.lanes);
    let Item { regs, private, .. } = &mut *r.item;
    let bytes = r.machine.memory.write(private, addr, size, align)?;
    put(bytes, ty.elem, &regs[range]);
    Ok(())
}

/// Lanes from little-endian bytes.
pub fn get(bytes: &[u8], elem: Elem, lanes: &mut [u64]) {
    let chunks = bytes.chunks_exact(elem.bytes() as usize);
    for (lane, chunk) in lanes.iter_mut().zip(chunks) {
        *lane = match *chunk {
            [a] if elem == Elem::I1 => u64::from(a & 1),
            [a] => u64::from(a),
            [a, b] => u64::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => unreachable!("an element has 1, 2, 4 or 8 bytes"),
        };
    }
}

/// Lanes to little-endian bytes.
pub fn put(bytes: &mut [u8], elem: Elem, lanes: &[u64]) {
    let size = elem.bytes() as usize;
    for (chunk, lane) in bytes.chunks_exact_mut(size).zip(lanes) {
        chunk.copy_from_slice(&lane.to_le_bytes()[..size]);
    }
}
