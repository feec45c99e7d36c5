//! Arithmetic, assignment with an operator, increment and decrement.

use super::super::hir::{self, Expr, ExprKind, Place};
use super::super::types::{Scalar, TypeId};
use super::function::FunctionLowerer;
use crate::ir::types::I64;
use crate::ir::{BinaryOp, CastOp, SrcLoc, TernaryOp, UnaryOp, Value};

impl<'m> FunctionLowerer<'_, 'm> {
    pub fn binary(&mut self, op: hir::BinaryOp, a: &'m Expr, b: &'m Expr) -> Value {
        let scalar = self.scalar_of(a.ty);
        if matches!(op, hir::BinaryOp::Add | hir::BinaryOp::Sub) {
            if let Some((x, y)) = contractible(a) {
                let (x, y, c) = (self.value(x), self.value(y), self.value(b));
                return self.fused(x, y, c, false, op == hir::BinaryOp::Sub);
            }
            if let Some((x, y)) = contractible(b) {
                let (c, x, y) = (self.value(a), self.value(x), self.value(y));
                return self.fused(x, y, c, op == hir::BinaryOp::Sub, false);
            }
        }
        let (a, b) = (self.value(a), self.value(b));
        self.operate(op, scalar, a, b)
    }

    /// `x * y + c`, the product or `c` negated first, with one or two roundings.
    fn fused(&mut self, x: Value, y: Value, c: Value, minus_product: bool, minus_c: bool) -> Value {
        let x = if minus_product {
            self.b.unary(UnaryOp::FNeg, x)
        } else {
            x
        };
        let c = if minus_c {
            self.b.unary(UnaryOp::FNeg, c)
        } else {
            c
        };
        self.b.ternary(TernaryOp::MulAdd, x, y, c)
    }

    /// The element of an arithmetic type.
    pub fn scalar_of(&self, ty: TypeId) -> Scalar {
        match self.types.arith(ty) {
            Some((scalar, _)) => scalar,
            None => unreachable!("{} is no arithmetic type", self.types.display(ty)),
        }
    }

    /// `scalar` is the element of `a`, and of `b` but for shifts.
    fn operate(&mut self, op: hir::BinaryOp, scalar: Scalar, a: Value, b: Value) -> Value {
        let (float, signed) = (scalar.is_float(), scalar.is_signed());
        let op = match op {
            hir::BinaryOp::Add if float => BinaryOp::FAdd,
            hir::BinaryOp::Sub if float => BinaryOp::FSub,
            hir::BinaryOp::MulContract => BinaryOp::FMul,
            hir::BinaryOp::Mul if float => BinaryOp::FMul,
            hir::BinaryOp::Div if float => BinaryOp::FDiv,
            hir::BinaryOp::Rem if float => BinaryOp::FRem,
            hir::BinaryOp::Add => BinaryOp::Add,
            hir::BinaryOp::Sub => BinaryOp::Sub,
            hir::BinaryOp::Mul => BinaryOp::Mul,
            hir::BinaryOp::Div if signed => BinaryOp::SDiv,
            hir::BinaryOp::Div => BinaryOp::UDiv,
            hir::BinaryOp::Rem if signed => BinaryOp::SRem,
            hir::BinaryOp::Rem => BinaryOp::URem,
            hir::BinaryOp::And => BinaryOp::And,
            hir::BinaryOp::Or => BinaryOp::Or,
            hir::BinaryOp::Xor => BinaryOp::Xor,
            hir::BinaryOp::Shl => return self.shift(BinaryOp::Shl, a, b),
            hir::BinaryOp::Shr if signed => return self.shift(BinaryOp::AShr, a, b),
            hir::BinaryOp::Shr => return self.shift(BinaryOp::LShr, a, b),
        };
        self.arithmetic(op, signed, a, b)
    }

    /// Signed sums, differences and products are marked as exact (C99 6.5p5), but for the narrow types: there C computes
    /// in int and converts the result.
    fn arithmetic(&mut self, op: BinaryOp, signed: bool, a: Value, b: Value) -> Value {
        let loc = self.b.loc();
        let wide = self.b.func.ty(a).elem.bits() >= 32;
        let exact = signed && wide && matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
        self.b.set_loc(SrcLoc { exact, ..loc });
        let result = self.b.binary(op, a, b);
        self.b.set_loc(loc);
        result
    }

    /// The count is taken modulo the width (OpenCL C 3.0, 6.4.10), so that only its low bits matter.
    fn shift(&mut self, op: BinaryOp, a: Value, count: Value) -> Value {
        let (ty, from) = (self.b.func.ty(a), self.b.func.ty(count));
        let count = match from.elem.bits().cmp(&ty.elem.bits()) {
            std::cmp::Ordering::Equal => count,
            std::cmp::Ordering::Greater => self.b.cast(CastOp::Trunc, count, ty),
            std::cmp::Ordering::Less => self.b.cast(CastOp::ZExt, count, ty),
        };
        self.b.binary(op, a, count)
    }

    // `place op= value`
    pub fn compound_assign(&mut self, e: &'m Expr) -> Value {
        let ExprKind::CompoundAssign {
            place,
            op,
            value,
            compute,
            scale,
        } = &e.kind
        else {
            unreachable!("only called for compound assignments");
        };
        let ty = place.ty.ty;
        // `place += x * y` is one expression too.
        if matches!(op, hir::BinaryOp::Add | hir::BinaryOp::Sub)
            && let Some((x, y)) = contractible(value)
        {
            let (x, y) = (self.value(x), self.value(y));
            let place = self.place(place);
            let old = self.load(&place);
            let (from, scalar) = (self.scalar_of(ty), self.scalar_of(*compute));
            let old = self.convert_scalar(old, from, scalar);
            let new = self.fused(x, y, old, *op == hir::BinaryOp::Sub, false);
            let new = self.convert_scalar(new, scalar, from);
            return self.store(&place, new);
        }
        let operand = self.value(value);
        let place = self.place(place);
        let old = self.load(&place);
        if self.is_pointer(ty) {
            let offset = self.times(operand, *scale);
            let offset = self.signed_offset(offset, *op == hir::BinaryOp::Sub);
            let new = self.b.ptr_add(old, offset);
            return self.store(&place, new);
        }
        let from = self.scalar_of(ty);
        let scalar = self.scalar_of(*compute);
        let old = self.convert_scalar(old, from, scalar);
        let new = self.operate(*op, scalar, old, operand);
        let new = self.convert_scalar(new, scalar, from);
        self.store(&place, new)
    }

    pub fn inc_dec(&mut self, place: &'m Place, dec: bool, post: bool, scale: u64) -> Value {
        let ty = place.ty.ty;
        let place = self.place(place);
        let old = self.load(&place);
        let new = if self.is_pointer(ty) {
            let bytes = self.b.iconst(I64, scale);
            let bytes = self.signed_offset(bytes, dec);
            self.b.ptr_add(old, bytes)
        } else {
            self.step(old, self.scalar_of(ty), dec)
        };
        let new = self.store(&place, new);
        if post { old } else { new }
    }

    fn step(&mut self, old: Value, scalar: Scalar, dec: bool) -> Value {
        if scalar == Scalar::Bool {
            // In int: b + 1 or b - 1, unequal to 0.
            let wide = self.convert_scalar(old, Scalar::Bool, Scalar::Int);
            let new = self.step(wide, Scalar::Int, dec);
            return self.convert_scalar(new, Scalar::Int, Scalar::Bool);
        }
        let ty = self.b.func.ty(old);
        let (one, op) = if scalar.is_float() {
            let one = self.b.fconst(ty, 1.0);
            (one, if dec { BinaryOp::FSub } else { BinaryOp::FAdd })
        } else {
            let one = self.b.iconst(ty, 1);
            (one, if dec { BinaryOp::Sub } else { BinaryOp::Add })
        };
        self.arithmetic(op, scalar.is_signed(), old, one)
    }

    fn signed_offset(&mut self, offset: Value, negative: bool) -> Value {
        if negative {
            self.b.unary(UnaryOp::Neg, offset)
        } else {
            offset
        }
    }
}

/// The factors of a product that may be fused into a sum.
fn contractible(e: &Expr) -> Option<(&Expr, &Expr)> {
    match &e.kind {
        ExprKind::Binary {
            op: hir::BinaryOp::MulContract,
            a,
            b,
        } => Some((a, b)),
        _ => None,
    }
}
