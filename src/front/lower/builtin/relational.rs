//! Relational and bit functions (OpenCL C 3.0, 6.15.6), and upsample.

use super::super::super::hir::Expr;
use super::super::super::types::TypeId;
use super::super::expr::int_of;
use super::super::function::FunctionLowerer;
use crate::builtins::FloatTest;
use crate::ir::types::I32;
use crate::ir::{BinaryOp, CastOp, Elem, FloatCC, IntCC, UnaryOp, Value};

impl<'m> FunctionLowerer<'_, 'm> {
    /// -1 or 0 by component; for scalars 1 or 0.
    pub(super) fn float_test(&mut self, test: FloatTest, args: &'m [Expr], ty: TypeId) -> Value {
        let x = self.value(&args[0]);
        let truth = match test {
            FloatTest::IsEqual => self.float_compare(FloatCC::Oeq, x, &args[1]),
            FloatTest::IsNotEqual => self.float_compare(FloatCC::Une, x, &args[1]),
            FloatTest::IsGreater => self.float_compare(FloatCC::Ogt, x, &args[1]),
            FloatTest::IsGreaterEqual => self.float_compare(FloatCC::Oge, x, &args[1]),
            FloatTest::IsLess => self.float_compare(FloatCC::Olt, x, &args[1]),
            FloatTest::IsLessEqual => self.float_compare(FloatCC::Ole, x, &args[1]),
            FloatTest::IsLessGreater => self.float_compare(FloatCC::One, x, &args[1]),
            FloatTest::IsOrdered => self.float_compare(FloatCC::Ord, x, &args[1]),
            FloatTest::IsUnordered => self.float_compare(FloatCC::Uno, x, &args[1]),
            FloatTest::IsNan => self.b.fcmp(FloatCC::Uno, x, x),
            FloatTest::IsFinite => self.magnitude(x, IntCC::Ult, Bound::Infinity),
            FloatTest::IsInf => self.magnitude(x, IntCC::Eq, Bound::Infinity),
            FloatTest::IsNormal => {
                let big = self.magnitude(x, IntCC::Uge, Bound::LeastNormal);
                let finite = self.magnitude(x, IntCC::Ult, Bound::Infinity);
                self.b.binary(BinaryOp::And, big, finite)
            }
            FloatTest::SignBit => self.is_negative(x),
        };
        let ty = self.ir_type(ty);
        let op = if ty.is_vector() {
            CastOp::SExt
        } else {
            CastOp::ZExt
        };
        self.b.cast(op, truth, ty)
    }

    fn float_compare(&mut self, cc: FloatCC, x: Value, y: &'m Expr) -> Value {
        let y = self.value(y);
        self.b.fcmp(cc, x, y)
    }

    /// The bits without the sign against a bound; integers, so that no fast-math flag can fold the test away.
    fn magnitude(&mut self, x: Value, cc: IntCC, bound: Bound) -> Value {
        let ty = self.b.func.ty(x);
        let bits = int_of(ty);
        let (mantissa, infinity): (u32, u64) = match ty.elem {
            Elem::F16 => (10, 0x7c00),
            Elem::F32 => (23, 0x7f80_0000),
            _ => (52, 0x7ff0_0000_0000_0000),
        };
        let bound = match bound {
            Bound::Infinity => infinity,
            Bound::LeastNormal => 1 << mantissa,
        };
        let value = self.b.cast(CastOp::Bitcast, x, bits);
        let sign = 1u64 << (bits.elem.bits() - 1);
        let mask = self.b.iconst(bits, !sign);
        let magnitude = self.b.binary(BinaryOp::And, value, mask);
        let bound = self.b.iconst(bits, bound);
        self.b.icmp(cc, magnitude, bound)
    }

    /// select(a, b, c): b where c's highest bit is set (vectors), or c is not 0 (scalars).
    pub(super) fn select(&mut self, args: &'m [Expr]) -> Value {
        let [a, b, c] = [0, 1, 2].map(|n| self.value(&args[n]));
        let ty = self.b.func.ty(c);
        let truth = if ty.is_vector() {
            self.is_negative(c)
        } else {
            let zero = self.b.iconst(ty, 0);
            self.b.icmp(IntCC::Ne, c, zero)
        };
        self.b.select(truth, b, a)
    }

    /// Each bit of b where that of c is set, else of a.
    pub(super) fn bitselect(&mut self, args: &'m [Expr]) -> Value {
        let [a, b, c] = [0, 1, 2].map(|n| self.value(&args[n]));
        let ty = self.b.func.ty(a);
        let bits = int_of(ty);
        let [a, b, c] = [a, b, c].map(|v| self.bitcast(v, bits));
        let from_b = self.b.binary(BinaryOp::And, b, c);
        let inverse = self.b.unary(UnaryOp::Not, c);
        let from_a = self.b.binary(BinaryOp::And, a, inverse);
        let result = self.b.binary(BinaryOp::Or, from_a, from_b);
        self.bitcast(result, ty)
    }

    /// any and all: of the highest bits; an int 1 or 0.
    pub(super) fn any_all(&mut self, args: &'m [Expr], op: BinaryOp) -> Value {
        let value = self.value(&args[0]);
        let signs = self.is_negative(value);
        let lanes = self.b.func.ty(signs).lanes;
        let mut all = if lanes == 1 {
            signs
        } else {
            self.b.extract(signs, 0)
        };
        for lane in 1..lanes {
            let next = self.b.extract(signs, lane);
            all = self.b.binary(op, all, next);
        }
        self.b.cast(CastOp::ZExt, all, I32)
    }

    /// upsample(hi, lo): the halves side by side in an integer of twice the width.
    pub(super) fn upsample(&mut self, args: &'m [Expr], ty: TypeId) -> Value {
        let (hi, lo) = (self.value(&args[0]), self.value(&args[1]));
        let width = u64::from(self.b.func.ty(hi).elem.bits());
        let ty = self.ir_type(ty);
        let hi = self.b.cast(CastOp::ZExt, hi, ty);
        let lo = self.b.cast(CastOp::ZExt, lo, ty);
        let count = self.b.iconst(ty, width);
        let hi = self.b.binary(BinaryOp::Shl, hi, count);
        self.b.binary(BinaryOp::Or, hi, lo)
    }
}

/// A magnitude to compare with.
enum Bound {
    Infinity,
    LeastNormal,
}
