//! What keeps a region from running in chunks.

use crate::ir::{InstData, Value};
use crate::workgroup::crossing::Home;
use crate::workgroup::private::Copies;

use super::plan::{Input, Pass};
use super::shape::Shape;

impl Pass<'_> {
    /// Private variables are not too large, and no instruction belongs to a whole group.
    pub fn only_known_instructions(&self) -> Option<()> {
        let Input { func, crossing, .. } = *self.input;
        let too_large = |v: Value| {
            matches!(crossing.home(v), Home::Private(_)) && crossing.copies(v) == Copies::Never
        };
        for &block in &self.graph.blocks {
            let mut fine = true;
            for &inst in &func.block(block).insts {
                let data = func.inst(inst);
                data.for_each_use(|v| fine &= !self.comes_from(v, &too_large));
                fine &= !matches!(
                    data,
                    InstData::ScratchBase | InstData::ReportDivergence { .. }
                );
            }
            func.term(block)
                .for_each_use(|v| fine &= !self.comes_from(v, &too_large));
            if !fine {
                return None;
            }
        }
        Some(())
    }

    /// The value is one of those that `test` finds, or is computed again from one.
    fn comes_from(&self, value: Value, test: &dyn Fn(Value) -> bool) -> bool {
        let Input { func, crossing, .. } = *self.input;
        if test(value) {
            return true;
        }
        match (crossing.home(value), func.def_inst(value)) {
            (Home::Recompute, Some(data)) => {
                let mut found = false;
                data.for_each_use(|v| found |= self.comes_from(v, test));
                found
            }
            _ => false,
        }
    }

    /// An estimate: a gather or scatter costs about as much as its lanes one by one, and a scatter is twice as dear as
    /// a gather. The rest of the region is what a chunk saves on; loops count eight times for each nest. Measured: a
    /// scan in local memory, two gathers and a scatter with eight other operations, takes 1.7 times as long in chunks.
    pub fn pays(&self) -> Option<()> {
        let func = self.input.func;
        let (mut spread, mut saved) = (0u64, 0u64);
        for (node, &block) in (0u32..).zip(&self.graph.blocks) {
            let nest = self.plan.loops.iter().filter(|l| l.inside[node as usize]);
            let weight = 8u64.pow(nest.count().min(4) as u32);
            for &inst in &func.block(block).insts {
                let (ptr, bytes, dear) = match *func.inst(inst) {
                    InstData::IConst { .. } | InstData::FConst { .. } => continue,
                    InstData::Load { ptr, ty, .. } => (ptr, ty.bytes(), 1),
                    InstData::Store { ptr, value, .. } => (ptr, func.ty(value).bytes(), 2),
                    InstData::Call { .. }
                    | InstData::Printf { .. }
                    | InstData::AtomicCmpXchg { .. } => {
                        spread += 4 * weight;
                        continue;
                    }
                    _ => {
                        saved += weight;
                        continue;
                    }
                };
                match self.operand(ptr, node) {
                    Some(Shape::Uniform) => saved += weight,
                    Some(Shape::Strided { step, .. }) if step == bytes as i64 => saved += weight,
                    _ => spread += dear * weight,
                }
            }
        }
        (spread * 3 <= saved).then_some(())
    }
}
