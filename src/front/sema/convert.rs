//! Conversions: lvalue to value, decay, promotion, the usual arithmetic conversions, implicit and explicit ones
//! (OpenCL C 3.0, 6.4; C99, 6.3 and 6.5.16.1).

use super::{Operand, Sema, ast, hir, value};
use crate::front::source::Loc;
use crate::front::types::{Opaque, QualType, Scalar, TypeId, TypeKind};
use crate::front::warn::Warning;
use crate::ir::AddrSpace;

/// Where an implicit conversion happens, for the wording of messages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Assign,
    Init,
    Return,
    Argument,
}

/// Whether all of `inner` lies in `outer` (OpenCL C 3.0, 6.7.9): the generic address space holds all but constant.
pub(super) fn encloses(outer: AddrSpace, inner: AddrSpace) -> bool {
    outer == inner || (outer == AddrSpace::Generic && inner != AddrSpace::Constant)
}

impl Sema<'_> {
    /// The value of an expression: objects are read, arrays decay to pointers.
    pub(super) fn rvalue(&mut self, id: ast::ExprId) -> hir::Expr {
        let operand = self.operand(id);
        self.value_of(operand, self.ast.expr(id).loc)
    }

    pub(super) fn value_of(&mut self, operand: Operand, loc: Loc) -> hir::Expr {
        match operand {
            Operand::Value(v) => v,
            Operand::Place(place) => self.load(place),
            Operand::Function(name) => {
                // OpenCL C 3.0, 6.11.a
                let text = format!(
                    "taking address of function '{}' is not allowed",
                    self.name(name)
                );
                self.fail(loc, text)
            }
        }
    }

    fn load(&mut self, place: hir::Place) -> hir::Expr {
        let loc = place.loc;
        let ty = place.ty;
        if self.types.is_error(ty.ty) {
            return self.error_expr(loc);
        }
        if let TypeKind::Array(elem, _) = *self.types.kind(ty.ty) {
            let elem = QualType {
                space: ty.space,
                is_const: elem.is_const || ty.is_const,
                is_volatile: elem.is_volatile || ty.is_volatile,
                ..elem
            };
            let pointer = self.types.pointer(elem);
            return value(pointer, loc, hir::ExprKind::AddrOf(Box::new(place)));
        }
        if !self.types.is_complete(ty.ty) {
            let text = format!(
                "incomplete type {} where a complete type is required",
                self.quoted(ty.ty)
            );
            return self.fail(loc, text);
        }
        // An enum's value is an integer of its representation.
        let value_ty = match self.types.kind(ty.ty) {
            TypeKind::Enum(_) => self
                .types
                .as_scalar(ty.ty)
                .map_or(ty.ty, |s| self.types.scalar(s)),
            _ => ty.ty,
        };
        value(value_ty, loc, hir::ExprKind::Load(Box::new(place)))
    }

    /// An expression whose value nobody reads.
    pub(super) fn discarded(&mut self, id: ast::ExprId) -> hir::Expr {
        match self.operand(id) {
            Operand::Value(v) => v,
            Operand::Place(place) => {
                // Reading a volatile object is an effect; another object need not be read, nor be readable.
                if place.ty.is_volatile {
                    return self.load(place);
                }
                let loc = place.loc;
                let ty = self.types.pointer(place.ty);
                if matches!(
                    place.kind,
                    hir::PlaceKind::Swizzle { .. } | hir::PlaceKind::Field { bits: Some(_), .. }
                ) {
                    return self.load(place);
                }
                value(ty, loc, hir::ExprKind::AddrOf(Box::new(place)))
            }
            Operand::Function(..) => value(
                self.types.basics.int,
                self.ast.expr(id).loc,
                hir::ExprKind::Int(0),
            ),
        }
    }

    /// The integer promotions (C99, 6.3.1.1).
    pub(super) fn promote(&mut self, expr: hir::Expr) -> hir::Expr {
        match self.types.as_scalar(expr.ty) {
            Some(s) if s < Scalar::Int => self.convert(expr, self.types.basics.int),
            Some(s) if matches!(self.types.kind(expr.ty), TypeKind::Enum(_)) => {
                let ty = self.types.scalar(s);
                self.convert(expr, ty)
            }
            _ => expr,
        }
    }

    /// The type that two scalars meet in (C99, 6.3.1.8).
    pub(super) fn common_scalar(a: Scalar, b: Scalar) -> Scalar {
        if a.is_float() || b.is_float() {
            return match (a.is_float(), b.is_float()) {
                (true, true) => a.max(b),
                (true, false) => a,
                _ => b,
            };
        }
        // `long` holds every `uint`, so that the higher rank always wins; at equal width the unsigned one is higher.
        a.max(b).max(Scalar::Int)
    }

    /// A conversion that is known to be allowed. Constants are converted at once.
    pub(super) fn convert(&mut self, expr: hir::Expr, to: TypeId) -> hir::Expr {
        if expr.ty == to || self.types.is_error(expr.ty) {
            return expr;
        }
        if self.types.is_error(to) {
            return self.error_expr(expr.loc);
        }
        let loc = expr.loc;
        let converted = value(to, loc, hir::ExprKind::Convert(Box::new(expr)));
        self.fold(converted)
    }

    /// A scalar to all lanes of a vector type, converted to its element.
    pub(super) fn splat(&mut self, expr: hir::Expr, to: TypeId) -> hir::Expr {
        let Some((elem, _)) = self.types.as_vector(to) else {
            return self.convert(expr, to);
        };
        let elem_ty = self.types.scalar(elem);
        let scalar = self.convert(expr, elem_ty);
        if self.types.is_error(scalar.ty) {
            return scalar;
        }
        let loc = scalar.loc;
        value(to, loc, hir::ExprKind::Splat(Box::new(scalar)))
    }

    /// An implicit conversion as if by assignment; reports what is not allowed.
    pub(super) fn coerce(&mut self, expr: hir::Expr, to: TypeId, context: Context) -> hir::Expr {
        if self.types.is_error(expr.ty) || self.types.is_error(to) {
            return self.error_expr(expr.loc);
        }
        if expr.ty == to {
            return expr;
        }
        let from = expr.ty;
        if self.types.as_scalar(from).is_some() {
            if self.types.as_scalar(to).is_some() {
                self.check_constant_conversion(&expr, to);
                return self.convert(expr, to);
            }
            if self.types.as_vector(to).is_some() {
                return self.splat(expr, to);
            }
        }
        match (self.types.kind(from).clone(), self.types.kind(to).clone()) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => {
                return self.coerce_pointer(expr, (a, b), to, context);
            }
            (_, TypeKind::Pointer(_)) if self.is_null_constant(&expr) => {
                return self.convert(expr, to);
            }
            (_, TypeKind::Pointer(_)) if self.types.as_scalar(from).is_some_and(Scalar::is_int) => {
                let text = format!(
                    "incompatible integer to pointer conversion {}",
                    self.phrase(from, to, context)
                );
                return self.fail(expr.loc, text);
            }
            (TypeKind::Pointer(_), _) if self.types.as_scalar(to) == Some(Scalar::Bool) => {
                return self.convert(expr, to);
            }
            (TypeKind::Pointer(_), _) if self.types.as_scalar(to).is_some_and(Scalar::is_int) => {
                let text = format!(
                    "incompatible pointer to integer conversion {}",
                    self.phrase(from, to, context)
                );
                return self.fail(expr.loc, text);
            }
            // `event_t e = 0;` (OpenCL C 3.0, 6.15.11)
            (_, TypeKind::Opaque(Opaque::Event)) if self.is_null_constant(&expr) => {
                return value(to, expr.loc, hir::ExprKind::Int(0));
            }
            // A sampler's constants may stand where a sampler is asked for.
            (_, TypeKind::Opaque(Opaque::Sampler)) => {
                if let (Some(_), hir::ExprKind::Int(bits)) =
                    (self.types.as_scalar(from), &expr.kind)
                {
                    return value(to, expr.loc, hir::ExprKind::Int(*bits));
                }
            }
            (TypeKind::Atomic(s), _) | (_, TypeKind::Atomic(s)) => {
                let plain = self.types.scalar(s);
                // ATOMIC_VAR_INIT(value) is the value (6.15.12.1): it is converted as in any initialiser.
                if context == Context::Init && self.types.as_scalar(from).is_some() {
                    let value = self.convert(expr, plain);
                    return self.convert(value, to);
                }
                if from == plain || to == plain {
                    return self.convert(expr, to);
                }
            }
            _ => {}
        }
        let text = match context {
            Context::Argument => self.phrase(from, to, context),
            _ => self.phrase(from, to, context).replacen(
                "an expression of type",
                "an expression of incompatible type",
                1,
            ),
        };
        self.fail(expr.loc, text)
    }

    /// "initializing 'int *' with an expression of type 'float *'"
    fn phrase(&self, from: TypeId, to: TypeId, context: Context) -> String {
        let (from, to) = (self.quoted(from), self.quoted(to));
        match context {
            Context::Assign => format!("assigning to {to} from {from}"),
            Context::Init => format!("initializing {to} with an expression of type {from}"),
            Context::Return => {
                format!("returning {from} from a function with result type {to}")
            }
            Context::Argument => format!("passing {from} to parameter of type {to}"),
        }
    }

    fn coerce_pointer(
        &mut self,
        expr: hir::Expr,
        (a, b): (QualType, QualType),
        to: TypeId,
        context: Context,
    ) -> hir::Expr {
        let loc = expr.loc;
        let from = expr.ty;
        if self.is_null_constant(&expr) {
            return self.convert(expr, to);
        }
        // OpenCL C 3.0, 6.7.9: implicitly only to the same address space, or to one that encloses it.
        if !encloses(b.space, a.space) {
            let text = format!(
                "{} changes address space of pointer",
                self.phrase(from, to, context)
            );
            return self.fail(loc, text);
        }
        if self.differ_in_nested_space(a.ty, b.ty) {
            let text = format!(
                "{} changes address space of nested pointer",
                self.phrase(from, to, context)
            );
            return self.fail(loc, text);
        }
        let same_type = a.ty == b.ty
            || self.types.is_void(a.ty)
            || self.types.is_void(b.ty)
            || self.differ_in_sign_only(a.ty, b.ty);
        if !same_type {
            let text = format!(
                "incompatible pointer types {}",
                self.phrase(from, to, context)
            );
            self.warn(Warning::IncompatiblePointerTypes, loc, text);
        } else if (a.is_const && !b.is_const && a.space != AddrSpace::Constant)
            || (a.is_volatile && !b.is_volatile)
        {
            let text = format!("{} discards qualifiers", self.phrase(from, to, context));
            self.warn(Warning::DiscardsQualifiers, loc, text);
        }
        self.convert(expr, to)
    }

    /// Constants that another type can't hold.
    fn check_constant_conversion(&mut self, expr: &hir::Expr, to: TypeId) {
        let (Some(from), Some(into)) = (self.types.as_scalar(expr.ty), self.types.as_scalar(to))
        else {
            return;
        };
        if into == Scalar::Bool || !into.is_int() {
            return;
        }
        let bits = 8 * into.size() as u32;
        match expr.kind {
            hir::ExprKind::Float(x) if x.trunc() != x || x.abs() >= 2f64.powi(64) => {
                let text = format!(
                    "implicit conversion from {} to {} changes value from {x} to {}",
                    self.quoted(expr.ty),
                    self.quoted(to),
                    x.trunc()
                );
                self.warn(Warning::LiteralConversion, expr.loc, text);
            }
            hir::ExprKind::Int(raw) if from.is_int() => {
                let width = 8 * from.size() as u32;
                let value = match from.is_signed() {
                    true => i128::from((raw << (64 - width)) as i64 >> (64 - width)),
                    false => i128::from(raw),
                };
                // Bit patterns are written with their sign in either type; what no reading of the bits gives is lost.
                let most = match from.is_signed() && into.is_signed() {
                    true => (1i128 << (bits - 1)) - 1,
                    false => (1i128 << bits) - 1,
                };
                if value > most || value < -(1i128 << (bits - 1)) {
                    let kept = value & ((1i128 << bits) - 1);
                    let wraps = into.is_signed() && kept >> (bits - 1) != 0;
                    let kept = if wraps { kept - (1i128 << bits) } else { kept };
                    let text = format!(
                        "implicit conversion from {} to {} changes value from {value} to {kept}",
                        self.quoted(expr.ty),
                        self.quoted(to),
                    );
                    self.warn(Warning::ConstantConversion, expr.loc, text);
                }
            }
            _ => {}
        }
    }

    /// 6.7.9: "For nested pointers, implicit conversions between address spaces are disallowed."
    fn differ_in_nested_space(&self, mut a: TypeId, mut b: TypeId) -> bool {
        while let (Some(x), Some(y)) = (self.types.pointee(a), self.types.pointee(b)) {
            if x.space != y.space {
                return true;
            }
            (a, b) = (x.ty, y.ty);
        }
        false
    }

    fn differ_in_sign_only(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.arith(a), self.types.arith(b)) {
            (Some((x, n)), Some((y, m))) => {
                n == m && x.is_int() && y.is_int() && x.size() == y.size()
            }
            _ => false,
        }
    }

    /// A null pointer constant: integer 0, or 0 cast to `void *` (C99, 6.3.2.3).
    pub(super) fn is_null_constant(&self, expr: &hir::Expr) -> bool {
        match &expr.kind {
            hir::ExprKind::Int(0) => match self.types.kind(expr.ty) {
                TypeKind::Pointer(p) => self.types.is_void(p.ty),
                _ => self.types.as_scalar(expr.ty).is_some_and(Scalar::is_int),
            },
            _ => false,
        }
    }

    /// cast-expression: `(type) expr`
    pub(super) fn cast(&mut self, expr: hir::Expr, to: QualType, loc: Loc) -> hir::Expr {
        let from = expr.ty;
        let to_ty = to.ty;
        if self.types.is_error(from) || self.types.is_error(to_ty) {
            return self.error_expr(loc);
        }
        if self.types.is_void(to_ty) || from == to_ty {
            return self.convert(expr, to_ty);
        }
        let invalid = |this: &mut Self| {
            let text = format!(
                "invalid conversion between {} and {}",
                this.quoted(from),
                this.quoted(to_ty)
            );
            this.fail(loc, text)
        };
        match (self.types.arith(from), self.types.arith(to_ty)) {
            (Some((_, 1)), Some((_, 1))) => return self.convert(expr, to_ty),
            // OpenCL C 3.0, 6.4.1: a scalar cast to a vector is widened.
            (Some((_, 1)), Some(_)) => return self.splat(expr, to_ty),
            // 6.4.1: explicit casts between vector types are not legal.
            (Some(_), Some(_)) => return invalid(self),
            _ => {}
        }
        match (
            self.types.kind(from).clone(),
            self.types.kind(to_ty).clone(),
        ) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => {
                // 6.7.9: no conversion between disjoint address spaces.
                if !encloses(a.space, b.space)
                    && !encloses(b.space, a.space)
                    && !self.is_null_constant(&expr)
                {
                    let text = format!(
                        "casting {} to type {} changes address space of pointer",
                        self.quoted(from),
                        self.quoted(to_ty)
                    );
                    return self.fail(loc, text);
                }
                self.convert(expr, to_ty)
            }
            (TypeKind::Pointer(_), _)
                if self.types.as_scalar(to_ty).is_some_and(Scalar::is_int) =>
            {
                self.convert(expr, to_ty)
            }
            (_, TypeKind::Pointer(_)) if self.types.as_scalar(from).is_some_and(Scalar::is_int) => {
                self.convert(expr, to_ty)
            }
            (
                _,
                TypeKind::Opaque(
                    Opaque::Event | Opaque::ReserveId | Opaque::Queue | Opaque::ClkEvent,
                ),
            ) if self.is_null_constant(&expr) => value(to_ty, loc, hir::ExprKind::Int(0)),
            _ => invalid(self),
        }
    }
}
