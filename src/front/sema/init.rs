//! Initialisers: lists, designators, elided braces (C99, 6.7.8; OpenCL C 3.0, 6.3.2 for vectors).

use super::{Sema, ast, convert::Context, hir, value};
use crate::front::source::Loc;
use crate::front::types::{QualType, TypeId, TypeKind};

/// The items of one braced list, taken one by one, also by the aggregates inside that have no braces of their own.
struct Cursor<'l> {
    items: &'l [(Vec<ast::Designator>, ast::Init)],
    at: usize,
    /// The current item's expression, once it has been analysed.
    pending: Option<hir::Expr>,
}

impl<'l> Cursor<'l> {
    fn new(items: &'l [(Vec<ast::Designator>, ast::Init)]) -> Self {
        Self {
            items,
            at: 0,
            pending: None,
        }
    }

    fn item(&self) -> Option<&'l (Vec<ast::Designator>, ast::Init)> {
        self.items.get(self.at)
    }

    fn advance(&mut self) {
        self.at += 1;
        self.pending = None;
    }
}

impl Sema<'_> {
    /// An initialiser of an object; gives its full type too (an array's bound may come from here).
    pub(super) fn initializer(&mut self, ty: QualType, init: &ast::Init) -> (hir::Init, TypeId) {
        match init {
            ast::Init::List(list) => self.initializer_list(ty, list),
            ast::Init::Expr(expr) => {
                if let Some(done) = self.string_initializer(ty.ty, *expr) {
                    return done;
                }
                let loc = self.ast.expr(*expr).loc;
                let expr = self.rvalue(*expr);
                if matches!(self.types.kind(ty.ty), TypeKind::Array(..)) {
                    if !self.types.is_error(expr.ty) {
                        self.error(
                            loc,
                            "array initializer must be an initializer list or string literal",
                        );
                    }
                    return (hir::Init::Value(self.error_expr(loc)), ty.ty);
                }
                let expr = self.coerce(expr, ty.ty, Context::Init);
                (hir::Init::Value(expr), ty.ty)
            }
        }
    }

    pub(super) fn initializer_list(
        &mut self,
        ty: QualType,
        list: &ast::InitList,
    ) -> (hir::Init, TypeId) {
        // `char s[] = {"text"}`
        if let [(designators, ast::Init::Expr(expr))] = &list.items[..]
            && designators.is_empty()
            && let Some(done) = self.string_initializer(ty.ty, *expr)
        {
            return done;
        }
        if !self.types.is_aggregate(ty.ty) {
            let expr = self.braced_scalar(ty.ty, list);
            return (hir::Init::Value(expr), ty.ty);
        }
        let mut parts = Vec::new();
        let full = self.braced(ty.ty, 0, list, &mut parts);
        let designated = list.items.iter().any(|i| !i.0.is_empty());
        let covered: u64 = parts
            .iter()
            .map(|p| {
                if p.bits.is_some() {
                    0
                } else {
                    self.types.size(p.value.ty)
                }
            })
            .sum();
        let zero = designated || covered < self.types.size(full);
        (hir::Init::Parts { zero, parts }, full)
    }

    /// A string literal for an array of char.
    fn string_initializer(&mut self, ty: TypeId, expr: ast::ExprId) -> Option<(hir::Init, TypeId)> {
        let TypeKind::Array(elem, len) = *self.types.kind(ty) else {
            return None;
        };
        if self.types.as_scalar(elem.ty)?.size() != 1 {
            return None;
        }
        let mut inner = expr;
        while let ast::ExprKind::Paren(e) = self.ast.expr(inner).kind {
            inner = e;
        }
        let ast::ExprKind::Str(id) = self.ast.expr(inner).kind else {
            return None;
        };
        let loc = self.ast.expr(inner).loc;
        let mut bytes = self.tokens.string(id).to_vec();
        bytes.push(0);
        let len = len.unwrap_or(bytes.len() as u64);
        if bytes.len() as u64 > len + 1 {
            self.warning(loc, "initializer-string for char array is too long");
        }
        bytes.truncate(len as usize);
        let zero = (bytes.len() as u64) < len;
        let parts = bytes
            .iter()
            .enumerate()
            .map(|(n, &b)| hir::InitPart {
                offset: n as u64,
                bits: None,
                value: value(elem.ty, loc, hir::ExprKind::Int(u64::from(b))),
            })
            .collect();
        let full = self.types.array(elem, Some(len));
        Some((hir::Init::Parts { zero, parts }, full))
    }

    /// `{ x }` for a scalar, `{ a, b, ... }` for a vector.
    fn braced_scalar(&mut self, ty: TypeId, list: &ast::InitList) -> hir::Expr {
        if self.types.is_error(ty) {
            return self.error_expr(list.loc);
        }
        let mut cursor = Cursor::new(&list.items);
        if list.items.is_empty() {
            return self.zero(ty, list.loc);
        }
        let expr = match self.types.as_vector(ty) {
            Some(_) => self.vector_from(ty, &mut cursor),
            None => match &list.items[0].1 {
                ast::Init::List(inner) => {
                    cursor.advance();
                    self.braced_scalar(ty, inner)
                }
                ast::Init::Expr(e) => {
                    let e = self.rvalue(*e);
                    cursor.advance();
                    self.coerce(e, ty, Context::Init)
                }
            },
        };
        if cursor.item().is_some() {
            self.warning(list.loc, "excess elements in initializer");
        }
        expr
    }

    /// An object with its own braces. Gives the full type.
    fn braced(
        &mut self,
        ty: TypeId,
        offset: u64,
        list: &ast::InitList,
        parts: &mut Vec<hir::InitPart>,
    ) -> TypeId {
        let mut cursor = Cursor::new(&list.items);
        let full = self.fill(ty, offset, &mut cursor, true, parts);
        if cursor.item().is_some() && !self.types.is_error(ty) {
            self.warning(list.loc, "excess elements in initializer");
        }
        full
    }

    /// Takes items for the members of an aggregate; `braced` if the list is its own, so that designators may move in it.
    fn fill(
        &mut self,
        ty: TypeId,
        offset: u64,
        cursor: &mut Cursor,
        braced: bool,
        parts: &mut Vec<hir::InitPart>,
    ) -> TypeId {
        match self.types.kind(ty).clone() {
            TypeKind::Array(elem, len) => {
                let size = self.types.size(elem.ty);
                let mut index = 0u64;
                let mut most = 0u64;
                while let Some((designators, _)) = cursor.item() {
                    if !designators.is_empty() && !braced {
                        break;
                    }
                    let mut rest = &designators[..];
                    if let Some((first, others)) = designators.split_first() {
                        match self.array_designator(first, len) {
                            Some(n) => index = n,
                            None => {
                                cursor.advance();
                                continue;
                            }
                        }
                        rest = others;
                    }
                    if len.is_some_and(|n| index >= n) {
                        break;
                    }
                    let at = offset + index * size;
                    self.designated(elem.ty, at, None, rest, cursor, parts);
                    index += 1;
                    most = most.max(index);
                    if self.diags.stopped() {
                        break;
                    }
                }
                if len.is_none() {
                    return self.types.array(elem, Some(most));
                }
                ty
            }
            TypeKind::Record(id) => {
                let record = self.types.record(id).clone();
                let mut next = 0;
                while let Some((designators, _)) = cursor.item() {
                    if !designators.is_empty() && !braced {
                        break;
                    }
                    let mut rest = &designators[..];
                    if let Some((first, others)) = designators.split_first() {
                        let ast::Designator::Field(name, loc) = first else {
                            self.error(
                                self.item_loc(cursor),
                                "array designator cannot initialize non-array type",
                            );
                            cursor.advance();
                            continue;
                        };
                        let position = record.fields.iter().position(|f| f.name == Some(*name));
                        match position {
                            Some(n) => next = n,
                            None => {
                                if let Some((field, at)) = self.find_field(ty, *name) {
                                    self.designated(
                                        field.ty.ty,
                                        offset + at,
                                        field.bits,
                                        others,
                                        cursor,
                                        parts,
                                    );
                                } else {
                                    let text = format!(
                                        "field designator '{}' does not refer to any field in type {}",
                                        self.name(*name),
                                        self.quoted(ty)
                                    );
                                    self.error(*loc, text);
                                    cursor.advance();
                                }
                                continue;
                            }
                        }
                        rest = others;
                    }
                    // Unnamed bit-fields are padding.
                    while record
                        .fields
                        .get(next)
                        .is_some_and(|f| f.name.is_none() && f.bits.is_some())
                    {
                        next += 1;
                    }
                    let Some(field) = record.fields.get(next) else {
                        break;
                    };
                    self.designated(
                        field.ty.ty,
                        offset + field.offset,
                        field.bits,
                        rest,
                        cursor,
                        parts,
                    );
                    // Of a union the first named member only.
                    next = if record.is_union {
                        record.fields.len()
                    } else {
                        next + 1
                    };
                }
                ty
            }
            _ => {
                if cursor.item().is_some() {
                    self.element(ty, offset, None, cursor, parts);
                }
                ty
            }
        }
    }

    fn item_loc(&self, cursor: &Cursor) -> Loc {
        match cursor.item() {
            Some((_, ast::Init::Expr(e))) => self.ast.expr(*e).loc,
            Some((_, ast::Init::List(list))) => list.loc,
            None => Loc::NONE,
        }
    }

    fn array_designator(&mut self, designator: &ast::Designator, len: Option<u64>) -> Option<u64> {
        /// An array of unknown bound may not grow without limit by a designator.
        const MAX: i64 = 1 << 24;
        match designator {
            ast::Designator::Index(expr) => {
                let n = self.constant_int(*expr)?;
                let loc = self.ast.expr(*expr).loc;
                if n < 0 || len.is_some_and(|len| n as u64 >= len) || (len.is_none() && n > MAX) {
                    let text = format!("array designator index ({n}) exceeds array bounds");
                    self.error(loc, text);
                    return None;
                }
                Some(n as u64)
            }
            ast::Designator::Field(_, loc) => {
                self.error(
                    *loc,
                    "field designator cannot initialize a non-struct, non-union type",
                );
                None
            }
        }
    }

    /// Goes down the rest of a designator, then initialises what it names from the current item.
    fn designated(
        &mut self,
        ty: TypeId,
        offset: u64,
        bits: Option<(u32, u32)>,
        rest: &[ast::Designator],
        cursor: &mut Cursor,
        parts: &mut Vec<hir::InitPart>,
    ) {
        let Some((first, others)) = rest.split_first() else {
            return self.element(ty, offset, bits, cursor, parts);
        };
        match (self.types.kind(ty).clone(), first) {
            (TypeKind::Array(elem, len), first) => match self.array_designator(first, len) {
                Some(n) => {
                    let at = offset + n * self.types.size(elem.ty);
                    self.designated(elem.ty, at, None, others, cursor, parts);
                }
                None => cursor.advance(),
            },
            (TypeKind::Record(_), ast::Designator::Field(name, loc)) => {
                match self.find_field(ty, *name) {
                    Some((field, at)) => {
                        self.designated(field.ty.ty, offset + at, field.bits, others, cursor, parts)
                    }
                    None => {
                        let text = format!(
                            "no member named '{}' in {}",
                            self.name(*name),
                            self.quoted(ty)
                        );
                        self.error(*loc, text);
                        cursor.advance();
                    }
                }
            }
            _ => {
                self.error(
                    self.item_loc(cursor),
                    "designator does not fit the type it is applied to",
                );
                cursor.advance();
            }
        }
    }

    /// One sub-object from the current item; an aggregate without braces takes as many items as it needs.
    fn element(
        &mut self,
        ty: TypeId,
        offset: u64,
        bits: Option<(u32, u32)>,
        cursor: &mut Cursor,
        parts: &mut Vec<hir::InitPart>,
    ) {
        let Some((_, init)) = cursor.item() else {
            return;
        };
        match init {
            ast::Init::List(list) => {
                cursor.advance();
                if self.types.is_aggregate(ty) {
                    if let [(designators, ast::Init::Expr(e))] = &list.items[..]
                        && designators.is_empty()
                        && self.string_parts(ty, *e, offset, parts)
                    {
                        return;
                    }
                    self.braced(ty, offset, list, parts);
                } else {
                    let expr = self.braced_scalar(ty, list);
                    parts.push(hir::InitPart {
                        offset,
                        bits,
                        value: expr,
                    });
                }
            }
            ast::Init::Expr(e) => {
                if cursor.pending.is_none() && self.string_parts(ty, *e, offset, parts) {
                    cursor.advance();
                    return;
                }
                if self.types.as_vector(ty).is_some() {
                    let expr = self.vector_from(ty, cursor);
                    parts.push(hir::InitPart {
                        offset,
                        bits,
                        value: expr,
                    });
                    return;
                }
                let expr = match cursor.pending.take() {
                    Some(expr) => expr,
                    None => self.rvalue(*e),
                };
                if self.types.is_aggregate(ty) && expr.ty != ty {
                    if self.types.is_error(expr.ty) {
                        cursor.advance();
                        return;
                    }
                    // Elided braces: the item goes to the first member.
                    cursor.pending = Some(expr);
                    let before = cursor.at;
                    self.fill(ty, offset, cursor, false, parts);
                    if cursor.at == before {
                        // An empty aggregate takes nothing.
                        cursor.advance();
                    }
                    return;
                }
                let expr = self.coerce(expr, ty, Context::Init);
                cursor.advance();
                parts.push(hir::InitPart {
                    offset,
                    bits,
                    value: expr,
                });
            }
        }
    }

    fn string_parts(
        &mut self,
        ty: TypeId,
        expr: ast::ExprId,
        offset: u64,
        parts: &mut Vec<hir::InitPart>,
    ) -> bool {
        let Some((hir::Init::Parts { parts: chars, .. }, _)) = self.string_initializer(ty, expr)
        else {
            return false;
        };
        parts.extend(chars.into_iter().map(|mut p| {
            p.offset += offset;
            p
        }));
        true
    }

    /// A vector from the list's items: one of its own type, or scalars and shorter vectors until it is full.
    fn vector_from(&mut self, ty: TypeId, cursor: &mut Cursor) -> hir::Expr {
        let Some((elem, lanes)) = self.types.as_vector(ty) else {
            return self.error_expr(Loc::NONE);
        };
        let loc = self.item_loc(cursor);
        let elem_ty = self.types.scalar(elem);
        let mut taken = Vec::new();
        let mut have = 0u8;
        while have < lanes
            && let Some((designators, init)) = cursor.item()
        {
            // The first item's designator led here; the next one leads elsewhere.
            if !taken.is_empty() && !designators.is_empty() {
                break;
            }
            let expr = match (cursor.pending.take(), init) {
                (Some(expr), _) => expr,
                (None, ast::Init::Expr(e)) => self.rvalue(*e),
                (None, ast::Init::List(list)) => self.braced_scalar(elem_ty, list),
            };
            cursor.advance();
            if expr.ty == ty && taken.is_empty() {
                return expr;
            }
            match self.types.arith(expr.ty) {
                Some((_, 1)) => {
                    have += 1;
                    taken.push(self.convert(expr, elem_ty));
                }
                Some((s, n)) if s == elem && n <= lanes - have => {
                    have += n;
                    taken.push(expr);
                }
                _ => return self.coerce(expr, ty, Context::Init),
            }
        }
        // What is not given is 0 (C99, 6.7.8).
        while have < lanes {
            taken.push(self.zero(elem_ty, loc));
            have += 1;
        }
        value(ty, loc, hir::ExprKind::VectorLit(taken))
    }
}
