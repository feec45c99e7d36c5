//! Where a function's instructions stand in the source, and where its variables are, while it is lowered.

use super::FunctionDebug;
use crate::codegen::function::FuncGen;
use crate::ir::{InstData, SrcLoc, Value};

impl FuncGen<'_, '_> {
    /// What comes next is made for this place in the source.
    pub fn stand_at(&mut self, loc: SrcLoc) {
        if let (Some(own), Some(debug)) = (&mut self.debug, &self.unit.debug) {
            let location = own.locate(debug, self.llvm, loc);
            self.llvm.set_debug_location(Some(location));
        }
    }

    /// What comes next belongs to the function as a whole.
    pub fn stand_at_head(&self) {
        let head = self.debug.as_ref().map(FunctionDebug::at_head);
        self.llvm.set_debug_location(head);
    }

    /// Tells a debugger where the variables are; the builder stands at the end of the prologue.
    pub fn declare_variables(&self) {
        let (Some(own), Some(debug)) = (&self.debug, &self.unit.debug) else {
            return;
        };
        let address = |base: Value| match self.func.def_inst(base) {
            Some(InstData::Alloca { .. }) => Some((self.val(base), false)),
            None if self.func.param_values().contains(&base) => {
                let place = self.llvm.alloca(self.llvm.ptr(), 8);
                self.llvm.store(self.val(base), place, 8);
                Some((place, true))
            }
            _ => None,
        };
        let what = (self.unit.module, self.func);
        own.declare((debug, self.llvm), what, self.prologue, address);
    }
}
