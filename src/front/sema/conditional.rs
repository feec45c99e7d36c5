//! `cond ? then : els` (OpenCL C 3.0, 6.5.i; C99, 6.5.15).

use super::convert::Context;
use super::{Sema, ast, hir, value};
use crate::front::source::Loc;
use crate::front::types::{QualType, Scalar};

impl Sema<'_> {
    /// `cond ? then : els` (6.5.i)
    pub(super) fn conditional(
        &mut self,
        cond: ast::ExprId,
        then: Option<ast::ExprId>,
        els: ast::ExprId,
        loc: Loc,
    ) -> hir::Expr {
        let Some(then) = then else {
            return self.elvis(cond, els, loc);
        };
        let cond = self.rvalue(cond);
        let then = self.rvalue(then);
        let els = self.rvalue(els);
        if [&cond, &then, &els]
            .iter()
            .any(|e| self.types.is_error(e.ty))
        {
            return self.error_expr(loc);
        }
        if let Some((s, lanes)) = self.types.as_vector(cond.ty) {
            return self.vector_conditional(cond, (s, lanes), then, els, loc);
        }
        let cond = self.require_scalar(cond);
        if self.types.is_error(cond.ty) {
            return cond;
        }
        let Some((then, els)) = self.unify_arms(then, els, loc) else {
            return self.error_expr(loc);
        };
        let ty = then.ty;
        self.fold(value(
            ty,
            loc,
            hir::ExprKind::Cond {
                cond: Box::new(cond),
                then: Box::new(then),
                els: Box::new(els),
            },
        ))
    }

    /// GNU's `a ?: b`; `a` is evaluated once.
    pub(super) fn elvis(&mut self, cond: ast::ExprId, els: ast::ExprId, loc: Loc) -> hir::Expr {
        if self.func.is_none() {
            return self.fail(loc, "'?:' without its middle operand is not constant");
        }
        let cond = self.rvalue(cond);
        let els = self.rvalue(els);
        let cond = self.require_scalar(cond);
        if self.types.is_error(cond.ty) || self.types.is_error(els.ty) {
            return self.error_expr(loc);
        }
        let qual = QualType::private(cond.ty);
        let var = self.new_named_var(".cond".into(), qual, 1, loc);
        let place = || hir::Place {
            ty: qual,
            loc,
            kind: hir::PlaceKind::Var(var),
        };
        let read = || value(qual.ty, loc, hir::ExprKind::Load(Box::new(place())));
        let Some((then, els)) = self.unify_arms(read(), els, loc) else {
            return self.error_expr(loc);
        };
        let ty = then.ty;
        let chosen = value(
            ty,
            loc,
            hir::ExprKind::Cond {
                cond: Box::new(read()),
                then: Box::new(then),
                els: Box::new(els),
            },
        );
        let keep = value(
            qual.ty,
            loc,
            hir::ExprKind::Assign {
                place: Box::new(place()),
                value: Box::new(cond),
            },
        );
        value(
            ty,
            loc,
            hir::ExprKind::Comma(Box::new(keep), Box::new(chosen)),
        )
    }

    pub(super) fn unify_arms(
        &mut self,
        then: hir::Expr,
        els: hir::Expr,
        loc: Loc,
    ) -> Option<(hir::Expr, hir::Expr)> {
        // C99, 6.5.15: the usual arithmetic conversions, which promote even arms of one type. Beside a vector, a scalar is
        // not promoted before its rank is looked at (OpenCL C 3.0, 6.4.4).
        let beside_vector = [&then, &els].map(|arm| self.types.as_vector(arm.ty).is_some());
        let (then, els) = match beside_vector {
            [false, false] => (self.promote(then), self.promote(els)),
            _ => (then, els),
        };
        if then.ty == els.ty {
            return Some((then, els));
        }
        if self.types.is_void(then.ty) || self.types.is_void(els.ty) {
            let void = self.types.basics.void;
            return Some((self.convert(then, void), self.convert(els, void)));
        }
        let pointers = (
            self.types.pointee(then.ty).is_some(),
            self.types.pointee(els.ty).is_some(),
        );
        match pointers {
            (true, true) => self.pointer_pair(then, els, loc),
            (true, false) => {
                let to = then.ty;
                let els = self.coerce(els, to, Context::Assign);
                (!self.types.is_error(els.ty)).then_some((then, els))
            }
            (false, true) => {
                let to = els.ty;
                let then = self.coerce(then, to, Context::Assign);
                (!self.types.is_error(then.ty)).then_some((then, els))
            }
            (false, false) => {
                if self.types.arith(then.ty).is_none() || self.types.arith(els.ty).is_none() {
                    let text = format!(
                        "incompatible operand types ({} and {})",
                        self.quoted(then.ty),
                        self.quoted(els.ty)
                    );
                    self.error(loc, text);
                    return None;
                }
                self.usual_conversions(then, els, loc)
            }
        }
    }

    /// A vector condition chooses by component, as select() does.
    pub(super) fn vector_conditional(
        &mut self,
        cond: hir::Expr,
        (s, lanes): (Scalar, u8),
        then: hir::Expr,
        els: hir::Expr,
        loc: Loc,
    ) -> hir::Expr {
        if s.is_float() {
            let text = format!(
                "used type {} where integer vector type is required",
                self.quoted(cond.ty)
            );
            return self.fail(loc, text);
        }
        // As in a call of select(), arms of one type stay what they are.
        let arms = match then.ty == els.ty {
            true => Some((then, els)),
            false => self.unify_arms(then, els, loc),
        };
        let Some((mut then, mut els)) = arms else {
            return self.error_expr(loc);
        };
        // Scalar arms are widened to the condition's lanes.
        if let Some(scalar) = self.types.as_scalar(then.ty) {
            let ty = self.types.vector(scalar, lanes);
            then = self.splat(then, ty);
            els = self.splat(els, ty);
        }
        let fits = self
            .types
            .as_vector(then.ty)
            .is_some_and(|(e, n)| n == lanes && e.size() == s.size());
        if !fits {
            let text = format!(
                "vector condition type {} and result type {} do not have the same number of elements or element size",
                self.quoted(cond.ty),
                self.quoted(then.ty)
            );
            return self.fail(loc, text);
        }
        let ty = then.ty;
        value(
            ty,
            loc,
            hir::ExprKind::VectorSelect {
                cond: Box::new(cond),
                then: Box::new(then),
                els: Box::new(els),
            },
        )
    }
}
