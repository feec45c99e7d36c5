//! Which parts of a region are worth a branch around them, for when no lane comes.

use crate::ir::{BinaryOp, InstData, UnaryOp};

use super::plan::Pass;
use super::shape::Shape;

/// A part that costs less than this (in vector operations) runs with no lane on rather than branch.
const WORTH: u32 = 12;
const SPREAD: u32 = 16;

impl Pass<'_> {
    /// A partial block, with the partial blocks that it dominates, as one part.
    pub fn find_gates(&mut self) {
        let mut cost = vec![0u32; self.graph.len()];
        for node in (1..self.graph.len() as u32).rev() {
            let n = node as usize;
            if !self.plan.is_partial(node) {
                continue;
            }
            let own: u32 = cost[n].saturating_add(self.block_cost(node));
            cost[n] = match self.plan.is_header(node) {
                true => own.saturating_mul(8).max(WORTH),
                false => own,
            };
            self.plan.gated[n] = cost[n] >= WORTH;
            let above = self.idom[n] as usize;
            cost[above] = cost[above].saturating_add(cost[n]);
        }
    }

    fn block_cost(&self, node: u32) -> u32 {
        let func = self.input.func;
        let insts = &func.block(self.graph.block(node)).insts;
        let cost = |data: &InstData| match *data {
            InstData::IConst { .. } | InstData::FConst { .. } | InstData::WorkItem { .. } => 0,
            InstData::Load { ptr, ty, .. } => self.access_cost(ptr, ty.bytes(), node),
            InstData::Store { ptr, value, .. } => {
                self.access_cost(ptr, func.ty(value).bytes(), node)
            }
            InstData::Binary { op, .. } => match op {
                BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem => SPREAD,
                BinaryOp::FRem | BinaryOp::FDiv => SPREAD,
                _ => 1,
            },
            InstData::Unary {
                op: UnaryOp::Sqrt, ..
            } => SPREAD,
            InstData::Unary { .. }
            | InstData::Ternary { .. }
            | InstData::ICmp { .. }
            | InstData::FCmp { .. }
            | InstData::Select { .. }
            | InstData::Cast { .. }
            | InstData::PtrAdd { .. }
            | InstData::GlobalAddr { .. }
            | InstData::LocalAddr { .. }
            | InstData::Alloca { .. } => 1,
            _ => SPREAD,
        };
        insts
            .iter()
            .map(|&inst| cost(func.inst(inst)))
            .fold(0, u32::saturating_add)
    }

    /// A scalar access needs a branch around it anyway; a row costs little under a mask.
    fn access_cost(&self, ptr: crate::ir::Value, bytes: u64, node: u32) -> u32 {
        match self.operand(ptr, node) {
            Some(Shape::Strided { step, .. }) if step == bytes as i64 => 3,
            _ => SPREAD,
        }
    }
}
