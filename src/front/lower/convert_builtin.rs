//! `convert_T`, `convert_T_sat` and their roundings (OpenCL C 3.0, 6.4.3.3), exact for every pair of types.
//!
//! A directed rounding to a floating-point type starts from the nearest value (or from the one towards zero, which is
//! made exact by clearing low bits) and steps to its neighbour where it lies on the wrong side. Neighbours of the same
//! sign have consecutive bits, from 0 to infinity.

use super::super::hir::{Expr, Rounding};
use super::super::types::{Scalar, TypeId};
use super::expr::int_of;
use super::function::FunctionLowerer;
use crate::ir::{BinaryOp, CastOp, FloatCC, IntCC, Type, UnaryOp, Value};

impl<'m> FunctionLowerer<'_, 'm> {
    pub fn convert_builtin(
        &mut self,
        arg: &'m Expr,
        to: TypeId,
        saturate: bool,
        rounding: Option<Rounding>,
    ) -> Value {
        let (from, to) = (self.scalar_of(arg.ty), self.scalar_of(to));
        let value = self.value(arg);
        self.convert_rounded(value, from, to, saturate, rounding)
    }

    /// Each lane of `value`, whose element is `from`.
    pub fn convert_rounded(
        &mut self,
        value: Value,
        from: Scalar,
        to: Scalar,
        saturate: bool,
        rounding: Option<Rounding>,
    ) -> Value {
        if to == Scalar::Bool {
            return self.convert_scalar(value, from, to);
        }
        match (from.is_float(), to.is_float()) {
            (false, false) if saturate => self.int_to_int_sat(value, from, to),
            (true, false) => self.float_to_int(value, from, to, saturate, rounding),
            (false, true) if !is_nearest(rounding) && int_bits(from) > precision(to) => {
                self.int_to_float(value, from, to, rounding)
            }
            (true, true) if !is_nearest(rounding) && from.size() > to.size() => {
                self.float_to_float(value, from, to, rounding)
            }
            _ => self.convert_scalar(value, from, to),
        }
    }

    fn int_to_int_sat(&mut self, mut value: Value, from: Scalar, to: Scalar) -> Value {
        let ty = self.b.func.ty(value);
        let ((from_min, from_max), (to_min, to_max)) = (int_range(from), int_range(to));
        let (min, max) = if from.is_signed() {
            (BinaryOp::SMin, BinaryOp::SMax)
        } else {
            (BinaryOp::UMin, BinaryOp::UMax)
        };
        if to_min > from_min {
            let bound = self.b.iconst(ty, to_min as u64);
            value = self.b.binary(max, value, bound);
        }
        if to_max < from_max {
            let bound = self.b.iconst(ty, to_max as u64);
            value = self.b.binary(min, value, bound);
        }
        self.convert_scalar(value, from, to)
    }

    fn float_to_int(
        &mut self,
        mut value: Value,
        mut from: Scalar,
        to: Scalar,
        saturate: bool,
        rounding: Option<Rounding>,
    ) -> Value {
        if from == Scalar::Half {
            // Bounds of integers aren't exact in half; every half is a float.
            value = self.convert_scalar(value, from, Scalar::Float);
            from = Scalar::Float;
        }
        let op = match rounding {
            Some(Rounding::Rte) => Some(UnaryOp::Rint),
            Some(Rounding::Rtp) => Some(UnaryOp::Ceil),
            Some(Rounding::Rtn) => Some(UnaryOp::Floor),
            // The conversion itself truncates; saturation compares integral values.
            Some(Rounding::Rtz) | None => saturate.then_some(UnaryOp::Trunc),
        };
        if let Some(op) = op {
            value = self.b.unary(op, value);
        }
        let result = self.convert_scalar(value, from, to);
        if !saturate {
            return result;
        }
        let ty = self.b.func.ty(value);
        let int = self.b.func.ty(result);
        let (min, max) = int_range(to);
        // `max + 1` is a power of two, so both bounds are exact in float.
        let above = self.b.fconst(ty, (max + 1) as f64);
        let below = self.b.fconst(ty, min as f64);
        let too_big = self.b.fcmp(FloatCC::Oge, value, above);
        let too_small = self.b.fcmp(FloatCC::Olt, value, below);
        let nan = self.b.fcmp(FloatCC::Uno, value, value);
        let max = self.b.iconst(int, max as u64);
        let min = self.b.iconst(int, min as u64);
        let zero = self.b.iconst(int, 0);
        let result = self.b.select(too_big, max, result);
        let result = self.b.select(too_small, min, result);
        self.b.select(nan, zero, result)
    }

    /// Directed rounding where some values aren't exact: the magnitude cut to the precision converts exactly.
    fn int_to_float(
        &mut self,
        value: Value,
        from: Scalar,
        to: Scalar,
        rounding: Option<Rounding>,
    ) -> Value {
        // In 32 bits at least, so that a half's largest value fits.
        let work = match (from.size(), from.is_signed()) {
            (8, true) => Scalar::Long,
            (8, false) => Scalar::ULong,
            (_, true) => Scalar::Int,
            (_, false) => Scalar::UInt,
        };
        let value = self.convert_scalar(value, from, work);
        let ty = self.b.func.ty(value);
        let negative = work.is_signed().then(|| self.is_negative(value));
        let magnitude = match negative {
            Some(negative) => {
                let minus = self.b.unary(UnaryOp::Neg, value);
                self.b.select(negative, minus, value)
            }
            None => value,
        };
        let mut cut = magnitude;
        if to == Scalar::Half {
            // Beyond the largest half, rounding towards zero gives that (IEEE 754, 7.4).
            let largest = self.b.iconst(ty, 65504);
            cut = self.b.binary(BinaryOp::UMin, cut, largest);
        }
        let leading = self.b.unary(UnaryOp::Clz, cut);
        let spare = self.b.iconst(ty, u64::from(ty.elem.bits() - precision(to)));
        let shift = self.b.binary(BinaryOp::USubSat, spare, leading);
        let short = self.b.binary(BinaryOp::LShr, cut, shift);
        let cut = self.b.binary(BinaryOp::Shl, short, shift);
        let result_ty = ty.with_elem(to.elem());
        let mut result = self.b.cast(CastOp::UiToFp, cut, result_ty);
        let inexact = self.b.icmp(IntCC::Ne, cut, magnitude);
        // Away from zero: up for positive values, down for negative ones.
        let away = match (rounding, negative) {
            (Some(Rounding::Rtp), None) => Some(inexact),
            (Some(Rounding::Rtp), Some(negative)) => {
                let positive = self.b.unary(UnaryOp::Not, negative);
                Some(self.b.binary(BinaryOp::And, inexact, positive))
            }
            (Some(Rounding::Rtn), Some(negative)) => {
                Some(self.b.binary(BinaryOp::And, inexact, negative))
            }
            _ => None,
        };
        if let Some(away) = away {
            let next = self.step_bits(result, 1);
            result = self.b.select(away, next, result);
        }
        match negative {
            Some(negative) => {
                let minus = self.b.unary(UnaryOp::FNeg, result);
                self.b.select(negative, minus, result)
            }
            None => result,
        }
    }

    /// Directed rounding to a narrower type, from the nearest value.
    fn float_to_float(
        &mut self,
        value: Value,
        from: Scalar,
        to: Scalar,
        rounding: Option<Rounding>,
    ) -> Value {
        let nearest = self.convert_scalar(value, from, to);
        let back = self.convert_scalar(nearest, to, from);
        let out = self.step_bits(nearest, 1);
        let inward = self.step_bits(nearest, -1);
        let bits = int_of(self.b.func.ty(nearest));
        let as_int = self.b.cast(CastOp::Bitcast, nearest, bits);
        let negative = self.is_negative(as_int);
        let (wrong, next) = match rounding {
            Some(Rounding::Rtp) => {
                let wrong = self.b.fcmp(FloatCC::Olt, back, value);
                (wrong, self.b.select(negative, inward, out))
            }
            Some(Rounding::Rtn) => {
                let wrong = self.b.fcmp(FloatCC::Ogt, back, value);
                (wrong, self.b.select(negative, out, inward))
            }
            _ => {
                let back = self.b.unary(UnaryOp::FAbs, back);
                let value = self.b.unary(UnaryOp::FAbs, value);
                (self.b.fcmp(FloatCC::Ogt, back, value), inward)
            }
        };
        self.b.select(wrong, next, nearest)
    }

    /// The value whose bits are `by` more: away from zero for 1, towards it for -1.
    fn step_bits(&mut self, value: Value, by: i64) -> Value {
        let ty: Type = self.b.func.ty(value);
        let bits = self.b.cast(CastOp::Bitcast, value, int_of(ty));
        let by = self.b.iconst(int_of(ty), by as u64);
        let next = self.b.binary(BinaryOp::Add, bits, by);
        self.b.cast(CastOp::Bitcast, next, ty)
    }
}

fn is_nearest(rounding: Option<Rounding>) -> bool {
    matches!(rounding, None | Some(Rounding::Rte))
}

/// Bits that a magnitude of this integer type may take.
fn int_bits(scalar: Scalar) -> u32 {
    scalar.elem().bits()
}

/// Bits of the significand, the hidden one included. For half, integers of 16 bits can be too big as well as inexact.
fn precision(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Half => 11,
        Scalar::Float => 24,
        _ => 53,
    }
}

/// Least and greatest value of an integer type.
fn int_range(scalar: Scalar) -> (i128, i128) {
    let bits = scalar.elem().bits();
    if scalar.is_signed() {
        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    } else {
        (0, (1i128 << bits) - 1)
    }
}
