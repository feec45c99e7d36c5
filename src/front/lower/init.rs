//! First values of variables and compound literals.

use super::super::hir::{ExprKind, Init, InitPart, VarId};
use super::function::FunctionLowerer;
use super::place::{Part, Spot};
use crate::ir::types::I8;
use crate::ir::{AddrSpace, Elem, Global, Linkage, Value};

/// From this many constants on, they are copied from a constant object instead of stored one by one.
const IMAGE_MIN: usize = 64;

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
                let constants = image_parts(parts, size);
                if constants > 0 {
                    self.init_from_image(&parts[..constants], home, size, align);
                } else if *zero && size > 0 {
                    let zero = self.b.iconst(I8, 0);
                    self.b.memset(home, zero, size, align);
                }
                for part in &parts[constants..] {
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

    /// Constants, and zeros around them, by one copy from a constant object.
    fn init_from_image(&mut self, parts: &[InitPart], home: Value, size: u64, align: u32) {
        let mut init = vec![0; size as usize];
        for part in parts {
            let elem = self.ir_type(part.value.ty).elem;
            let bits = match part.value.kind {
                ExprKind::Float(x) => match elem {
                    Elem::F16 => u64::from(half::f16::from_f64(x).to_bits()),
                    Elem::F32 => u64::from((x as f32).to_bits()),
                    _ => x.to_bits(),
                },
                ExprKind::Int(bits) => bits,
                _ => continue,
            };
            let (at, len) = (part.offset as usize, elem.bytes() as usize);
            init[at..at + len].copy_from_slice(&bits.to_le_bytes()[..len]);
        }
        let name = format!("{}.image{}", self.source.name, self.cx.module.globals.len());
        let global = self.cx.module.add_global(Global {
            name,
            space: AddrSpace::Constant,
            linkage: Linkage::Internal,
            align,
            init,
            relocs: Vec::new(),
        });
        let image = self.b.global_addr(global, AddrSpace::Constant);
        self.b.memcpy(home, image, size, align);
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

/// How many of the first parts to take from an image: all constants, if they are many and not too thinly spread.
fn image_parts(parts: &[InitPart], size: u64) -> usize {
    let is_constant = |part: &InitPart| {
        part.bits.is_none() && matches!(part.value.kind, ExprKind::Int(_) | ExprKind::Float(_))
    };
    let count = parts.iter().take_while(|p| is_constant(p)).count();
    if count >= IMAGE_MIN && size <= 64 * count as u64 {
        count
    } else {
        0
    }
}
