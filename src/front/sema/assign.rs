//! Assignment, plain and with an operator (C99, 6.5.16).

use super::convert::Context;
use super::{Sema, ast, hir, value};
use crate::front::source::Loc;
use crate::front::types::TypeId;

impl Sema<'_> {
    /// simple and compound assignment
    pub(super) fn assign(
        &mut self,
        op: Option<ast::BinaryOp>,
        lhs: ast::ExprId,
        rhs: ast::ExprId,
        loc: Loc,
    ) -> hir::Expr {
        let target = self.operand(lhs);
        let rhs = self.rvalue(rhs);
        let Some(place) = self.require_writable(target, loc) else {
            return self.error_expr(loc);
        };
        let ty = place.ty.ty;
        let Some(op) = op else {
            let rhs = self.coerce(rhs, ty, Context::Assign);
            if self.types.is_error(rhs.ty) {
                return rhs;
            }
            return value(
                ty,
                loc,
                hir::ExprKind::Assign {
                    place: Box::new(place),
                    value: Box::new(rhs),
                },
            );
        };
        self.compound_assign(op, place, rhs, loc)
    }

    /// `place op= value`
    pub(super) fn compound_assign(
        &mut self,
        op: ast::BinaryOp,
        place: hir::Place,
        rhs: hir::Expr,
        loc: Loc,
    ) -> hir::Expr {
        use ast::BinaryOp as B;
        let ty = place.ty.ty;
        if self.types.is_error(rhs.ty) {
            return self.error_expr(loc);
        }
        let hir_op = match op {
            B::Mul => hir::BinaryOp::Mul,
            B::Div => hir::BinaryOp::Div,
            B::Rem => hir::BinaryOp::Rem,
            B::Add => hir::BinaryOp::Add,
            B::Sub => hir::BinaryOp::Sub,
            B::Shl => hir::BinaryOp::Shl,
            B::Shr => hir::BinaryOp::Shr,
            B::BitAnd => hir::BinaryOp::And,
            B::BitXor => hir::BinaryOp::Xor,
            _ => hir::BinaryOp::Or,
        };
        let mut scale = 1;
        let (value_expr, compute) = if let Some(pointee) = self.types.pointee(ty) {
            if !matches!(op, B::Add | B::Sub)
                || !self.is_int_scalar(rhs.ty)
                || !self.check_pointee(pointee.ty, loc)
            {
                let text = format!(
                    "invalid operands to binary expression ({} and {})",
                    self.quoted(ty),
                    self.quoted(rhs.ty)
                );
                return self.fail(loc, text);
            }
            scale = self.types.size(pointee.ty).max(1);
            let long = self.types.basics.long;
            (self.convert(rhs, long), ty)
        } else {
            // The operator's own rules apply to a stand-in for the object's value.
            let stand_in = self.stand_in(ty, loc);
            match self.binary_values(op, stand_in, rhs, loc).kind {
                hir::ExprKind::Binary { a, b, .. } => (*b, a.ty),
                _ => return self.error_expr(loc),
            }
        };
        // A vector may not change its type on the way back.
        if self.types.as_vector(ty).is_some() != self.types.as_vector(compute).is_some() {
            let text = format!(
                "assigning to {} from incompatible type {}",
                self.quoted(ty),
                self.quoted(compute)
            );
            return self.fail(loc, text);
        }
        value(
            ty,
            loc,
            hir::ExprKind::CompoundAssign {
                place: Box::new(place),
                op: hir_op,
                value: Box::new(value_expr),
                compute,
                scale,
            },
        )
    }

    /// A value of a type that no folding sees through.
    pub(super) fn stand_in(&mut self, ty: TypeId, loc: Loc) -> hir::Expr {
        let plain = match self.types.as_scalar(ty) {
            Some(s) => self.types.scalar(s),
            None => ty,
        };
        value(
            plain,
            loc,
            hir::ExprKind::StmtExpr {
                stmts: Vec::new(),
                value: None,
            },
        )
    }
}
