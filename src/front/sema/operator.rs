//! Binary operators on arithmetic types (OpenCL C 3.0, 6.4.4 and 6.5; C99, 6.5.5 to 6.5.14).

use super::{Sema, ast, hir, value};
use crate::front::source::Loc;
use crate::front::types::{Scalar, TypeId};
use crate::front::warn::Warning;

impl Sema<'_> {
    pub(super) fn binary(
        &mut self,
        op: ast::BinaryOp,
        [a, b]: [ast::ExprId; 2],
        loc: Loc,
    ) -> hir::Expr {
        let a = self.rvalue(a);
        let b = self.rvalue(b);
        self.binary_values(op, a, b, loc)
    }

    pub(super) fn binary_values(
        &mut self,
        op: ast::BinaryOp,
        a: hir::Expr,
        b: hir::Expr,
        loc: Loc,
    ) -> hir::Expr {
        use ast::BinaryOp as B;
        if self.types.is_error(a.ty) || self.types.is_error(b.ty) {
            return self.error_expr(loc);
        }
        match op {
            B::LogAnd | B::LogOr => self.logical(op, a, b, loc),
            B::Lt | B::Gt | B::Le | B::Ge | B::Eq | B::Ne => self.comparison(op, a, b, loc),
            B::Shl | B::Shr => self.shift(op, a, b, loc),
            B::Add | B::Sub => {
                let (pa, pb) = (self.types.pointee(a.ty), self.types.pointee(b.ty));
                match (pa.is_some(), pb.is_some()) {
                    (true, true) if op == B::Sub => self.pointer_diff(a, b, loc),
                    (true, false) if self.is_int_scalar(b.ty) => self
                        .pointer_add(a, b, op == B::Sub, loc)
                        .unwrap_or_else(|| self.error_expr(loc)),
                    (false, true) if op == B::Add && self.is_int_scalar(a.ty) => self
                        .pointer_add(b, a, false, loc)
                        .unwrap_or_else(|| self.error_expr(loc)),
                    (false, false) => self.arithmetic(op, a, b, loc),
                    _ => self.invalid_operands(&a, &b, loc),
                }
            }
            B::Mul | B::Div | B::Rem | B::BitAnd | B::BitXor | B::BitOr => {
                self.arithmetic(op, a, b, loc)
            }
        }
    }

    pub(super) fn invalid_operands(&mut self, a: &hir::Expr, b: &hir::Expr, loc: Loc) -> hir::Expr {
        let text = format!(
            "invalid operands to binary expression ({} and {})",
            self.quoted(a.ty),
            self.quoted(b.ty)
        );
        self.fail(loc, text)
    }

    pub(super) fn arithmetic(
        &mut self,
        op: ast::BinaryOp,
        a: hir::Expr,
        b: hir::Expr,
        loc: Loc,
    ) -> hir::Expr {
        use ast::BinaryOp as B;
        let Some((a, b)) = self.usual_conversions(a, b, loc) else {
            return self.error_expr(loc);
        };
        let Some((scalar, _)) = self.types.arith(a.ty) else {
            return self.error_expr(loc);
        };
        let ints_only = matches!(op, B::Rem | B::BitAnd | B::BitXor | B::BitOr);
        if ints_only && scalar.is_float() {
            return self.invalid_operands(&a, &b, loc);
        }
        if matches!(op, B::Div | B::Rem) && scalar.is_int() && self.is_zero(&b) {
            let what = if op == B::Div {
                "division"
            } else {
                "remainder"
            };
            self.warn(
                Warning::DivisionByZero,
                loc,
                format!("{what} by zero is undefined"),
            );
        }
        let op = match op {
            B::Mul if scalar.is_float() && self.contract => hir::BinaryOp::MulContract,
            B::Mul => hir::BinaryOp::Mul,
            B::Div => hir::BinaryOp::Div,
            B::Rem => hir::BinaryOp::Rem,
            B::Add => hir::BinaryOp::Add,
            B::Sub => hir::BinaryOp::Sub,
            B::BitAnd => hir::BinaryOp::And,
            B::BitXor => hir::BinaryOp::Xor,
            _ => hir::BinaryOp::Or,
        };
        let ty = a.ty;
        self.fold(value(
            ty,
            loc,
            hir::ExprKind::Binary {
                op,
                a: Box::new(a),
                b: Box::new(b),
            },
        ))
    }

    pub(super) fn is_zero(&self, expr: &hir::Expr) -> bool {
        match &expr.kind {
            hir::ExprKind::Int(0) => true,
            hir::ExprKind::Splat(inner) => self.is_zero(inner),
            _ => false,
        }
    }

    /// The usual arithmetic conversions (OpenCL C 3.0, 6.4.4): both operands in one type, or a report.
    pub(super) fn usual_conversions(
        &mut self,
        a: hir::Expr,
        b: hir::Expr,
        loc: Loc,
    ) -> Option<(hir::Expr, hir::Expr)> {
        let (Some((sa, na)), Some((sb, nb))) = (self.types.arith(a.ty), self.types.arith(b.ty))
        else {
            self.invalid_operands(&a, &b, loc);
            return None;
        };
        match (na, nb) {
            (1, 1) => {
                let promotes = |from, to| from == Scalar::Float && to == Scalar::Double;
                if promotes(sa, sb) || promotes(sb, sa) {
                    self.warn(
                        Warning::DoublePromotion,
                        loc,
                        "the operation is carried out in 'double' since one of its operands is one",
                    );
                }
                let ty = self.types.scalar(Self::common_scalar(sa, sb));
                Some((self.convert(a, ty), self.convert(b, ty)))
            }
            (_, 1) => {
                let ty = a.ty;
                let b = self.widen_operand(b, sb, ty, sa, loc)?;
                Some((a, b))
            }
            (1, _) => {
                let ty = b.ty;
                let a = self.widen_operand(a, sa, ty, sb, loc)?;
                Some((a, b))
            }
            _ if a.ty == b.ty => Some((a, b)),
            _ => {
                let text = format!(
                    "cannot convert between vector values of different size or type ({} and {})",
                    self.quoted(a.ty),
                    self.quoted(b.ty)
                );
                self.error(loc, text);
                None
            }
        }
    }

    /// A scalar operand beside a vector: it may not have a higher rank than the element (6.4.4). A constant that
    /// the element type holds is taken whatever its type: compilers differ here, and sources rely on it.
    pub(super) fn widen_operand(
        &mut self,
        scalar: hir::Expr,
        from: Scalar,
        vector: TypeId,
        elem: Scalar,
        loc: Loc,
    ) -> Option<hir::Expr> {
        let lower_rank = match (from.is_float(), elem.is_float()) {
            (true, false) => false,
            (false, true) => true,
            _ => from.size() <= elem.size(),
        };
        let constant = matches!(scalar.kind, hir::ExprKind::Int(_) | hir::ExprKind::Float(_))
            && (from.is_int() || elem.is_float());
        if lower_rank || constant || from == Scalar::Bool {
            return Some(self.splat(scalar, vector));
        }
        let text = format!(
            "scalar operand type has greater rank than the type of the vector element ({} and {})",
            self.quoted(vector),
            self.quoted(scalar.ty)
        );
        self.error(loc, text);
        None
    }

    /// Shifts (OpenCL C 3.0, 6.5.j): the operands convert apart.
    pub(super) fn shift(
        &mut self,
        op: ast::BinaryOp,
        a: hir::Expr,
        b: hir::Expr,
        loc: Loc,
    ) -> hir::Expr {
        let (Some((sa, na)), Some((sb, nb))) = (self.types.arith(a.ty), self.types.arith(b.ty))
        else {
            return self.invalid_operands(&a, &b, loc);
        };
        if sa.is_float() || sb.is_float() || (na == 1 && nb > 1) || (nb > 1 && na != nb) {
            return self.invalid_operands(&a, &b, loc);
        }
        let a = self.promote(a);
        let b = self.promote(b);
        let b = if na > 1 && nb == 1 {
            // Only the low bits of the count matter, so that the element's type holds it.
            let ty = a.ty;
            self.splat(b, ty)
        } else {
            b
        };
        let op = if op == ast::BinaryOp::Shl {
            hir::BinaryOp::Shl
        } else {
            hir::BinaryOp::Shr
        };
        let ty = a.ty;
        self.fold(value(
            ty,
            loc,
            hir::ExprKind::Binary {
                op,
                a: Box::new(a),
                b: Box::new(b),
            },
        ))
    }

    /// Relational and equality operators (6.5.d, 6.5.e).
    pub(super) fn comparison(
        &mut self,
        op: ast::BinaryOp,
        a: hir::Expr,
        b: hir::Expr,
        loc: Loc,
    ) -> hir::Expr {
        use ast::BinaryOp as B;
        let compare = match op {
            B::Lt => hir::Compare::Lt,
            B::Gt => hir::Compare::Gt,
            B::Le => hir::Compare::Le,
            B::Ge => hir::Compare::Ge,
            B::Eq => hir::Compare::Eq,
            _ => hir::Compare::Ne,
        };
        let pointers = (
            self.types.pointee(a.ty).is_some(),
            self.types.pointee(b.ty).is_some(),
        );
        let (a, b) = match pointers {
            (false, false) => match self.usual_conversions(a, b, loc) {
                Some(pair) => pair,
                None => return self.error_expr(loc),
            },
            (true, true) => match self.pointer_pair(a, b, loc) {
                Some(pair) => pair,
                None => return self.error_expr(loc),
            },
            (true, false) => {
                let to = a.ty;
                if !self.is_null_constant(&b) && self.is_int_scalar(b.ty) {
                    let text = format!(
                        "comparison between pointer and integer ({} and {})",
                        self.quoted(a.ty),
                        self.quoted(b.ty)
                    );
                    self.warning(loc, text);
                } else if !self.is_int_scalar(b.ty) {
                    return self.invalid_operands(&a, &b, loc);
                }
                let b = self.convert(b, to);
                (a, b)
            }
            (false, true) => {
                let to = b.ty;
                if !self.is_int_scalar(a.ty) {
                    return self.invalid_operands(&a, &b, loc);
                }
                let a = self.convert(a, to);
                (a, b)
            }
        };
        let ty = match self.types.as_vector(a.ty) {
            Some((s, n)) => self.types.vector(s.to_signed(), n),
            None => self.types.basics.int,
        };
        self.fold(value(
            ty,
            loc,
            hir::ExprKind::Compare {
                op: compare,
                a: Box::new(a),
                b: Box::new(b),
            },
        ))
    }

    /// `&&` and `||` (6.5.h): vectors compare each component with 0.
    pub(super) fn logical(
        &mut self,
        op: ast::BinaryOp,
        a: hir::Expr,
        b: hir::Expr,
        loc: Loc,
    ) -> hir::Expr {
        let is_and = op == ast::BinaryOp::LogAnd;
        let vector = self.types.as_vector(a.ty).is_some() || self.types.as_vector(b.ty).is_some();
        if vector {
            let Some((a, b)) = self.usual_conversions(a, b, loc) else {
                return self.error_expr(loc);
            };
            let a = self.not_zero(a, loc);
            let b = self.not_zero(b, loc);
            let ty = a.ty;
            let op = if is_and {
                hir::BinaryOp::And
            } else {
                hir::BinaryOp::Or
            };
            return value(
                ty,
                loc,
                hir::ExprKind::Binary {
                    op,
                    a: Box::new(a),
                    b: Box::new(b),
                },
            );
        }
        for e in [&a, &b] {
            let scalar = self.types.as_scalar(e.ty).is_some() || self.types.pointee(e.ty).is_some();
            if !scalar {
                return self.invalid_operands(&a, &b, loc);
            }
        }
        let (a, b) = (Box::new(a), Box::new(b));
        let kind = if is_and {
            hir::ExprKind::LogAnd(a, b)
        } else {
            hir::ExprKind::LogOr(a, b)
        };
        let int = self.types.basics.int;
        self.fold(value(int, loc, kind))
    }

    /// A vector's components unequal to 0, as -1 or 0.
    pub(super) fn not_zero(&mut self, v: hir::Expr, loc: Loc) -> hir::Expr {
        let zero = self.zero(v.ty, loc);
        let ty = match self.types.as_vector(v.ty) {
            Some((s, n)) => self.types.vector(s.to_signed(), n),
            None => self.types.basics.int,
        };
        value(
            ty,
            loc,
            hir::ExprKind::Compare {
                op: hir::Compare::Ne,
                a: Box::new(v),
                b: Box::new(zero),
            },
        )
    }
}
