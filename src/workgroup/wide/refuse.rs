//! What keeps a region from running in chunks.

use crate::ir::{InstData, Value};
use crate::workgroup::crossing::Home;
use crate::workgroup::private::Copies;

use super::plan::{Input, Pass};

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
                fine &= !matches!(data, InstData::ScratchBase | InstData::ReportDivergence(_));
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
}
