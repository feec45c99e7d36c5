//! Conversions of C (C99, 6.3; OpenCL C 3.0, 6.4).

use super::super::hir::Expr;
use super::super::types::{Scalar, TypeId};
use super::function::FunctionLowerer;
use crate::ir::types::I64;
use crate::ir::{CastOp, Type, Value};

impl<'m> FunctionLowerer<'_, 'm> {
    /// `arg` as a value of the type `to`, which has values.
    pub fn convert_expr(&mut self, arg: &'m Expr, to: TypeId) -> Value {
        if self.types.as_scalar(to) == Some(Scalar::Bool) {
            let bit = self.condition(arg);
            let ty = self.ir_type(to);
            return self.b.cast(CastOp::ZExt, bit, ty);
        }
        let value = self.value(arg);
        let ty = self.ir_type(to);
        match (self.types.arith(arg.ty), self.types.arith(to)) {
            (Some((from, _)), Some((to, _))) => self.convert_scalar(value, from, to),
            (Some((from, _)), None) if ty.elem.is_ptr() => {
                let wide = self.convert_scalar(value, from, Scalar::Long);
                self.b.cast(CastOp::IntToPtr, wide, ty)
            }
            (None, Some((to, _))) if self.b.func.ty(value).elem.is_ptr() => {
                let wide = self.b.cast(CastOp::PtrToInt, value, I64);
                self.convert_scalar(wide, Scalar::ULong, to)
            }
            _ => self.in_space(value, ty),
        }
    }

    /// Each lane of `value`, whose element is `from`, as a `to`.
    pub fn convert_scalar(&mut self, value: Value, from: Scalar, to: Scalar) -> Value {
        if from == to {
            return value;
        }
        let ty = self.b.func.ty(value).with_elem(to.elem());
        if to == Scalar::Bool {
            let bit = self.is_nonzero(value);
            return self.b.cast(CastOp::ZExt, bit, ty);
        }
        match (from.is_float(), to.is_float()) {
            (false, false) => self.resize_int(value, from.is_signed(), ty),
            (false, true) if from.is_signed() => self.b.cast(CastOp::SiToFp, value, ty),
            (false, true) => self.b.cast(CastOp::UiToFp, value, ty),
            (true, false) if to.is_signed() => self.b.cast(CastOp::FpToSi, value, ty),
            (true, false) => self.b.cast(CastOp::FpToUi, value, ty),
            (true, true) if from.size() < to.size() => self.b.cast(CastOp::FpExt, value, ty),
            (true, true) => self.b.cast(CastOp::FpTrunc, value, ty),
        }
    }

    /// An integer as one of another width.
    pub fn resize_int(&mut self, value: Value, signed: bool, to: Type) -> Value {
        let from = self.b.func.ty(value);
        match from.elem.bits().cmp(&to.elem.bits()) {
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.b.cast(CastOp::Trunc, value, to),
            std::cmp::Ordering::Less if signed => self.b.cast(CastOp::SExt, value, to),
            std::cmp::Ordering::Less => self.b.cast(CastOp::ZExt, value, to),
        }
    }
}
