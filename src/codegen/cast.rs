//! Conversions.
//!
//! Invariants: a float that does not fit an integer gives some fixed bits, not poison. double -> half rounds once:
//! through float in round-to-odd, which keeps the sticky bit (Boldo and Melquiond, 2008), since x86 without
//! AVX512-FP16 has no such instruction and a library call a lane is slow.

use super::function::FuncGen;
use super::llvm::{Opcode, RealPredicate, Val};
use crate::ir::{CastOp, Elem, Type, Value};
use std::cmp::Ordering;

impl FuncGen<'_, '_> {
    pub fn cast(&mut self, op: CastOp, arg: Value, to: Type) -> Val {
        let llvm = self.llvm;
        let from = self.ty(arg);
        let lto = self.unit.ty(to);
        let a = self.val(arg);
        let plain = |op| llvm.cast(op, a, lto);
        match op {
            CastOp::Trunc => plain(Opcode::LLVMTrunc),
            CastOp::ZExt => plain(Opcode::LLVMZExt),
            CastOp::SExt => plain(Opcode::LLVMSExt),
            CastOp::FpTrunc
                if from.elem == Elem::F64 && to.elem == Elem::F16 && !self.unit.has_fp16 =>
            {
                self.double_to_half(a, to.lanes)
            }
            CastOp::FpTrunc => plain(Opcode::LLVMFPTrunc),
            CastOp::FpExt => plain(Opcode::LLVMFPExt),
            CastOp::FpToSi => llvm.freeze(plain(Opcode::LLVMFPToSI)),
            CastOp::FpToUi => llvm.freeze(plain(Opcode::LLVMFPToUI)),
            CastOp::SiToFp => plain(Opcode::LLVMSIToFP),
            CastOp::UiToFp => plain(Opcode::LLVMUIToFP),
            CastOp::Bitcast => self.bitcast(a, from, to),
            CastOp::PtrToInt => self.resize(self.as_lanes(a), Elem::I64, to),
            CastOp::IntToPtr => {
                let address = self.resize(a, from.elem, to.with_elem(Elem::I64));
                self.of_lanes(address, to)
            }
            CastOp::AddrSpaceCast => a,
        }
    }

    /// Unsigned integers of type `from` in another size.
    pub fn resize(&self, a: Val, from: Elem, to: Type) -> Val {
        let op = match from.bits().cmp(&to.elem.bits()) {
            Ordering::Less => Opcode::LLVMZExt,
            Ordering::Equal => return a,
            Ordering::Greater => Opcode::LLVMTrunc,
        };
        self.llvm.cast(op, a, self.unit.ty(to))
    }

    /// The same bits in another type; where one side is a 3-vector of another size, what it lacks is left out.
    fn bitcast(&self, a: Val, from: Type, to: Type) -> Val {
        let llvm = self.llvm;
        let (mut a, mut from) = (a, from);
        if from.elem.is_ptr() {
            if to.elem.is_ptr() {
                return a;
            }
            from = from.with_elem(Elem::I64);
            a = self.as_lanes(a);
        }
        let bits = |ty: Type| ty.elem.bits() * u32::from(ty.lanes);
        if bits(from) != bits(to) {
            let byte_vector = |ty| llvm.vector(llvm.int(8), bits(ty) / 8);
            let bytes = llvm.cast(Opcode::LLVMBitCast, a, byte_vector(from));
            let have = bits(from) / 8;
            let mask: Vec<Option<u32>> =
                (0..bits(to) / 8).map(|n| (n < have).then_some(n)).collect();
            let resized = llvm.shuffle(bytes, llvm.poison(byte_vector(from)), &mask);
            a = llvm.freeze(resized);
        }
        if to.elem.is_ptr() {
            let ints = llvm.cast(
                Opcode::LLVMBitCast,
                a,
                self.unit.ty(to.with_elem(Elem::I64)),
            );
            return self.of_lanes(ints, to);
        }
        llvm.cast(Opcode::LLVMBitCast, a, self.unit.ty(to))
    }

    /// Double to half, rounded once to nearest even.
    pub fn double_to_half(&self, a: Val, lanes: u16) -> Val {
        let llvm = self.llvm;
        let lanes_of = |ty| llvm.vector(ty, u32::from(lanes));
        let (double, float, int) = (
            lanes_of(llvm.float(64)),
            lanes_of(llvm.float(32)),
            lanes_of(llvm.int(32)),
        );
        let one = self.splat_const(llvm.const_int(llvm.int(32), 1), lanes);
        let nearest = llvm.cast(Opcode::LLVMFPTrunc, a, float);
        let back = llvm.cast(Opcode::LLVMFPExt, nearest, double);
        // Ordered: a NaN counts as exact and stays as it is.
        let inexact = llvm.fcmp(RealPredicate::LLVMRealONE, back, a);
        let abs = |v| llvm.intrinsic("llvm.fabs", double, &[v]);
        let away = llvm.fcmp(RealPredicate::LLVMRealOGT, abs(back), abs(a));
        let bits = llvm.cast(Opcode::LLVMBitCast, nearest, int);
        let towards_zero = llvm.binary(
            Opcode::LLVMSub,
            bits,
            llvm.cast(Opcode::LLVMZExt, away, int),
        );
        let odd = llvm.binary(Opcode::LLVMOr, towards_zero, one);
        let chosen = llvm.select(inexact, odd, bits);
        llvm.cast(
            Opcode::LLVMFPTrunc,
            llvm.cast(Opcode::LLVMBitCast, chosen, float),
            lanes_of(llvm.float(16)),
        )
    }
}
