//! Integer division and remainder that never trap.
//!
//! Invariants: x / 0 and x % 0 give 0, MIN / -1 gives MIN and MIN % -1 gives 0, as the IR's interpreter has it. A
//! constant divisor that can do neither gets no guard. Vectors of up to 32 bits divide in floating point: with
//! |a|, |b| < 2^p, where p is the precision, truncating the rounded quotient gives the integer quotient, because a
//! quotient that is not integral lies 1/|b| or more below the next integer, which is more than half a unit in the
//! last place. So i8 and i16 go through float, i32 through double; x86 has no vector integer division.

use super::function::FuncGen;
use super::llvm::{Opcode, Val};
use crate::ir::{BinaryOp, Type, Value};

impl FuncGen<'_, '_> {
    pub fn divide(&mut self, op: BinaryOp, a: Value, b: Value) -> Val {
        let llvm = self.llvm;
        let ty = self.ty(a);
        let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
        let (x, y) = (self.val(a), self.val(b));
        let opcode = match op {
            BinaryOp::SDiv => Opcode::LLVMSDiv,
            BinaryOp::UDiv => Opcode::LLVMUDiv,
            BinaryOp::SRem => Opcode::LLVMSRem,
            _ => Opcode::LLVMURem,
        };
        if self.is_harmless_divisor(b, ty, signed) {
            return llvm.binary(opcode, x, y);
        }
        let (x, y) = self.guard(ty, x, y, signed);
        if ty.lanes == 1 || ty.elem.bits() > 32 || ty.elem.bits() == 1 {
            return llvm.binary(opcode, x, y);
        }
        let quotient = self.float_quotient(ty, x, y, signed);
        if matches!(op, BinaryOp::SDiv | BinaryOp::UDiv) {
            return quotient;
        }
        let product = llvm.binary(Opcode::LLVMMul, quotient, y);
        llvm.binary(Opcode::LLVMSub, x, product)
    }

    fn is_harmless_divisor(&self, divisor: Value, ty: Type, signed: bool) -> bool {
        let ones = u64::MAX >> (64 - ty.elem.bits());
        self.func.const_bits(divisor).is_some_and(|bits| {
            let bits = bits & ones;
            bits != 0 && !(signed && bits == ones)
        })
    }

    /// The operands, replaced where the division would trap by 0 / 1 or MIN / 1.
    fn guard(&self, ty: Type, x: Val, y: Val, signed: bool) -> (Val, Val) {
        let llvm = self.llvm;
        let constant =
            |bits: u64| self.splat_const(llvm.const_int(self.unit.elem(ty.elem), bits), ty.lanes);
        let (zero, one) = (constant(0), constant(1));
        let by_zero = self.equal(y, zero);
        let mut bad = by_zero;
        if signed {
            let is_min = self.equal(x, constant(1 << (ty.elem.bits() - 1)));
            let by_minus_one = self.equal(y, constant(u64::MAX));
            let overflow = llvm.binary(Opcode::LLVMAnd, is_min, by_minus_one);
            bad = llvm.binary(Opcode::LLVMOr, bad, overflow);
        }
        (llvm.select(by_zero, zero, x), llvm.select(bad, one, y))
    }

    /// The truncated quotient; the divisor is not 0, and the quotient fits.
    fn float_quotient(&self, ty: Type, x: Val, y: Val, signed: bool) -> Val {
        let llvm = self.llvm;
        let precision = if ty.elem.bits() <= 16 { 32 } else { 64 };
        let float = llvm.vector(llvm.float(precision), u32::from(ty.lanes));
        let (to, from) = if signed {
            (Opcode::LLVMSIToFP, Opcode::LLVMFPToSI)
        } else {
            (Opcode::LLVMUIToFP, Opcode::LLVMFPToUI)
        };
        let quotient = llvm.binary(
            Opcode::LLVMFDiv,
            llvm.cast(to, x, float),
            llvm.cast(to, y, float),
        );
        llvm.cast(from, quotient, self.unit.ty(ty))
    }
}
