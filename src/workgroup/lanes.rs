//! How many work-items of a row run in one pass, for a kernel and a width of vector registers.
//!
//! As many as fill a register with the widest type in frequent use. What counts is what is read and written, and what
//! is computed in floating point and with the bits of 64-bit integers; not addresses and counters, which are rarely
//! vectors, nor `int`, to which C converts all that is narrower. Loops count eight times for each nest. Twice as many
//! where the loops compute with integers rather than in floating point, and wait for each other's results and for
//! memory: measured, a binary search takes 0.6 of the time and xorshift 0.7; loops with floating point, barriers or
//! atomics gain nothing or lose (mandelbrot 1.4, a histogram 1.8). Twice as many again where such a loop chases through memory,
//! each round's address made of what the last round loaded: while one gather waits, the others are under way (the binary
//! search takes 0.75 of the time).
//!
//! Code of the library behind a branch of its own does not count: that is the way it hardly ever takes, often in a wider
//! type (sin and cos of large floats reduce them in double).
//!
//! The kernel's own words come first: a required size of sub-groups, the type of `vec_type_hint`; and no more items
//! than a required work-group size has in x.

use crate::ir::cfg::Cfg;
use crate::ir::dom::DomTree;
use crate::ir::loops::{Loop, LoopForest};
use crate::ir::{
    AddrSpace, BinaryOp, Block, Elem, Function, Inst, InstData, KernelAttrs, LIBRARY_FILE,
    Terminator, Type, UnaryOp, Value, ValueDef,
};

/// The part of all numbers that must be so wide, or wider, to be in frequent use: one in so many.
const FREQUENT: u64 = 4;

/// No more items run in one pass: as many as a mask in a register has bits.
pub const MAX_LANES: u16 = 64;

/// The work-items that fill a vector register with numbers of so many bits.
pub fn filling(registers: u16, bits: u32) -> u32 {
    u32::from(registers) / bits.clamp(16, 64)
}

pub fn choose(kernel: &Function, registers: u16) -> u16 {
    let attrs = kernel.kernel.clone().unwrap_or_default();
    let lanes = match (sub_group(&attrs), attrs.number_bits) {
        (Some(lanes), _) => lanes,
        (None, Some(bits)) => filling(registers, bits),
        (None, None) => by_types(kernel, registers),
    };
    let fits = match attrs.reqd_work_group_size {
        Some([x, ..]) => 1u32 << x.max(1).ilog2(),
        None => MAX_LANES.into(),
    };
    lanes.min(fits).clamp(1, MAX_LANES.into()) as u16
}

fn sub_group(attrs: &KernelAttrs) -> Option<u32> {
    attrs
        .sub_group_size
        .filter(|n| n.is_power_of_two() && *n <= MAX_LANES.into())
}

fn by_types(func: &Function, registers: u16) -> u32 {
    let cfg = Cfg::compute(func);
    let dom = DomTree::compute(&cfg);
    let loops = LoopForest::compute(&cfg, &dom);
    let far = far_blocks(func, &cfg, &dom, &loops);
    let mut depth = vec![0u32; func.num_blocks()];
    for id in loops.ids() {
        for block in &loops.get(id).blocks {
            depth[block.index()] += 1;
        }
    }
    // By the logarithm of the width.
    let mut count = [0u64; 7];
    let (mut plain, mut computes, mut floats, mut shifts) = (true, false, 0u32, 0u32);
    for &block in func.layout() {
        let depth = depth[block.index()];
        let weight = 8u64.pow(depth.min(4));
        plain &= !func.term(block).is_barrier();
        for &inst in &func.block(block).insts {
            if far[block.index()] && of_library(func, inst) {
                continue;
            }
            if let Some(ty) = number(func, inst) {
                let sum = &mut count[ty.elem.bits().ilog2() as usize];
                *sum = sum.saturating_add(weight * u64::from(ty.lanes));
            }
            let data = func.inst(inst);
            plain &= !has_other_effects(data);
            if depth > 0 {
                let result = func.result(inst).map(|r| func.ty(r).elem);
                let loads = matches!(data, InstData::Load { .. } | InstData::FConst { .. });
                floats += u32::from(!loads && result.is_some_and(Elem::is_float));
                if let InstData::Binary { op, .. } = data {
                    computes = true;
                    shifts += u32::from(is_bitwise(*op) || *op == BinaryOp::Shl);
                }
            }
        }
    }
    let bits = widest_in_use(&count);
    let lanes = filling(registers, bits);
    match plain && computes && floats <= shifts && bits == 32 {
        true if loops.ids().any(|id| chases(func, loops.get(id))) => 4 * lanes,
        true => 2 * lanes,
        false => lanes,
    }
}

/// Whether a loop loads from addresses that depend on what an earlier round of it loaded.
fn chases(func: &Function, this: &Loop) -> bool {
    // What is made of a load in the loop, and what is made of a parameter of its head that such a value is passed to.
    let mut loaded = vec![false; func.num_values()];
    let mut carried = vec![false; func.num_values()];
    let mut found = false;
    loop {
        let before = (loaded.clone(), carried.clone());
        for &block in &this.blocks {
            for &inst in &func.block(block).insts {
                let data = func.inst(inst);
                let (mut of_load, mut of_param) = (false, false);
                data.for_each_use(|v| {
                    of_load |= loaded[v.index()];
                    of_param |= carried[v.index()];
                });
                if let InstData::Load { ptr, .. } = data {
                    let own = func.ty(*ptr).addr_space() == Some(AddrSpace::Private);
                    of_load |= !own;
                    found |= of_param && !own;
                }
                if let Some(result) = func.result(inst) {
                    loaded[result.index()] |= of_load;
                    carried[result.index()] |= of_param;
                }
            }
            func.term(block).for_each_call(|call| {
                let head = call.block == this.header;
                for (arg, param) in call.args.iter().zip(&func.block(call.block).params) {
                    loaded[param.index()] |= loaded[arg.index()];
                    carried[param.index()] |= carried[arg.index()] || (head && loaded[arg.index()]);
                }
            });
        }
        if found || before == (loaded.clone(), carried.clone()) {
            return found;
        }
    }
}

/// By block: it is behind a branch of the library's, inside of the loops that the branch is in.
fn far_blocks(func: &Function, cfg: &Cfg, dom: &DomTree, loops: &LoopForest) -> Vec<bool> {
    let mut far = vec![false; func.num_blocks()];
    for &block in dom.preorder() {
        let begins = match cfg.preds(block) {
            &[pred] => loops.depth(block) >= loops.depth(pred) && branches_by_library(func, pred),
            _ => false,
        };
        let inherits = dom.idom(block).is_some_and(|above| far[above.index()]);
        far[block.index()] = begins || inherits;
    }
    far
}

fn branches_by_library(func: &Function, block: Block) -> bool {
    match func.term(block) {
        Terminator::Branch { cond, .. } => defined_by_library(func, *cond),
        _ => false,
    }
}

fn defined_by_library(func: &Function, value: Value) -> bool {
    matches!(func.value(value).def, ValueDef::Result(inst) if of_library(func, inst))
}

fn of_library(func: &Function, inst: Inst) -> bool {
    func.loc(inst).file == LIBRARY_FILE
}

fn has_other_effects(data: &InstData) -> bool {
    matches!(
        data,
        InstData::AtomicRmw { .. }
            | InstData::AtomicCmpXchg { .. }
            | InstData::Call { .. }
            | InstData::Alloca { .. }
    )
}

fn is_bitwise(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Rotl | BinaryOp::LShr
    )
}

/// The bits of the widest type in frequent use; 32 if there is nothing to go by.
fn widest_in_use(count: &[u64; 7]) -> u32 {
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

/// The type of a number that the instruction is about, if that counts.
fn number(func: &Function, inst: Inst) -> Option<Type> {
    let result = func.result(inst).map(|r| func.ty(r));
    let ty = match func.inst(inst) {
        InstData::Store { value, .. }
        | InstData::AtomicStore { value, .. }
        | InstData::AtomicRmw { value, .. } => func.ty(*value),
        InstData::Load { ty, .. } => *ty,
        InstData::FCmp { args, .. } => func.ty(args[0]),
        InstData::Binary { op, .. } => {
            let bits = is_bitwise(*op) || matches!(op, BinaryOp::UMulHi | BinaryOp::SMulHi);
            result.filter(|ty| ty.elem.is_float() || (bits && ty.elem == Elem::I64))?
        }
        InstData::Unary { op, .. } => {
            let bits = matches!(op, UnaryOp::Popcount | UnaryOp::Not);
            result.filter(|ty| ty.elem.is_float() || (bits && ty.elem == Elem::I64))?
        }
        InstData::Ternary { .. } => result?,
        _ => return None,
    };
    let counts = !ty.elem.is_ptr() && ty.elem != Elem::I1;
    counts.then_some(ty)
}
