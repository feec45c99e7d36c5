//! Arithmetic and comparison of pointers (C99, 6.5.6, 6.5.8, 6.5.9).

use super::convert::encloses;
use super::{Sema, hir, value};
use crate::front::source::Loc;
use crate::front::types::TypeId;

impl Sema<'_> {
    /// Two pointers that are compared or chosen between: in one type.
    pub(super) fn pointer_pair(
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
        // OpenCL C 3.0, 6.7.9: one of the address spaces must enclose the other.
        let space = if encloses(pa.space, pb.space) {
            pa.space
        } else {
            pb.space
        };
        if !encloses(space, pa.space) {
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
        joined.space = space;
        joined.is_const = pa.is_const || pb.is_const;
        joined.is_volatile = pa.is_volatile || pb.is_volatile;
        let ty = self.types.pointer(joined);
        Some((self.convert(a, ty), self.convert(b, ty)))
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
    pub(super) fn check_pointee(&mut self, ty: TypeId, loc: Loc) -> bool {
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

    pub(super) fn pointer_diff(&mut self, a: hir::Expr, b: hir::Expr, loc: Loc) -> hir::Expr {
        let (Some(pa), Some(pb)) = (self.types.pointee(a.ty), self.types.pointee(b.ty)) else {
            return self.error_expr(loc);
        };
        let overlap = encloses(pa.space, pb.space) || encloses(pb.space, pa.space);
        if pa.ty != pb.ty || !overlap {
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
}
