//! Unary operators, increment and decrement (OpenCL C 3.0, 6.5; C99, 6.5.2.4 and 6.5.3).

use super::{Sema, ast, hir, value};
use crate::front::source::Loc;

impl Sema<'_> {
    pub(super) fn unary(&mut self, op: ast::UnaryOp, arg: ast::ExprId, loc: Loc) -> hir::Expr {
        use ast::UnaryOp as U;
        match op {
            U::AddrOf => return self.address_of(arg, loc),
            U::PreInc | U::PreDec | U::PostInc | U::PostDec => return self.inc_dec(op, arg, loc),
            U::Deref => {}
            U::Plus | U::Minus | U::Not | U::BitNot => {}
        }
        let arg = self.rvalue(arg);
        if self.types.is_error(arg.ty) {
            return arg;
        }
        let arith = self.types.arith(arg.ty);
        let pointer = self.types.pointee(arg.ty).is_some();
        match (op, arith) {
            (U::Plus, Some((_, 1))) => self.promote(arg),
            (U::Plus, Some(_)) => arg,
            (U::Minus, Some(_)) => {
                let arg = self.promote(arg);
                let ty = arg.ty;
                self.fold(value(ty, loc, hir::ExprKind::Neg(Box::new(arg))))
            }
            (U::BitNot, Some((s, _))) if s.is_int() => {
                let arg = self.promote(arg);
                let ty = arg.ty;
                self.fold(value(ty, loc, hir::ExprKind::BitNot(Box::new(arg))))
            }
            (U::Not, Some((s, lanes))) if lanes > 1 => {
                // OpenCL C 3.0, 6.5.g: `!v` is `v == 0` by component.
                let zero = self.zero(arg.ty, loc);
                let ty = self.types.vector(s.to_signed(), lanes);
                value(
                    ty,
                    loc,
                    hir::ExprKind::Compare {
                        op: hir::Compare::Eq,
                        a: Box::new(arg),
                        b: Box::new(zero),
                    },
                )
            }
            (U::Not, arith) if arith.is_some() || pointer => {
                let int = self.types.basics.int;
                self.fold(value(int, loc, hir::ExprKind::Not(Box::new(arg))))
            }
            _ => {
                let text = format!(
                    "invalid argument type {} to unary expression",
                    self.quoted(arg.ty)
                );
                self.fail(loc, text)
            }
        }
    }

    pub(super) fn inc_dec(&mut self, op: ast::UnaryOp, arg: ast::ExprId, loc: Loc) -> hir::Expr {
        use ast::UnaryOp as U;
        let operand = self.operand(arg);
        let Some(place) = self.require_writable(operand, loc) else {
            return self.error_expr(loc);
        };
        let ty = place.ty.ty;
        let scale = if let Some(pointee) = self.types.pointee(ty) {
            if !self.check_pointee(pointee.ty, loc) {
                return self.error_expr(loc);
            }
            self.types.size(pointee.ty).max(1)
        } else if self.types.arith(ty).is_some() {
            1
        } else {
            let text = format!("cannot increment value of type {}", self.quoted(ty));
            return self.fail(loc, text);
        };
        value(
            ty,
            loc,
            hir::ExprKind::IncDec {
                place: Box::new(place),
                dec: matches!(op, U::PreDec | U::PostDec),
                post: matches!(op, U::PostInc | U::PostDec),
                scale,
            },
        )
    }
}
