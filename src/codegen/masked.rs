//! Vector accesses under a mask, by LLVM's masked intrinsics.
//!
//! Invariants: a lane that is left out is not accessed, and reads as zero; all masks of an access may be off. Source:
//! LLVM 22's language reference: alignment is an attribute of the pointer operand.

use super::function::FuncGen;
use super::llvm::{IntPredicate, Opcode, Val};
use super::runs::Gather;
use crate::ir::{InstData, Type, Value};

impl FuncGen<'_, '_> {
    /// An instruction that has to do with masks; its result, if it has one.
    pub fn masked(&mut self, data: &InstData) -> Option<Val> {
        Some(match *data {
            InstData::MaskedLoad {
                ty,
                ptr,
                mask,
                align,
            } => self.masked_load(ty, ptr, mask, align),
            InstData::Gather {
                ty,
                base,
                offsets,
                scale,
                mask,
                align,
            } => self.gather(&Gather {
                ty,
                place: (base, offsets, scale),
                mask,
                align,
            }),
            InstData::AnyLane { mask } => self.any_lane(self.val(mask), self.ty(mask).lanes),
            InstData::MaskBits { mask } => self.mask_bits(mask),
            InstData::MaskedStore {
                value,
                ptr,
                mask,
                align,
            } => {
                self.masked_store(value, ptr, mask, align);
                return None;
            }
            InstData::Scatter {
                value,
                base,
                offsets,
                scale,
                mask,
                align,
            } => {
                self.scatter(value, (base, offsets, scale), mask, align);
                return None;
            }
            _ => unreachable!("only these have to do with masks"),
        })
    }

    fn masked_load(&self, ty: Type, ptr: Value, mask: Value, align: u32) -> Val {
        let nothing = self.llvm.null(self.unit.ty(ty));
        let load = self.load_lanes(self.val(ptr), self.val(mask), nothing, align);
        self.mark(load, ptr);
        load
    }

    /// The lanes that `mask` names from memory, the others from `rest`.
    pub fn load_lanes(&self, ptr: Val, mask: Val, rest: Val, align: u32) -> Val {
        let llvm = self.llvm;
        let types = [llvm.type_of(rest), llvm.ptr()];
        let load = llvm.intrinsic_of("llvm.masked.load", &types, &[ptr, mask, rest]);
        llvm.set_param_align(load, 0, align);
        load
    }

    fn masked_store(&self, value: Value, ptr: Value, mask: Value, align: u32) {
        let llvm = self.llvm;
        let lty = self.unit.ty(self.ty(value));
        let args = [self.val(value), self.val(ptr), self.val(mask)];
        let store = llvm.intrinsic_of("llvm.masked.store", &[lty, llvm.ptr()], &args);
        llvm.set_param_align(store, 1, align);
        self.mark(store, ptr);
    }

    fn gather(&mut self, gather: &Gather) -> Val {
        if let Some(found) = self.lookup(gather.ty, gather.place, gather.mask) {
            return found;
        }
        match self.may_be_runs(gather) {
            true => self.gather_runs(gather, |this| this.gather_lanes(gather)),
            false => self.gather_lanes(gather),
        }
    }

    fn gather_lanes(&mut self, gather: &Gather) -> Val {
        let Gather {
            ty,
            place,
            mask,
            align,
        } = *gather;
        if self.goes_by_lane(ty, mask) {
            return self.gather_by_lane(ty, place, mask, align);
        }
        let llvm = self.llvm;
        let lty = self.unit.ty(ty);
        let ptrs = self.places(place);
        let pty = llvm.vector(llvm.ptr(), u32::from(ty.lanes));
        let args = [ptrs, self.val(mask), llvm.null(lty)];
        let load = llvm.intrinsic_of("llvm.masked.gather", &[lty, pty], &args);
        llvm.set_param_align(load, 0, align);
        self.mark(load, place.0);
        load
    }

    fn scatter(&mut self, value: Value, place: (Value, Value, u32), mask: Value, align: u32) {
        let llvm = self.llvm;
        let ty = self.ty(value);
        if self.goes_by_lane(ty, mask) {
            return self.scatter_by_lane(value, place, mask, align);
        }
        let ptrs = self.places(place);
        let pty = llvm.vector(llvm.ptr(), u32::from(ty.lanes));
        let args = [self.val(value), ptrs, self.val(mask)];
        let store = llvm.intrinsic_of("llvm.masked.scatter", &[self.unit.ty(ty), pty], &args);
        llvm.set_param_align(store, 1, align);
        self.mark(store, place.0);
    }

    /// The base, the offsets and their scale, as a vector of pointers.
    pub fn places(&self, (base, offsets, scale): (Value, Value, u32)) -> Val {
        let llvm = self.llvm;
        let (mut ptr, lanes) = (self.val(base), self.ty(base).lanes);
        if lanes > 1 {
            let ptrs = llvm.vector(llvm.ptr(), u32::from(lanes));
            ptr = llvm.cast(Opcode::LLVMIntToPtr, ptr, ptrs);
        } else if matches!(self.func.def_inst(base), Some(InstData::PtrAdd { .. })) {
            // Else the loop's invariant part of the base goes to the offsets, and makes 64 bits of each.
            ptr = llvm.freeze(ptr);
        }
        llvm.ptr_scaled(ptr, self.val(offsets), scale)
    }

    pub fn any_lane(&self, mask: Val, lanes: u16) -> Val {
        let llvm = self.llvm;
        let bits = llvm.int(u32::from(lanes));
        let bits_of = llvm.cast(Opcode::LLVMBitCast, mask, bits);
        llvm.icmp(IntPredicate::LLVMIntNE, bits_of, llvm.null(bits))
    }

    pub fn mask_bits(&self, mask: Value) -> Val {
        let llvm = self.llvm;
        let lanes = u32::from(self.ty(mask).lanes);
        let bits = llvm.cast(Opcode::LLVMBitCast, self.val(mask), llvm.int(lanes));
        if lanes == 64 {
            return bits;
        }
        llvm.cast(Opcode::LLVMZExt, bits, llvm.int(64))
    }
}
