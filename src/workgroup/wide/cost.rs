//! What a region costs, item by item and in chunks: whether chunks pay, and which parts are worth a branch around them,
//! for when no lane comes.
//!
//! Costs are in thirds of a cycle, about what a simple scalar instruction takes. Measured on Zen 4: a vector operation
//! takes two of them for each register; a gather of 16 lanes about 25 cycles and a scatter 45 (a scan in local memory,
//! two gathers and a scatter with eight other operations, takes 1.7 times as long in chunks as item by item).

use crate::ir::{BinaryOp, CastOp, Inst, InstData, Type, UnaryOp, Value};

use super::plan::Pass;
use super::rows::MAX_STRIDE;
use super::shape::Shape;

/// For one lane.
const GATHERED: u64 = 5;
const SCATTERED: u64 = 8;
/// What runs lane by lane: for one lane, in addition to what it does.
const LANE: u64 = 6;
const CALL: u64 = 40;

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
    pub fn pays(&self, registers: u16) -> Option<()> {
        let (mut items, mut chunk) = (0u64, 0u64);
        let rare = self.rare();
        for node in 0..self.graph.len() as u32 {
            let nest = self.plan.loops.iter().filter(|l| l.inside[node as usize]);
            let weight = 2 * 8u64.pow(nest.count().min(4) as u32);
            let own = self.block_cost(node, registers);
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
                && self.plan.like[n] != Some(above)
                && !self.edges.leaves[above as usize]
                && self.edges.to[above as usize].iter().all(inside);
            rare[n] = parts || rare[above as usize];
        }
        rare
    }

    /// Finds the parts that are worth a branch: a partial block, with the partial blocks that it dominates.
    pub fn find_gates(&mut self) {
        let registers = self.input.registers.unwrap_or(512);
        let mut cost = vec![0u64; self.graph.len()];
        for node in (1..self.graph.len() as u32).rev() {
            let n = node as usize;
            if !self.plan.is_partial(node) {
                continue;
            }
            let own = cost[n] + self.block_cost(node, registers).chunk;
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

    fn block_cost(&self, node: u32, registers: u16) -> Cost {
        let insts = &self.input.func.block(self.graph.block(node)).insts;
        insts.iter().fold(Cost::default(), |sum, &inst| {
            let one = self.inst_cost(node, inst, registers);
            Cost {
                item: sum.item + one.item,
                chunk: sum.chunk + one.chunk,
            }
        })
    }

    fn inst_cost(&self, node: u32, inst: Inst, registers: u16) -> Cost {
        let func = self.input.func;
        let lanes = u64::from(self.plan.lanes);
        let data = func.inst(inst);
        let (item, each) = match *data {
            InstData::IConst { .. }
            | InstData::FConst { .. }
            | InstData::WorkItem { .. }
            | InstData::GlobalAddr { .. }
            | InstData::LocalAddr { .. }
            | InstData::Alloca { .. } => return Cost::default(),
            InstData::Load { ptr, ty, .. } => {
                return self.access_cost(node, ptr, ty, false, registers);
            }
            InstData::Store { ptr, value, .. } => {
                return self.access_cost(node, ptr, func.ty(value), true, registers);
            }
            // A locked operation takes its time either way, and taking lanes apart a little more.
            InstData::AtomicLoad { .. }
            | InstData::AtomicStore { .. }
            | InstData::AtomicRmw { .. } => {
                return Cost {
                    item: CALL,
                    chunk: (CALL + 2) * lanes,
                };
            }
            InstData::Call { .. }
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
            Shape::Varying => each * self.registers(func.ty(result), registers),
            _ => item,
        };
        Cost { item, chunk }
    }

    /// How many registers the lanes of a value take.
    fn registers(&self, ty: Type, registers: u16) -> u64 {
        let bits = u64::from(ty.elem.bits().max(8)) * u64::from(ty.lanes);
        (bits * u64::from(self.plan.lanes)).div_ceil(u64::from(registers))
    }

    fn access_cost(&self, node: u32, ptr: Value, ty: Type, store: bool, registers: u16) -> Cost {
        let lanes = u64::from(self.plan.lanes);
        let parts = u64::from(ty.lanes);
        let bytes = ty.bytes() as i64;
        let row = 2 * self.registers(ty, registers) + u64::from(self.plan.is_partial(node));
        let spread = lanes * parts * if store { SCATTERED } else { GATHERED };
        let chunk = match self.operand(ptr, node) {
            Some(Shape::Uniform) => 1,
            Some(Shape::Strided { step, guarded, .. }) => {
                let elems = step.unsigned_abs().div_ceil(ty.elem.bytes().max(1));
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
        Cost { item: 1, chunk }
    }
}
