//! What a region costs, item by item and in chunks: whether chunks pay, and which parts are worth a branch around them,
//! for when no lane comes.
//!
//! Costs are in thirds of a cycle, about what a simple scalar instruction takes. Measured on Zen 4: a vector operation
//! takes two of them for each register; a gather of 16 lanes about 25 cycles and a scatter 45 (a scan in local memory,
//! two gathers and a scatter with eight other operations, takes 1.7 times as long in chunks as item by item).

use crate::ir::{
    AddrSpace, BinaryOp, CastOp, Inst, InstData, IntCC, Terminator, Type, UnaryOp, Value,
};
use crate::workgroup::Machine;

use super::plan::{Input, Pass};
use super::rows::MAX_STRIDE;
use super::shape::Shape;

/// A gather and a scatter, for one lane: where they are slow, and where they are fast.
const GATHERED: [u64; 2] = [5, 2];
const SCATTERED: [u64; 2] = [8, 3];
/// One item's access to what others of its row lie next to, in a loop: items that run one after the other come back to
/// the same line of the cache after it is gone.
const REVISITED: u64 = 4;
/// An atomic operation on memory of the group is a load and a store.
const LOCAL_ATOMIC: u64 = 4;
/// What runs lane by lane: for one lane, in addition to what it does.
const LANE: u64 = 6;
const CALL: u64 = 40;

const DEFAULT: Machine = Machine {
    registers: 512,
    fast_gathers: false,
};

/// Bytes of a line of the cache.
const LINE: i64 = 64;

/// As deep as an address is looked at.
const MAX_DEPTH: u32 = 12;

/// A part that costs less than this runs with no lane on rather than branch.
const WORTH: u64 = 30;

/// Of an instruction: for one item, and for a chunk.
#[derive(Clone, Copy, Default)]
struct Cost {
    item: u64,
    chunk: u64,
}

impl Pass<'_> {
    /// A chunk takes no longer than its items one by one. Loops count eight times for each nest; a block that only some
    /// items come to, every other time for one item, and always for a chunk; but what is not inlined there is the way
    /// that a function of the library hardly ever takes, and counts for neither.
    pub fn pays(&self, machine: Machine) -> Option<()> {
        let (mut items, mut chunk) = (0u64, 0u64);
        let rare = self.rare();
        for node in 0..self.graph.len() as u32 {
            let nest = self.plan.loops.iter().filter(|l| l.inside[node as usize]);
            let weight = 2 * 8u64.pow(nest.count().min(4) as u32);
            let own = self.block_cost(node, machine);
            let often = match rare[node as usize] {
                true if self.calls(node) => continue,
                true => weight / 2,
                false => weight,
            };
            items += often * own.item * u64::from(self.plan.lanes);
            chunk += weight * own.chunk;
        }
        (chunk <= items).then_some(())
    }

    /// By node: it is behind a branch that sends some lanes elsewhere, not just out of the loop or the region.
    fn rare(&self) -> Vec<bool> {
        let mut rare = vec![false; self.graph.len()];
        for node in 1..self.graph.len() as u32 {
            let n = node as usize;
            let level = self.plan.innermost[n];
            let mut above = self.idom[n];
            while above != 0 && self.plan.innermost[above as usize] != level {
                above = self.idom[above as usize];
            }
            if self.plan.innermost[above as usize] != level {
                continue;
            }
            let inside = |to: &u32| level.is_none_or(|l| self.plan.loops[l].inside[*to as usize]);
            let parts = self.splits(above)
                && !self.parts_in_runs(above)
                && self.plan.like[n] != Some(above)
                && !self.edges.leaves[above as usize]
                && self.edges.to[above as usize].iter().all(inside);
            rare[n] = parts || rare[above as usize];
        }
        rare
    }

    /// The lanes part by whether their number is below a limit (or above): most chunks are on one side.
    fn parts_in_runs(&self, node: u32) -> bool {
        let func = self.input.func;
        let Terminator::Branch { cond, .. } = func.term(self.graph.block(node)) else {
            return false;
        };
        let Some(&InstData::ICmp { cc, args }) = func.def_inst(*cond) else {
            return false;
        };
        let shapes = args.map(|v| self.operand(v, node));
        !matches!(cc, IntCC::Eq | IntCC::Ne)
            && matches!(
                shapes,
                [Some(Shape::Strided { .. }), Some(Shape::Uniform)]
                    | [Some(Shape::Uniform), Some(Shape::Strided { .. })]
            )
    }

    /// Finds the parts that are worth a branch: a partial block, with the partial blocks that it dominates.
    pub fn find_gates(&mut self) {
        let machine = self.input.machine.unwrap_or(DEFAULT);
        let mut cost = vec![0u64; self.graph.len()];
        for node in (1..self.graph.len() as u32).rev() {
            let n = node as usize;
            if !self.plan.is_partial(node) {
                continue;
            }
            let own = cost[n] + self.block_cost(node, machine).chunk;
            cost[n] = match self.plan.is_header(node) {
                true => own.saturating_mul(8).max(WORTH),
                false => own,
            };
            self.plan.gated[n] = cost[n] >= WORTH;
            let above = self.idom[n] as usize;
            cost[above] = cost[above].saturating_add(cost[n]);
        }
    }

    fn calls(&self, node: u32) -> bool {
        let insts = &self.input.func.block(self.graph.block(node)).insts;
        let is_call = |&inst| matches!(self.input.func.inst(inst), InstData::Call { .. });
        insts.iter().any(is_call)
    }

    fn block_cost(&self, node: u32, machine: Machine) -> Cost {
        let insts = &self.input.func.block(self.graph.block(node)).insts;
        insts.iter().fold(Cost::default(), |sum, &inst| {
            let one = self.inst_cost(node, inst, machine);
            Cost {
                item: sum.item + one.item,
                chunk: sum.chunk + one.chunk,
            }
        })
    }

    fn inst_cost(&self, node: u32, inst: Inst, machine: Machine) -> Cost {
        let func = self.input.func;
        let lanes = u64::from(self.plan.lanes);
        let data = func.inst(inst);
        let (item, each) = match *data {
            InstData::IConst { .. }
            | InstData::FConst { .. }
            | InstData::WorkItem { .. }
            | InstData::GlobalAddr { .. }
            | InstData::LocalAddr { .. }
            | InstData::Prefetch { .. }
            | InstData::Alloca { .. } => return Cost::default(),
            InstData::Load { ptr, ty, .. } => {
                return self.access_cost(node, ptr, ty, false, machine);
            }
            InstData::Store { ptr, value, .. } => {
                return self.access_cost(node, ptr, func.ty(value), true, machine);
            }
            // A locked operation takes its time either way, and taking lanes apart a little more; but what it is about is
            // read for all lanes at once, and what waits for the lock otherwise does not.
            InstData::AtomicLoad { ptr, .. }
            | InstData::AtomicStore { ptr, .. }
            | InstData::AtomicRmw { ptr, .. } => {
                let item = match func.ty(ptr).addr_space() {
                    Some(AddrSpace::Local) => LOCAL_ATOMIC,
                    _ => CALL,
                };
                return Cost {
                    item,
                    chunk: (item + 2) * lanes,
                };
            }
            InstData::Call { .. }
            | InstData::Device { .. }
            | InstData::Printf { .. }
            | InstData::AtomicCmpXchg { .. }
            | InstData::MemCpy { .. }
            | InstData::MemSet { .. } => {
                return Cost {
                    item: CALL,
                    chunk: (CALL + LANE) * lanes,
                };
            }
            InstData::Binary { op, .. } => match op {
                BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem => (20, 40),
                BinaryOp::FRem => (60, 120),
                BinaryOp::FDiv => (10, 20),
                _ => (1, 2),
            },
            InstData::Unary {
                op: UnaryOp::Sqrt, ..
            } => (15, 30),
            InstData::Unary { .. } => (1, 2),
            // Part of an access, for one item.
            InstData::PtrAdd { .. }
            | InstData::Cast {
                op: CastOp::SExt | CastOp::ZExt | CastOp::Trunc,
                ..
            } => (0, 2),
            _ => (1, 2),
        };
        let Some(result) = func.result(inst) else {
            return Cost { item, chunk: each };
        };
        let chunk = match self.plan.shape(result) {
            Shape::Varying => each * self.registers(func.ty(result), machine),
            _ => item,
        };
        Cost { item, chunk }
    }

    /// How many registers the lanes of a value take.
    fn registers(&self, ty: Type, machine: Machine) -> u64 {
        let bits = u64::from(ty.elem.bits().max(8)) * u64::from(ty.lanes);
        (bits * u64::from(self.plan.lanes)).div_ceil(u64::from(machine.registers))
    }

    fn access_cost(&self, node: u32, ptr: Value, ty: Type, store: bool, machine: Machine) -> Cost {
        let lanes = u64::from(self.plan.lanes);
        let parts = u64::from(ty.lanes);
        let bytes = ty.bytes() as i64;
        let row = 2 * self.registers(ty, machine) + u64::from(self.plan.is_partial(node));
        let costs = if store { SCATTERED } else { GATHERED };
        let own = self.plan.innermost[node as usize];
        // Lanes that have left a loop take their part of the time all the same.
        let fast = machine.fast_gathers && own.is_none_or(|l| !self.plan.loops[l].divergent);
        let spread = lanes * parts * costs[usize::from(fast)];
        let mut item = 1;
        let chunk = match self.operand(ptr, node) {
            Some(Shape::Uniform) => 1,
            Some(Shape::Strided { step, guarded, .. }) => {
                let elems = step.unsigned_abs().div_ceil(ty.elem.bytes().max(1));
                if step != 0 && step.abs() < LINE && own.is_some_and(|l| self.moves(l, ptr, 0)) {
                    item = REVISITED;
                }
                2 * u64::from(guarded)
                    + match step {
                        0 => 1,
                        _ if step == bytes => row,
                        _ if elems <= MAX_STRIDE as u64 => (row * elems * 2).min(spread),
                        _ => spread,
                    }
            }
            _ => spread,
        };
        Cost { item, chunk }
    }

    /// Whether a value may change from one round of a loop to the next.
    fn moves(&self, index: usize, value: Value, depth: u32) -> bool {
        let Input { func, crossing, .. } = *self.input;
        let inside = &self.plan.loops[index].inside;
        let home = self.graph.node(crossing.def_block(value));
        if !home.is_some_and(|node| inside[node as usize]) {
            return false;
        }
        match func.def_inst(value) {
            Some(
                data @ (InstData::Binary { .. } | InstData::Cast { .. } | InstData::PtrAdd { .. }),
            ) if depth < MAX_DEPTH => {
                let mut moves = false;
                data.for_each_use(|v| moves |= self.moves(index, v, depth + 1));
                moves
            }
            Some(
                InstData::IConst { .. }
                | InstData::WorkItem { .. }
                | InstData::GlobalAddr { .. }
                | InstData::LocalAddr { .. },
            ) => false,
            _ => true,
        }
    }
}
