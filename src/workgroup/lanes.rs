//! How many work-items of a row run in one pass, for a kernel and a width of vector registers.
//!
//! As many as fill a register with the widest type in frequent use. What counts is what is read, written and computed
//! in floating point, and the bits of integers: not addresses and counters, which are rarely vectors. Loops count eight
//! times for each nest. The kernel's own words come first: a required size of sub-groups, the type of `vec_type_hint`;
//! and no more items than a required work-group size has in x.

use crate::ir::cfg::Cfg;
use crate::ir::dom::DomTree;
use crate::ir::loops::LoopForest;
use crate::ir::{BinaryOp, Elem, Function, InstData, KernelAttrs, Type, UnaryOp};

/// The part of all numbers that must be so wide, or wider, to be in frequent use: one in so many.
const FREQUENT: u64 = 4;

const MAX_LANES: u32 = 32;

pub fn choose(kernel: &Function, registers: u16) -> u16 {
    let attrs = kernel.kernel.clone().unwrap_or_default();
    let lanes = match sub_group(&attrs) {
        Some(lanes) => lanes,
        None => {
            let bits = attrs.number_bits.unwrap_or_else(|| number_bits(kernel));
            u32::from(registers) / bits.clamp(16, 64)
        }
    };
    let fits = match attrs.reqd_work_group_size {
        Some([x, ..]) => 1 << x.max(1).ilog2(),
        None => MAX_LANES,
    };
    lanes.min(fits).clamp(1, MAX_LANES) as u16
}

fn sub_group(attrs: &KernelAttrs) -> Option<u32> {
    attrs
        .reqd_sub_group_size
        .filter(|n| n.is_power_of_two() && *n <= MAX_LANES)
}

/// The bits of the widest type in frequent use; 32 if there is nothing to go by.
fn number_bits(func: &Function) -> u32 {
    let cfg = Cfg::compute(func);
    let loops = LoopForest::compute(&cfg, &DomTree::compute(&cfg));
    let mut depth = vec![0u32; func.num_blocks()];
    for id in loops.ids() {
        for block in &loops.get(id).blocks {
            depth[block.index()] += 1;
        }
    }
    // By the logarithm of the width.
    let mut count = [0u64; 7];
    for &block in func.layout() {
        let weight = 8u64.pow(depth[block.index()].min(4));
        for &inst in &func.block(block).insts {
            if let Some(ty) = number(func, inst) {
                let sum = &mut count[ty.elem.bits().ilog2() as usize];
                *sum = sum.saturating_add(weight * u64::from(ty.lanes));
            }
        }
    }
    let all: u64 = count.iter().fold(0, |a, &b| a.saturating_add(b));
    let mut wider = 0u64;
    for log in (0..7).rev() {
        wider = wider.saturating_add(count[log]);
        if wider > 0 && wider.saturating_mul(FREQUENT) >= all {
            return 1 << log;
        }
    }
    32
}

/// The type of a number that the instruction is about, as opposed to an address or a truth value.
fn number(func: &Function, inst: crate::ir::Inst) -> Option<Type> {
    let result = func.result(inst).map(|r| func.ty(r));
    let ty = match func.inst(inst) {
        InstData::Store { value, .. } | InstData::AtomicStore { value, .. } => func.ty(*value),
        InstData::Load { ty, .. } => *ty,
        InstData::FCmp { args, .. } => func.ty(args[0]),
        InstData::Binary { op, .. } => {
            let ty = result?;
            let bits = matches!(
                op,
                BinaryOp::And
                    | BinaryOp::Or
                    | BinaryOp::Xor
                    | BinaryOp::Rotl
                    | BinaryOp::LShr
                    | BinaryOp::UMulHi
                    | BinaryOp::SMulHi
            );
            // What is narrower than 64 bits is no address.
            (ty.elem.is_float() || bits || ty.elem.bits() < 64).then_some(ty)?
        }
        InstData::Unary { op, .. } => {
            let ty = result?;
            (ty.elem.is_float() || matches!(op, UnaryOp::Popcount | UnaryOp::Not)).then_some(ty)?
        }
        InstData::Ternary { .. } => result?,
        InstData::AtomicRmw { .. } => result?,
        _ => return None,
    };
    let counts = !ty.elem.is_ptr() && ty.elem != Elem::I1;
    counts.then_some(ty)
}
