//! Operators (OpenCL C 3.0, 6.4 and 6.5; C99, 6.5.3 to 6.5.16).

use super::{Sema, ast, convert::Context, hir, value};
use crate::front::source::Loc;
use crate::front::types::{Scalar, TypeId};

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

    fn inc_dec(&mut self, op: ast::UnaryOp, arg: ast::ExprId, loc: Loc) -> hir::Expr {
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

    fn binary_values(
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

    fn invalid_operands(&mut self, a: &hir::Expr, b: &hir::Expr, loc: Loc) -> hir::Expr {
        let text = format!(
            "invalid operands to binary expression ({} and {})",
            self.quoted(a.ty),
            self.quoted(b.ty)
        );
        self.fail(loc, text)
    }

    fn arithmetic(&mut self, op: ast::BinaryOp, a: hir::Expr, b: hir::Expr, loc: Loc) -> hir::Expr {
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
            self.warning(loc, format!("{what} by zero is undefined"));
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

    fn is_zero(&self, expr: &hir::Expr) -> bool {
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
    fn widen_operand(
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
    fn shift(&mut self, op: ast::BinaryOp, a: hir::Expr, b: hir::Expr, loc: Loc) -> hir::Expr {
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
    fn comparison(&mut self, op: ast::BinaryOp, a: hir::Expr, b: hir::Expr, loc: Loc) -> hir::Expr {
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

    /// Two pointers that are compared or chosen between: in one type.
    fn pointer_pair(
        &mut self,
        a: hir::Expr,
        b: hir::Expr,
        loc: Loc,
    ) -> Option<(hir::Expr, hir::Expr)> {
        if a.ty == b.ty {
            return Some((a, b));
        }
        let (pa, pb) = (self.types.pointee(a.ty)?, self.types.pointee(b.ty)?);
        if self.is_null_constant(&a) {
            let to = b.ty;
            return Some((self.convert(a, to), b));
        }
        if self.is_null_constant(&b) {
            let to = a.ty;
            let b = self.convert(b, to);
            return Some((a, b));
        }
        if pa.space != pb.space {
            let text = format!(
                "comparison or choice between {} and {} which are pointers to non-overlapping address spaces",
                self.quoted(a.ty),
                self.quoted(b.ty)
            );
            self.error(loc, text);
            return None;
        }
        if pa.ty != pb.ty && !self.types.is_void(pa.ty) && !self.types.is_void(pb.ty) {
            let text = format!(
                "pointer type mismatch ({} and {})",
                self.quoted(a.ty),
                self.quoted(b.ty)
            );
            self.warning(loc, text);
        }
        let mut joined = if self.types.is_void(pa.ty) { pa } else { pb };
        if !self.types.is_void(pa.ty) && !self.types.is_void(pb.ty) {
            joined = pa;
        }
        joined.is_const = pa.is_const || pb.is_const;
        joined.is_volatile = pa.is_volatile || pb.is_volatile;
        let ty = self.types.pointer(joined);
        Some((self.convert(a, ty), self.convert(b, ty)))
    }

    /// `&&` and `||` (6.5.h): vectors compare each component with 0.
    fn logical(&mut self, op: ast::BinaryOp, a: hir::Expr, b: hir::Expr, loc: Loc) -> hir::Expr {
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
    fn not_zero(&mut self, v: hir::Expr, loc: Loc) -> hir::Expr {
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

    /// `pointer + index` or `pointer - index`; reports a wrong index or pointee.
    pub(super) fn pointer_add(
        &mut self,
        ptr: hir::Expr,
        index: hir::Expr,
        subtract: bool,
        loc: Loc,
    ) -> Option<hir::Expr> {
        if self.types.is_error(ptr.ty) || self.types.is_error(index.ty) {
            return None;
        }
        if !self.is_int_scalar(index.ty) {
            let text = format!(
                "array subscript is not an integer ({})",
                self.quoted(index.ty)
            );
            self.error(index.loc, text);
            return None;
        }
        let pointee = self.types.pointee(ptr.ty)?;
        if !self.check_pointee(pointee.ty, loc) {
            return None;
        }
        let size = self.types.size(pointee.ty).max(1);
        let long = self.types.basics.long;
        let mut index = self.convert(index, long);
        if subtract {
            index = self.fold(value(long, loc, hir::ExprKind::Neg(Box::new(index))));
        }
        let ty = ptr.ty;
        Some(value(
            ty,
            loc,
            hir::ExprKind::PtrAdd {
                ptr: Box::new(ptr),
                index: Box::new(index),
                size,
            },
        ))
    }

    /// Arithmetic on pointers needs the pointee's size; `void` counts as bytes (GNU).
    fn check_pointee(&mut self, ty: TypeId, loc: Loc) -> bool {
        if self.types.is_complete(ty) || self.types.is_void(ty) {
            return true;
        }
        let text = format!(
            "arithmetic on a pointer to an incomplete type {}",
            self.quoted(ty)
        );
        self.error(loc, text);
        false
    }

    fn pointer_diff(&mut self, a: hir::Expr, b: hir::Expr, loc: Loc) -> hir::Expr {
        let (Some(pa), Some(pb)) = (self.types.pointee(a.ty), self.types.pointee(b.ty)) else {
            return self.error_expr(loc);
        };
        if pa.ty != pb.ty || pa.space != pb.space {
            let text = format!(
                "{} and {} are not pointers to compatible types",
                self.quoted(a.ty),
                self.quoted(b.ty)
            );
            return self.fail(loc, text);
        }
        if !self.check_pointee(pa.ty, loc) {
            return self.error_expr(loc);
        }
        let size = self.types.size(pa.ty).max(1);
        value(
            self.types.basics.long,
            loc,
            hir::ExprKind::PtrDiff {
                a: Box::new(a),
                b: Box::new(b),
                size,
            },
        )
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
    fn stand_in(&mut self, ty: TypeId, loc: Loc) -> hir::Expr {
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
    fn elvis(&mut self, cond: ast::ExprId, els: ast::ExprId, loc: Loc) -> hir::Expr {
        if self.func.is_none() {
            return self.fail(loc, "'?:' without its middle operand is not constant");
        }
        let cond = self.rvalue(cond);
        let els = self.rvalue(els);
        let cond = self.require_scalar(cond);
        if self.types.is_error(cond.ty) || self.types.is_error(els.ty) {
            return self.error_expr(loc);
        }
        let qual = crate::front::types::QualType::private(cond.ty);
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

    fn unify_arms(
        &mut self,
        then: hir::Expr,
        els: hir::Expr,
        loc: Loc,
    ) -> Option<(hir::Expr, hir::Expr)> {
        // C99, 6.5.15: the usual arithmetic conversions, which promote even arms of one type.
        let (then, els) = (self.promote(then), self.promote(els));
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
    fn vector_conditional(
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
        let Some((mut then, mut els)) = self.unify_arms(then, els, loc) else {
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
