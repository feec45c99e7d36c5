//! First values of variables and compound literals.

use super::super::hir::{Init, InitPart, VarId};
use super::function::FunctionLowerer;
use super::place::{Part, Spot};
use crate::ir::types::I8;

impl<'m> FunctionLowerer<'_, 'm> {
    pub fn init_var(&mut self, var: VarId, init: &'m Init) {
        let ty = self.var(var).ty;
        let align = self.var_align(var);
        match init {
            Init::Value(value) if self.types.is_aggregate(ty.ty) => {
                let home = self.var_addr(var);
                self.aggregate(value, home);
            }
            Init::Value(value) => {
                let value = self.value(value);
                let home = self.var_addr(var);
                self.b.store(value, home, align, ty.is_volatile);
            }
            Init::Parts { zero, parts } => {
                let home = self.var_addr(var);
                let size = self.types.size(ty.ty);
                if *zero && size > 0 {
                    let zero = self.b.iconst(I8, 0);
                    self.b.memset(home, zero, size, align);
                }
                for part in parts {
                    let base = Spot {
                        ptr: home,
                        align,
                        volatile: ty.is_volatile,
                        part: Part::Whole(ty.ty),
                    };
                    self.init_part(base, part);
                }
            }
        }
    }

    fn init_part(&mut self, object: Spot, part: &'m InitPart) {
        let ty = part.value.ty;
        if self.types.is_aggregate(ty) {
            let spot = self.at_offset(object, part.offset);
            self.aggregate(&part.value, spot.ptr);
            return;
        }
        let value = self.value(&part.value);
        let spot = self.at_offset(object, part.offset);
        let part = match part.bits {
            Some((first, width)) => Part::Bits(ty, first, width),
            None => Part::Whole(ty),
        };
        self.store(&Spot { part, ..spot }, value);
    }
}
