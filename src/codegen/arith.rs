//! Arithmetic and comparisons.
//!
//! Invariants: nothing here traps and nothing is poison unless a fast-math flag makes it so: shift counts are masked,
//! lanes are independent. Half precision without AVX512-FP16 goes through float, where every single operation but
//! fma rounds the same as it would in half (24 >= 2 * 11 + 2 bits of significand; Figueroa, 1995).

use super::function::FuncGen;
use super::llvm::{IntPredicate, Opcode, RealPredicate, Val};
use crate::ir::{BinaryOp, Elem, FloatCC, IntCC, TernaryOp, Type, UnaryOp, Value};

impl FuncGen<'_, '_> {
    pub fn unary(&mut self, op: UnaryOp, arg: Value) -> Val {
        let llvm = self.llvm;
        let ty = self.ty(arg);
        let lty = self.unit.ty(ty);
        let a = self.val(arg);
        let float = |name| llvm.with_fast_math(llvm.intrinsic(name, lty, &[a]), self.flags);
        // The second operand says that 0 is a valid argument.
        let count = |name| {
            let zero_ok = llvm.const_int(llvm.int(1), 0);
            llvm.intrinsic(name, lty, &[a, zero_ok])
        };
        match op {
            UnaryOp::Neg => llvm.binary(Opcode::LLVMSub, llvm.null(lty), a),
            UnaryOp::Not => {
                let ones = llvm.const_int(self.unit.elem(ty.elem), u64::MAX);
                llvm.binary(Opcode::LLVMXor, a, self.splat_const(ones, ty.lanes))
            }
            UnaryOp::Clz => count("llvm.ctlz"),
            UnaryOp::Ctz => count("llvm.cttz"),
            UnaryOp::Popcount => llvm.intrinsic("llvm.ctpop", lty, &[a]),
            UnaryOp::BitReverse => llvm.intrinsic("llvm.bitreverse", lty, &[a]),
            UnaryOp::FNeg => llvm.with_fast_math(llvm.fneg(a), self.flags),
            UnaryOp::FAbs => float("llvm.fabs"),
            UnaryOp::Sqrt => self.sqrt(ty, a),
            UnaryOp::Ceil => float("llvm.ceil"),
            UnaryOp::Floor => float("llvm.floor"),
            UnaryOp::Trunc => float("llvm.trunc"),
            UnaryOp::Rint => float("llvm.rint"),
            UnaryOp::Round => float("llvm.round"),
            UnaryOp::FMantissa => self.mantissa(ty, a),
            UnaryOp::FExponent => self.exponent(ty, a),
            UnaryOp::FSignificand => self.significand(ty, a),
            UnaryOp::FLogb => self.logb(ty, a),
            UnaryOp::RecipEstimate => self.recip_estimate(ty, a),
            UnaryOp::RsqrtEstimate => self.rsqrt_estimate(ty, a),
        }
    }

    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Val {
        use BinaryOp::*;
        let llvm = self.llvm;
        let ty = self.ty(a);
        let (x, y) = (self.val(a), self.val(b));
        let plain = |op| llvm.binary(op, x, y);
        let float = |op| llvm.with_fast_math(llvm.binary(op, x, y), self.flags);
        let call = |name| llvm.intrinsic(name, self.unit.ty(ty), &[x, y]);
        match op {
            Add => plain(Opcode::LLVMAdd),
            Sub => plain(Opcode::LLVMSub),
            Mul => plain(Opcode::LLVMMul),
            And => plain(Opcode::LLVMAnd),
            Or => plain(Opcode::LLVMOr),
            Xor => plain(Opcode::LLVMXor),
            SDiv | UDiv | SRem | URem => self.divide(op, a, b),
            Shl => llvm.binary(Opcode::LLVMShl, x, self.shift_count(ty, y)),
            LShr => llvm.binary(Opcode::LLVMLShr, x, self.shift_count(ty, y)),
            AShr => llvm.binary(Opcode::LLVMAShr, x, self.shift_count(ty, y)),
            Rotl => llvm.intrinsic("llvm.fshl", self.unit.ty(ty), &[x, x, y]),
            SMin => call("llvm.smin"),
            SMax => call("llvm.smax"),
            UMin => call("llvm.umin"),
            UMax => call("llvm.umax"),
            SMulHi => self.mul_high(ty, x, y, Opcode::LLVMSExt),
            UMulHi => self.mul_high(ty, x, y, Opcode::LLVMZExt),
            SAddSat => call("llvm.sadd.sat"),
            UAddSat => call("llvm.uadd.sat"),
            SSubSat => call("llvm.ssub.sat"),
            USubSat => call("llvm.usub.sat"),
            FAdd => float(Opcode::LLVMFAdd),
            FSub => float(Opcode::LLVMFSub),
            FMul => float(Opcode::LLVMFMul),
            FDiv => float(Opcode::LLVMFDiv),
            FRem => float(Opcode::LLVMFRem),
            FMin => llvm.with_fast_math(call("llvm.minnum"), self.flags),
            FMax => llvm.with_fast_math(call("llvm.maxnum"), self.flags),
            CopySign => call("llvm.copysign"),
            FScale => self.scale(ty, x, y),
        }
    }

    pub fn ternary(&mut self, op: TernaryOp, args: [Value; 3]) -> Val {
        let llvm = self.llvm;
        let ty = self.ty(args[0]);
        let lty = self.unit.ty(ty);
        let vals = args.map(|v| self.val(v));
        match op {
            // Through double, where the product and the sum are exact for all results in range of half. (LLVM would round
            // the product of `llvm.fmuladd` to half, so that results would depend on the machine.)
            TernaryOp::Fma | TernaryOp::MulAdd if ty.elem == Elem::F16 && !self.unit.has_fp16 => {
                let wide = llvm.vector(llvm.float(64), u32::from(ty.lanes));
                let [a, b, c] = vals.map(|v| llvm.cast(Opcode::LLVMFPExt, v, wide));
                let product = llvm.binary(Opcode::LLVMFMul, a, b);
                let sum = llvm.binary(Opcode::LLVMFAdd, product, c);
                self.double_to_half(sum, ty.lanes)
            }
            TernaryOp::Fma => {
                llvm.with_fast_math(llvm.intrinsic("llvm.fma", lty, &vals), self.flags)
            }
            TernaryOp::MulAdd => {
                llvm.with_fast_math(llvm.intrinsic("llvm.fmuladd", lty, &vals), self.flags)
            }
        }
    }

    pub fn icmp(&mut self, cc: IntCC, args: [Value; 2]) -> Val {
        use IntPredicate::*;
        let predicate = match cc {
            IntCC::Eq => LLVMIntEQ,
            IntCC::Ne => LLVMIntNE,
            IntCC::Slt => LLVMIntSLT,
            IntCC::Sle => LLVMIntSLE,
            IntCC::Sgt => LLVMIntSGT,
            IntCC::Sge => LLVMIntSGE,
            IntCC::Ult => LLVMIntULT,
            IntCC::Ule => LLVMIntULE,
            IntCC::Ugt => LLVMIntUGT,
            IntCC::Uge => LLVMIntUGE,
        };
        self.llvm
            .icmp(predicate, self.val(args[0]), self.val(args[1]))
    }

    pub fn fcmp(&mut self, cc: FloatCC, args: [Value; 2]) -> Val {
        use RealPredicate::*;
        let predicate = match cc {
            FloatCC::Oeq => LLVMRealOEQ,
            FloatCC::One => LLVMRealONE,
            FloatCC::Olt => LLVMRealOLT,
            FloatCC::Ole => LLVMRealOLE,
            FloatCC::Ogt => LLVMRealOGT,
            FloatCC::Oge => LLVMRealOGE,
            FloatCC::Ord => LLVMRealORD,
            FloatCC::Ueq => LLVMRealUEQ,
            FloatCC::Une => LLVMRealUNE,
            FloatCC::Ult => LLVMRealULT,
            FloatCC::Ule => LLVMRealULE,
            FloatCC::Ugt => LLVMRealUGT,
            FloatCC::Uge => LLVMRealUGE,
            FloatCC::Uno => LLVMRealUNO,
        };
        let value = self
            .llvm
            .fcmp(predicate, self.val(args[0]), self.val(args[1]));
        self.llvm.with_fast_math(value, self.flags)
    }

    /// The count modulo the width, which is a power of two.
    fn shift_count(&self, ty: Type, count: Val) -> Val {
        let mask = self
            .llvm
            .const_int(self.unit.elem(ty.elem), u64::from(ty.elem.bits() - 1));
        let mask = self.splat_const(mask, ty.lanes);
        self.llvm.binary(Opcode::LLVMAnd, count, mask)
    }

    fn mul_high(&self, ty: Type, a: Val, b: Val, extend: Opcode) -> Val {
        let llvm = self.llvm;
        let bits = ty.elem.bits();
        let wide_elem = llvm.int(2 * bits);
        let wide = llvm.vector(wide_elem, u32::from(ty.lanes));
        let product = llvm.binary(
            Opcode::LLVMMul,
            llvm.cast(extend, a, wide),
            llvm.cast(extend, b, wide),
        );
        let by = self.splat_const(llvm.const_int(wide_elem, u64::from(bits)), ty.lanes);
        let high = llvm.binary(Opcode::LLVMLShr, product, by);
        llvm.cast(Opcode::LLVMTrunc, high, self.unit.ty(ty))
    }
}
