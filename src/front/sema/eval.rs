//! Constant expressions (C99, 6.6): folding as the tree grows, integer constants, and initial bytes of static objects.
//!
//! Invariant: [`Sema::fold`] looks one level down only, since operands were folded when they were made.

use super::{Sema, ast, hir, value};
use crate::front::source::Loc;
use crate::front::types::{Scalar, TypeKind};
use crate::ir;

/// A constant of one scalar type: the bits of an integer (zero-extended from its width) or a floating-point value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Const {
    Int(u64),
    Float(f64),
}

type Relocs = Vec<(u64, hir::GlobalId, i64)>;

impl Sema<'_> {
    /// Replaces an operation on scalar constants by its value.
    pub(super) fn fold(&mut self, expr: hir::Expr) -> hir::Expr {
        use hir::ExprKind as K;
        let Some(to) = self.types.as_scalar(expr.ty) else {
            // A null pointer constant of another type stays one.
            if let K::Convert(arg) = &expr.kind
                && self.types.pointee(expr.ty).is_some()
                && matches!(arg.kind, K::Int(0))
            {
                return value(expr.ty, expr.loc, K::Int(0));
            }
            return expr;
        };
        let folded = match &expr.kind {
            K::Convert(a) => self.leaf(a).map(|(c, from)| convert_const(c, from, to)),
            // NAN is as_float of its bits.
            K::Bitcast(a) => self.leaf(a).map(|(c, s)| {
                let bits = const_bits(c, s);
                match to {
                    Scalar::Float => Const::Float(f64::from(f32::from_bits(bits as u32))),
                    Scalar::Double => Const::Float(f64::from_bits(bits)),
                    Scalar::Half => Const::Float(half::f16::from_bits(bits as u16).to_f64()),
                    _ => Const::Int(bits),
                }
            }),
            K::Neg(a) => self.leaf(a).map(|(c, s)| negate(c, s)),
            K::BitNot(a) => self.leaf(a).and_then(|(c, s)| match c {
                Const::Int(v) => Some(Const::Int(wrap(!v, s))),
                Const::Float(_) => None,
            }),
            K::Not(a) => self.leaf(a).map(|(c, _)| Const::Int(u64::from(!truth(c)))),
            K::Binary { op, a, b } => match (self.leaf(a), self.leaf(b)) {
                (Some((x, s)), Some((y, count))) => binary_const(*op, s, x, y, count),
                _ => None,
            },
            K::Compare { op, a, b } => match (self.leaf(a), self.leaf(b)) {
                (Some((x, s)), Some((y, _))) => {
                    Some(Const::Int(u64::from(compare_const(*op, s, x, y))))
                }
                _ => None,
            },
            K::LogAnd(a, b) => match (self.leaf(a), self.leaf(b)) {
                (Some((x, _)), _) if !truth(x) => Some(Const::Int(0)),
                (Some(_), Some((y, _))) => Some(Const::Int(u64::from(truth(y)))),
                _ => None,
            },
            K::LogOr(a, b) => match (self.leaf(a), self.leaf(b)) {
                (Some((x, _)), _) if truth(x) => Some(Const::Int(1)),
                (Some(_), Some((y, _))) => Some(Const::Int(u64::from(truth(y)))),
                _ => None,
            },
            K::Cond { cond, then, els } => self.leaf(cond).and_then(|(c, _)| {
                let arm = if truth(c) { then } else { els };
                self.leaf(arm).map(|(c, _)| c)
            }),
            _ => None,
        };
        match folded {
            Some(Const::Int(v)) => value(expr.ty, expr.loc, K::Int(v)),
            Some(Const::Float(v)) => value(expr.ty, expr.loc, K::Float(v)),
            None => expr,
        }
    }

    /// A scalar literal and its type.
    fn leaf(&self, expr: &hir::Expr) -> Option<(Const, Scalar)> {
        let scalar = self.types.as_scalar(expr.ty)?;
        match expr.kind {
            hir::ExprKind::Int(v) => Some((Const::Int(v), scalar)),
            hir::ExprKind::Float(v) => Some((Const::Float(v), scalar)),
            _ => None,
        }
    }

    /// An integer constant expression, as a signed value; reports anything else. `const` variables with constant values
    /// count too, as everywhere (clang folds them).
    pub(super) fn constant_int(&mut self, id: ast::ExprId) -> Option<i64> {
        let expr = self.rvalue(id);
        self.constant_of(&expr, self.ast.expr(id).loc)
    }

    /// The same of an expression that has been analysed; `loc` is where to report.
    pub(super) fn constant_of(&mut self, expr: &hir::Expr, loc: Loc) -> Option<i64> {
        if self.types.is_error(expr.ty) {
            return None;
        }
        let scalar = self.types.as_scalar(expr.ty).filter(|s| s.is_int());
        if let (Some(scalar), Some(lanes)) = (scalar, self.eval(expr))
            && let [Const::Int(bits)] = lanes[..]
        {
            return Some(signed(bits, scalar));
        }
        self.error(loc, "expression is not an integer constant expression");
        None
    }

    /// The lanes of an arithmetic constant, constant objects read; `None` if it is not one.
    pub(super) fn eval(&self, expr: &hir::Expr) -> Option<Vec<Const>> {
        use hir::ExprKind as K;
        let (scalar, lanes) = self.types.arith(expr.ty)?;
        Some(match &expr.kind {
            K::Int(v) => vec![Const::Int(*v)],
            K::Float(v) => vec![Const::Float(*v)],
            K::Splat(a) => vec![*self.eval(a)?.first()?; usize::from(lanes)],
            K::VectorLit(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.eval(part)?);
                }
                all
            }
            K::Swizzle { vec, lanes } => {
                let vec = self.eval(vec)?;
                lanes
                    .iter()
                    .map(|&l| vec.get(usize::from(l)).copied())
                    .collect::<Option<_>>()?
            }
            K::Convert(a) => {
                let (from, _) = self.types.arith(a.ty)?;
                let a = self.eval(a)?;
                a.into_iter()
                    .map(|c| convert_const(c, from, scalar))
                    .collect()
            }
            K::Neg(a) => self
                .eval(a)?
                .into_iter()
                .map(|c| negate(c, scalar))
                .collect(),
            K::Binary { op, a, b } => {
                let (count, _) = self.types.arith(b.ty)?;
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                a.into_iter()
                    .zip(b)
                    .map(|(x, y)| binary_const(*op, scalar, x, y, count))
                    .collect::<Option<_>>()?
            }
            K::Load(place) => match place.kind {
                hir::PlaceKind::Var(id) => self.func.as_ref()?.constants.get(&id)?.clone(),
                _ => self.read_global(place, scalar, lanes)?,
            },
            K::Compare { op, a, b } if lanes == 1 => {
                let (operand, n) = self.types.arith(a.ty)?;
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                if n != 1 {
                    return None;
                }
                let holds = compare_const(*op, operand, *a.first()?, *b.first()?);
                vec![Const::Int(u64::from(holds))]
            }
            K::Cond { cond, then, els } => {
                let cond = self.eval(cond)?;
                return self.eval(if truth(*cond.first()?) { then } else { els });
            }
            _ => return None,
        })
    }

    /// Reads a constant object that has been initialised.
    fn read_global(&self, place: &hir::Place, scalar: Scalar, lanes: u8) -> Option<Vec<Const>> {
        let (id, offset) = self.static_place(place)?;
        let global = &self.program.globals[id.0 as usize];
        if !global.ty.is_const {
            return None;
        }
        let size = scalar.size() as usize;
        let start = usize::try_from(offset).ok()?;
        (0..usize::from(lanes))
            .map(|lane| {
                let at = start.checked_add(lane * size)?;
                let bytes = global.init.get(at..at.checked_add(size)?)?;
                let mut word = [0; 8];
                word[..size].copy_from_slice(bytes);
                let bits = u64::from_le_bytes(word);
                Some(match scalar {
                    Scalar::Float => Const::Float(f64::from(f32::from_bits(bits as u32))),
                    Scalar::Double => Const::Float(f64::from_bits(bits)),
                    Scalar::Half => Const::Float(half::f16::from_bits(bits as u16).to_f64()),
                    _ => Const::Int(bits),
                })
            })
            .collect()
    }

    /// The global object and the offset in it that a place designates, where that is constant.
    fn static_place(&self, place: &hir::Place) -> Option<(hir::GlobalId, i64)> {
        match &place.kind {
            hir::PlaceKind::Global(id) => Some((*id, 0)),
            hir::PlaceKind::Field {
                base,
                offset,
                bits: None,
            } => {
                let (id, at) = self.static_place(base)?;
                Some((id, at.checked_add(i64::try_from(*offset).ok()?)?))
            }
            hir::PlaceKind::Deref(pointer) => self.static_address(pointer),
            _ => None,
        }
    }

    fn static_address(&self, expr: &hir::Expr) -> Option<(hir::GlobalId, i64)> {
        match &expr.kind {
            hir::ExprKind::AddrOf(place) => self.static_place(place),
            hir::ExprKind::Convert(inner) if self.types.pointee(inner.ty).is_some() => {
                self.static_address(inner)
            }
            hir::ExprKind::PtrAdd { ptr, index, size } => {
                let (id, at) = self.static_address(ptr)?;
                let hir::ExprKind::Int(index) = index.kind else {
                    return None;
                };
                let bytes = (index as i64).checked_mul(i64::try_from(*size).ok()?)?;
                Some((id, at.checked_add(bytes)?))
            }
            _ => None,
        }
    }

    /// The bytes of a static object; reports what is not constant.
    pub(super) fn static_init(&mut self, init: hir::Init, size: usize) -> (Vec<u8>, Relocs) {
        let mut bytes = vec![0; size];
        let mut relocs = Relocs::new();
        match init {
            hir::Init::Value(expr) => self.write_static(&expr, 0, None, &mut bytes, &mut relocs),
            hir::Init::Parts { parts, .. } => {
                for part in &parts {
                    self.write_static(&part.value, part.offset, part.bits, &mut bytes, &mut relocs);
                }
            }
        }
        (bytes, relocs)
    }

    fn write_static(
        &mut self,
        expr: &hir::Expr,
        at: u64,
        bits: Option<(u32, u32)>,
        bytes: &mut [u8],
        relocs: &mut Relocs,
    ) {
        if self.types.is_error(expr.ty) {
            return;
        }
        // An atomic object starts as its plain value.
        if let (TypeKind::Atomic(_), hir::ExprKind::Convert(plain)) =
            (self.types.kind(expr.ty), &expr.kind)
        {
            return self.write_static(plain, at, bits, bytes, relocs);
        }
        let at = at as usize;
        if let (Some((scalar, _)), Some(lanes)) = (self.types.arith(expr.ty), self.eval(expr)) {
            let size = scalar.size() as usize;
            for (n, lane) in lanes.into_iter().enumerate() {
                let start = at + n * size;
                let Some(target) = bytes.get_mut(start..start + size) else {
                    return;
                };
                let word = const_bits(lane, scalar);
                match bits {
                    None => target.copy_from_slice(&word.to_le_bytes()[..size]),
                    Some((first, width)) => {
                        let mask = (u64::MAX >> (64 - width)) << first;
                        let mut old = [0; 8];
                        old[..size].copy_from_slice(target);
                        let new = (u64::from_le_bytes(old) & !mask) | ((word << first) & mask);
                        target.copy_from_slice(&new.to_le_bytes()[..size]);
                    }
                }
            }
            return;
        }
        if self.types.pointee(expr.ty).is_some() {
            relocs.retain(|r| r.0 != at as u64);
            if let hir::ExprKind::Int(v) = expr.kind {
                if let Some(target) = bytes.get_mut(at..at + 8) {
                    target.copy_from_slice(&v.to_le_bytes());
                }
                return;
            }
            if let Some((id, addend)) = self.static_address(expr) {
                relocs.push((at as u64, id, addend));
                return;
            }
        }
        if let hir::ExprKind::Load(place) = &expr.kind
            && let Some((id, 0)) = self.static_place(place)
        {
            let source = &self.program.globals[id.0 as usize];
            if !source.ty.is_const {
                return self.not_constant(expr.loc);
            }
            let (init, inner) = (source.init.clone(), source.relocs.clone());
            if let Some(target) = bytes.get_mut(at..at + init.len()) {
                target.copy_from_slice(&init);
                relocs.extend(inner.iter().map(|r| (r.0 + at as u64, r.1, r.2)));
                return;
            }
        }
        self.not_constant(expr.loc);
    }

    fn not_constant(&mut self, loc: Loc) {
        self.error(loc, "initializer element is not a compile-time constant");
    }
}

/// The bits above the type's width dropped.
fn wrap(bits: u64, scalar: Scalar) -> u64 {
    match scalar.size() {
        8 => bits,
        n => bits & ((1u64 << (n * 8)) - 1),
    }
}

/// The value of an integer's bits, in 64 bits with its sign (an `ulong` above `i64::MAX` wraps).
pub(super) fn signed(bits: u64, scalar: Scalar) -> i64 {
    if !scalar.is_signed() {
        return bits as i64;
    }
    match scalar.size() {
        1 => i64::from(bits as i8),
        2 => i64::from(bits as i16),
        4 => i64::from(bits as i32),
        _ => bits as i64,
    }
}

fn truth(c: Const) -> bool {
    match c {
        Const::Int(v) => v != 0,
        Const::Float(v) => v != 0.0,
    }
}

/// Rounds to the type's precision.
fn round(v: f64, scalar: Scalar) -> f64 {
    match scalar {
        Scalar::Half => half::f16::from_bits(ir::eval::from_f64(ir::Elem::F16, v) as u16).to_f64(),
        Scalar::Float => f64::from(v as f32),
        _ => v,
    }
}

fn const_bits(c: Const, scalar: Scalar) -> u64 {
    match c {
        Const::Int(v) => v,
        Const::Float(v) => ir::eval::from_f64(scalar.elem(), v),
    }
}

pub(super) fn convert_const(c: Const, from: Scalar, to: Scalar) -> Const {
    match c {
        _ if to == Scalar::Bool => Const::Int(u64::from(truth(c))),
        Const::Int(v) if to.is_float() => {
            // One rounding only: from the integer to the type itself.
            let v = match (from.is_signed(), to) {
                (true, Scalar::Float) => f64::from(signed(v, from) as f32),
                (true, _) => signed(v, from) as f64,
                (false, Scalar::Float) => f64::from(v as f32),
                (false, _) => v as f64,
            };
            Const::Float(round(v, to))
        }
        Const::Int(v) => Const::Int(wrap(signed(v, from) as u64, to)),
        Const::Float(v) if to.is_float() => Const::Float(round(v, to)),
        Const::Float(v) if to.is_signed() => Const::Int(wrap(v as i64 as u64, to)),
        // A negative value converts as if through the signed type.
        Const::Float(v) if v < 0.0 => Const::Int(wrap(v as i64 as u64, to)),
        Const::Float(v) => Const::Int(wrap(v as u64, to)),
    }
}

fn negate(c: Const, scalar: Scalar) -> Const {
    match c {
        Const::Int(v) => Const::Int(wrap(v.wrapping_neg(), scalar)),
        Const::Float(v) => Const::Float(-v),
    }
}

fn compare_const(op: hir::Compare, scalar: Scalar, a: Const, b: Const) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = match (a, b) {
        (Const::Float(x), Const::Float(y)) => x.partial_cmp(&y),
        (Const::Int(x), Const::Int(y)) if scalar.is_signed() => {
            Some(signed(x, scalar).cmp(&signed(y, scalar)))
        }
        (Const::Int(x), Const::Int(y)) => Some(x.cmp(&y)),
        _ => None,
    };
    match op {
        hir::Compare::Eq => order == Some(Equal),
        hir::Compare::Ne => order != Some(Equal),
        hir::Compare::Lt => order == Some(Less),
        hir::Compare::Le => matches!(order, Some(Less | Equal)),
        hir::Compare::Gt => order == Some(Greater),
        hir::Compare::Ge => matches!(order, Some(Greater | Equal)),
    }
}

/// `None` where the result is undefined (division by zero) or not representable here.
fn binary_const(
    op: hir::BinaryOp,
    scalar: Scalar,
    a: Const,
    b: Const,
    count: Scalar,
) -> Option<Const> {
    use hir::BinaryOp as B;
    match (a, b) {
        (Const::Float(x), Const::Float(y)) => {
            let v = match op {
                B::Add => x + y,
                B::Sub => x - y,
                B::Mul | B::MulContract => x * y,
                B::Div => x / y,
                _ => return None,
            };
            // Double rounding is harmless here: f64 has more than twice the bits of float (Figueroa, 1995).
            Some(Const::Float(round(v, scalar)))
        }
        (Const::Int(x), Const::Int(y)) => {
            let (sx, sy) = (signed(x, scalar), signed(y, scalar));
            let width = scalar.size() * 8;
            let v = match op {
                B::Add => x.wrapping_add(y),
                B::Sub => x.wrapping_sub(y),
                B::Mul | B::MulContract => x.wrapping_mul(y),
                B::And => x & y,
                B::Or => x | y,
                B::Xor => x ^ y,
                B::Div if y == 0 => return None,
                B::Rem if y == 0 => return None,
                B::Div if scalar.is_signed() => sx.wrapping_div(sy) as u64,
                B::Rem if scalar.is_signed() => sx.wrapping_rem(sy) as u64,
                B::Div => x / y,
                B::Rem => x % y,
                // OpenCL C 3.0, 6.5.j: the count is taken modulo the width.
                B::Shl => x << ((signed(y, count) as u64) & (width - 1)),
                B::Shr if scalar.is_signed() => {
                    (sx >> ((signed(y, count) as u64) & (width - 1))) as u64
                }
                B::Shr => x >> ((signed(y, count) as u64) & (width - 1)),
            };
            Some(Const::Int(wrap(v, scalar)))
        }
        _ => None,
    }
}
