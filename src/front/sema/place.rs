//! Lvalues: members, components, subscripts, dereference, address-of (C99, 6.5.2.1, 6.5.2.3, 6.5.3.2; OpenCL C 3.0,
//! 6.3.7).

use super::{Operand, Sema, ast, hir, value};
use crate::front::source::Loc;
use crate::front::symbol::Symbol;
use crate::front::types::{Field, QualType, Scalar, TypeId, TypeKind};
use crate::ir::AddrSpace;

impl Sema<'_> {
    /// `*pointer`
    pub(super) fn deref(&mut self, pointer: hir::Expr, loc: Loc) -> Operand {
        if self.types.is_error(pointer.ty) {
            return Operand::Value(self.error_expr(loc));
        }
        match self.types.pointee(pointer.ty) {
            Some(ty) => {
                if self.types.is_void(ty.ty) {
                    return Operand::Value(self.fail(loc, "dereferencing a pointer to 'void'"));
                }
                Operand::Place(hir::Place {
                    ty,
                    loc,
                    kind: hir::PlaceKind::Deref(Box::new(pointer)),
                })
            }
            None => {
                let text = format!(
                    "indirection requires pointer operand ({} invalid)",
                    self.quoted(pointer.ty)
                );
                Operand::Value(self.fail(loc, text))
            }
        }
    }

    /// `base[index]`
    pub(super) fn index(&mut self, base: ast::ExprId, index: ast::ExprId, loc: Loc) -> Operand {
        let base = self.operand(base);
        if let Operand::Place(place) = &base
            && let Some((elem, _)) = self.types.as_vector(place.ty.ty)
        {
            let Operand::Place(place) = base else {
                unreachable!("matched above");
            };
            return self.index_vector(place, elem, index, loc);
        }
        let base = self.value_of(base, loc);
        if let Some((elem, _)) = self.types.as_vector(base.ty) {
            let place = self.temp(base);
            return self.index_vector(place, elem, index, loc);
        }
        let index = self.rvalue(index);
        // `i[p]` is `p[i]`.
        let (base, index) = if self.types.pointee(index.ty).is_some() {
            (index, base)
        } else {
            (base, index)
        };
        if self.types.is_error(base.ty) || self.types.is_error(index.ty) {
            return Operand::Value(self.error_expr(loc));
        }
        if self.types.pointee(base.ty).is_none() {
            return Operand::Value(
                self.fail(loc, "subscripted value is not an array, pointer, or vector"),
            );
        }
        let Some(sum) = self.pointer_add(base, index, false, loc) else {
            return Operand::Value(self.error_expr(loc));
        };
        self.deref(sum, loc)
    }

    /// A vector's component by a run-time index: through memory.
    fn index_vector(
        &mut self,
        place: hir::Place,
        elem: Scalar,
        index: ast::ExprId,
        loc: Loc,
    ) -> Operand {
        let elem = self.types.scalar(elem);
        // Of an object that is aligned less than its components, these are too.
        let align = u64::from(place.ty.align);
        let pointee = QualType {
            align: if align < self.types.align(elem) {
                place.ty.align
            } else {
                0
            },
            ..place.ty.with_ty(elem)
        };
        let pointer = self.types.pointer(pointee);
        let address = value(pointer, loc, hir::ExprKind::AddrOf(Box::new(place)));
        let index = self.rvalue(index);
        match self.pointer_add(address, index, false, loc) {
            Some(sum) => self.deref(sum, loc),
            None => Operand::Value(self.error_expr(loc)),
        }
    }

    /// A value in a fresh temporary object.
    pub(super) fn temp(&mut self, expr: hir::Expr) -> hir::Place {
        hir::Place {
            ty: QualType::private(expr.ty),
            loc: expr.loc,
            kind: hir::PlaceKind::Temp(Box::new(expr)),
        }
    }

    /// `base.name`, `base->name`
    pub(super) fn member(
        &mut self,
        base: ast::ExprId,
        name: Symbol,
        name_loc: Loc,
        arrow: bool,
    ) -> Operand {
        let loc = name_loc;
        let base = if arrow {
            let pointer = self.rvalue(base);
            if self.types.is_error(pointer.ty) {
                return Operand::Value(pointer);
            }
            if self.types.pointee(pointer.ty).is_none() {
                let text = format!(
                    "member reference type {} is not a pointer; did you mean to use '.'?",
                    self.quoted(pointer.ty)
                );
                return Operand::Value(self.fail(loc, text));
            }
            self.deref(pointer, loc)
        } else {
            self.operand(base)
        };
        let ty = match &base {
            Operand::Value(v) => v.ty,
            Operand::Place(p) => p.ty.ty,
            Operand::Function(..) => self.types.basics.error,
        };
        if self.types.is_error(ty) {
            return Operand::Value(self.error_expr(loc));
        }
        if let Some((scalar, lanes)) = self.types.as_vector(ty) {
            return self.swizzle(base, (scalar, lanes), name, loc);
        }
        let TypeKind::Record(id) = *self.types.kind(ty) else {
            let text = if self.types.pointee(ty).is_some() {
                format!(
                    "member reference type {} is a pointer; did you mean to use '->'?",
                    self.quoted(ty)
                )
            } else {
                format!(
                    "member reference base type {} is not a structure or union",
                    self.quoted(ty)
                )
            };
            return Operand::Value(self.fail(loc, text));
        };
        if !self.types.record(id).complete {
            let text = format!("incomplete definition of type {}", self.quoted(ty));
            return Operand::Value(self.fail(loc, text));
        }
        let Some((field, offset)) = self.find_field(ty, name) else {
            let text = format!(
                "no member named '{}' in {}",
                self.name(name),
                self.quoted(ty)
            );
            return Operand::Value(self.fail(loc, text));
        };
        let base = match base {
            Operand::Place(place) => place,
            Operand::Value(v) => self.temp(v),
            Operand::Function(..) => return Operand::Value(self.error_expr(loc)),
        };
        let ty = QualType {
            is_const: field.ty.is_const || base.ty.is_const,
            is_volatile: field.ty.is_volatile || base.ty.is_volatile,
            space: base.ty.space,
            ..field.ty
        };
        Operand::Place(hir::Place {
            ty,
            loc,
            kind: hir::PlaceKind::Field {
                base: Box::new(base),
                offset,
                bits: field.bits,
            },
        })
    }

    /// A member by name, anonymous members searched too; and its offset from the start of the record.
    pub(super) fn find_field(&self, record: TypeId, name: Symbol) -> Option<(Field, u64)> {
        let TypeKind::Record(id) = *self.types.kind(record) else {
            return None;
        };
        for field in &self.types.record(id).fields {
            if field.name == Some(name) {
                return Some((field.clone(), field.offset));
            }
            if field.name.is_none()
                && field.bits.is_none()
                && let Some((inner, offset)) = self.find_field(field.ty.ty, name)
            {
                return Some((inner, field.offset + offset));
            }
        }
        None
    }

    /// Vector components (OpenCL C 3.0, 6.3.7).
    fn swizzle(
        &mut self,
        base: Operand,
        (scalar, lanes): (Scalar, u8),
        name: Symbol,
        loc: Loc,
    ) -> Operand {
        let picked = match components(self.name(name), lanes) {
            Ok(picked) => picked,
            Err(why) => {
                let text = format!("{why} '{}'", self.name(name));
                return Operand::Value(self.fail(loc, text));
            }
        };
        let ty = self.types.vector(scalar, picked.len() as u8);
        match base {
            // A swizzle of a swizzle picks from the first one's object.
            Operand::Place(hir::Place {
                ty: outer,
                kind: hir::PlaceKind::Swizzle { base, lanes },
                ..
            }) => {
                let lanes = picked.iter().map(|&l| lanes[usize::from(l)]).collect();
                Operand::Place(hir::Place {
                    ty: outer.with_ty(ty),
                    loc,
                    kind: hir::PlaceKind::Swizzle { base, lanes },
                })
            }
            Operand::Place(place) => Operand::Place(hir::Place {
                ty: place.ty.with_ty(ty),
                loc,
                kind: hir::PlaceKind::Swizzle {
                    base: Box::new(place),
                    lanes: picked,
                },
            }),
            Operand::Value(v) => Operand::Value(value(
                ty,
                loc,
                hir::ExprKind::Swizzle {
                    vec: Box::new(v),
                    lanes: picked,
                },
            )),
            Operand::Function(..) => Operand::Value(self.error_expr(loc)),
        }
    }

    /// `&operand`
    pub(super) fn address_of(&mut self, id: ast::ExprId, loc: Loc) -> hir::Expr {
        let place = match self.operand(id) {
            Operand::Place(place) => place,
            Operand::Value(v) if self.types.is_error(v.ty) => return v,
            Operand::Value(v) => {
                let text = format!(
                    "cannot take the address of an rvalue of type {}",
                    self.quoted(v.ty)
                );
                return self.fail(loc, text);
            }
            operand @ Operand::Function(..) => return self.value_of(operand, loc),
        };
        match place.kind {
            hir::PlaceKind::Swizzle { .. } => self.fail(loc, "address of vector element requested"),
            hir::PlaceKind::Field { bits: Some(_), .. } => {
                self.fail(loc, "address of bit-field requested")
            }
            _ => {
                let ty = self.types.pointer(place.ty);
                // `&*p` is `p`.
                if let hir::PlaceKind::Deref(pointer) = place.kind {
                    return hir::Expr { loc, ..*pointer };
                }
                value(ty, loc, hir::ExprKind::AddrOf(Box::new(place)))
            }
        }
    }

    /// Checks that a place may be written to.
    pub(super) fn require_writable(&mut self, operand: Operand, loc: Loc) -> Option<hir::Place> {
        let place = match operand {
            Operand::Place(place) => place,
            Operand::Value(v) if self.types.is_error(v.ty) => return None,
            _ => {
                self.error(loc, "expression is not assignable");
                return None;
            }
        };
        if self.types.is_error(place.ty.ty) {
            return None;
        }
        if place.ty.space == AddrSpace::Constant || self.is_const_object(place.ty) {
            let text = match &place.kind {
                hir::PlaceKind::Var(var) => {
                    let name = self
                        .func
                        .as_ref()
                        .map_or(String::new(), |f| f.vars[var.0 as usize].name.clone());
                    format!(
                        "cannot assign to variable '{name}' with const-qualified type '{}'",
                        self.types.display_qual(place.ty)
                    )
                }
                _ => "read-only variable is not assignable".into(),
            };
            self.error(loc, text);
            return None;
        }
        // OpenCL C 3.0, 6.11.b and 6.15.13: images, samplers and pipes can't be modified.
        if self.is_object(place.ty.ty) {
            let text = format!("{} cannot be assigned to", self.quoted(place.ty.ty));
            self.error(loc, text);
            return None;
        }
        if matches!(self.types.kind(place.ty.ty), TypeKind::Array(..)) {
            let text = format!("array type {} is not assignable", self.quoted(place.ty.ty));
            self.error(loc, text);
            return None;
        }
        if let hir::PlaceKind::Swizzle { lanes, .. } = &place.kind {
            let repeats = (1..lanes.len()).any(|i| lanes[..i].contains(&lanes[i]));
            if repeats {
                self.error(
                    loc,
                    "vector is not assignable (contains duplicate components)",
                );
                return None;
            }
        }
        Some(place)
    }

    /// A record with a const member is not assignable either (C99, 6.3.2.1).
    fn is_const_object(&self, ty: QualType) -> bool {
        if ty.is_const {
            return true;
        }
        match self.types.kind(ty.ty) {
            TypeKind::Record(id) => {
                let fields = &self.types.record(*id).fields;
                fields.iter().any(|f| self.is_const_object(f.ty))
            }
            _ => false,
        }
    }
}

/// The lanes that a component name picks from a vector of `lanes` lanes.
fn components(name: &str, lanes: u8) -> Result<Vec<u8>, &'static str> {
    // 6.3.7: of a 3-vector, .hi and .odd behave as of a 4-vector whose .w is undefined.
    let half = lanes.div_ceil(2);
    let wide = half * 2;
    let clamp = |l: u8| l.min(lanes - 1);
    match name {
        "lo" => return Ok((0..half).collect()),
        "hi" => return Ok((half..wide).map(clamp).collect()),
        "even" => return Ok((0..half).map(|i| 2 * i).collect()),
        "odd" => return Ok((0..half).map(|i| clamp(2 * i + 1)).collect()),
        _ => {}
    }
    let by_digit = name.len() > 1 && (name.starts_with('s') || name.starts_with('S'));
    let picked: Option<Vec<u8>> = if by_digit {
        name[1..]
            .chars()
            .map(|c| c.to_digit(16).map(|d| d as u8))
            .collect()
    } else if name.chars().all(|c| "xyzw".contains(c)) {
        name.chars()
            .map(|c| "xyzw".find(c).map(|i| i as u8))
            .collect()
    } else {
        // .rgba came with OpenCL 2.2/3.0; all compilers take it everywhere.
        name.chars()
            .map(|c| "rgba".find(c).map(|i| i as u8))
            .collect()
    };
    let picked = picked.ok_or("illegal vector component name")?;
    if picked.iter().any(|&l| l >= lanes) {
        return Err("vector component access exceeds type, in");
    }
    if !matches!(picked.len(), 1 | 2 | 3 | 4 | 8 | 16) {
        return Err("vector component name has unsupported length:");
    }
    Ok(picked)
}
