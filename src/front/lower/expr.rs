//! Values of expressions.

use super::super::hir::{Expr, ExprKind, GlobalId};
use super::super::types::{TypeId, TypeKind};
use super::builtin::{GLOBAL_FENCE, LOCAL_FENCE};
use super::function::FunctionLowerer;
use crate::ir::types::{I32, I64};
use crate::ir::{self, AddrSpace, BinaryOp, CastOp, DeviceOp, Elem, IntCC, Type, UnaryOp, Value};

impl<'m> FunctionLowerer<'_, 'm> {
    /// The IR type of a type that has one.
    pub fn ir_type(&self, ty: TypeId) -> Type {
        match self.types.ir(ty) {
            Some(ty) => ty,
            None => unreachable!("{} has no values", self.types.display(ty)),
        }
    }

    /// The value of a scalar, vector or pointer. There is a current block before and after.
    pub fn value(&mut self, e: &'m Expr) -> Value {
        let outer = self.b.loc();
        self.set_loc(e.loc);
        let value = self.value_of_kind(e);
        self.b.set_loc(outer);
        value
    }

    fn value_of_kind(&mut self, e: &'m Expr) -> Value {
        match &e.kind {
            ExprKind::Int(bits) => {
                let ty = self.ir_type(e.ty);
                self.b.iconst(ty, *bits)
            }
            ExprKind::Float(x) => {
                let ty = self.ir_type(e.ty);
                self.b.fconst(ty, *x)
            }
            ExprKind::Load(place) => {
                let place = self.place(place);
                self.load(&place)
            }
            ExprKind::AddrOf(place) => {
                let place = self.place(place);
                let ty = self.ir_type(e.ty);
                self.in_space(place.ptr, ty)
            }
            ExprKind::Neg(arg) => {
                let arg = self.value(arg);
                let op = if self.b.func.ty(arg).elem.is_float() {
                    UnaryOp::FNeg
                } else {
                    UnaryOp::Neg
                };
                self.b.unary(op, arg)
            }
            ExprKind::BitNot(arg) => {
                let arg = self.value(arg);
                self.b.unary(UnaryOp::Not, arg)
            }
            ExprKind::Not(_) | ExprKind::LogAnd(..) | ExprKind::LogOr(..) => self.truth(e),
            ExprKind::Compare { op, a, b } => {
                if self.types.as_vector(a.ty).is_none() {
                    return self.truth(e);
                }
                let lanes = self.compare(*op, a, b);
                let ty = self.ir_type(e.ty);
                self.b.cast(CastOp::SExt, lanes, ty)
            }
            ExprKind::Binary { op, a, b } => self.binary(*op, a, b),
            ExprKind::PtrAdd { ptr, index, size } => {
                let ptr = self.value(ptr);
                let offset = self.scaled(index, *size);
                self.b.ptr_add(ptr, offset)
            }
            ExprKind::PtrDiff { a, b, size } => self.ptr_diff(a, b, *size),
            ExprKind::Cond { cond, then, els } => self.conditional(cond, then, els),
            ExprKind::VectorSelect { cond, then, els } => {
                let cond = self.value(cond);
                let cond = self.is_negative(cond);
                let (then, els) = (self.value(then), self.value(els));
                self.b.select(cond, then, els)
            }
            ExprKind::Convert(arg) => self.convert_expr(arg, e.ty),
            ExprKind::ConvertBuiltin {
                arg,
                saturate,
                rounding,
            } => self.convert_builtin(arg, e.ty, *saturate, *rounding),
            ExprKind::ToSpace(ptr) => {
                let ptr = self.value(ptr);
                let ty = self.ir_type(e.ty);
                let inside = self.b.in_space(ptr, space_of(ty));
                let named = self.b.cast(CastOp::AddrSpaceCast, ptr, ty);
                let null = self.b.iconst(ty, 0);
                self.b.select(inside, named, null)
            }
            ExprKind::GetFence(ptr) => {
                // Private memory needs no fence: any will do.
                let ptr = self.value(ptr);
                let inside = self.b.in_space(ptr, AddrSpace::Local);
                let local = self.b.iconst(I32, LOCAL_FENCE);
                let global = self.b.iconst(I32, GLOBAL_FENCE);
                self.b.select(inside, local, global)
            }
            ExprKind::Splat(arg) => {
                let arg = self.value(arg);
                let lanes = self.ir_type(e.ty).lanes;
                self.b.splat(arg, lanes)
            }
            ExprKind::VectorLit(parts) => self.vector_literal(parts),
            ExprKind::Swizzle { vec, lanes } => {
                let vec = self.value(vec);
                self.pick(vec, lanes)
            }
            ExprKind::Bitcast(arg) => {
                let arg = self.value(arg);
                let ty = self.ir_type(e.ty);
                self.bitcast(arg, ty)
            }
            ExprKind::Assign { place, value } => {
                let value = self.value(value);
                let place = self.place(place);
                self.store(&place, value)
            }
            ExprKind::CompoundAssign { .. } => self.compound_assign(e),
            ExprKind::IncDec {
                place,
                dec,
                post,
                scale,
            } => self.inc_dec(place, *dec, *post, *scale),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.value(second)
            }
            ExprKind::Call { func, args } => match self.call(*func, args, None) {
                Some(value) => value,
                None => unreachable!("a function without a result is used as a value"),
            },
            ExprKind::Builtin { id, args } => match self.lower_builtin(*id, args, e.ty) {
                Some(value) => value,
                None => unreachable!("a builtin without a result is used as a value"),
            },
            ExprKind::Printf { format, args } => self.printf(*format, args),
            ExprKind::Device { op, args } => {
                let answer = self.device(*op, args);
                let ty = self.ir_type(e.ty);
                match ty == I64 {
                    true => answer,
                    false => self.b.cast(CastOp::Trunc, answer, ty),
                }
            }
            ExprKind::Pipe { op, args } => match self.pipe(*op, args) {
                Some(value) => value,
                None => unreachable!("a commit is used as a value"),
            },
            ExprKind::StmtExpr { stmts, value } => {
                self.stmts(stmts);
                self.revive();
                match value {
                    Some(value) => self.value(value),
                    None => unreachable!("a statement expression without a value is used as one"),
                }
            }
        }
    }

    /// Evaluates an expression of any type for what it does.
    pub fn effect(&mut self, e: &'m Expr) {
        let outer = self.b.loc();
        self.set_loc(e.loc);
        match &e.kind {
            ExprKind::Convert(arg) if self.types.is_void(e.ty) => self.effect(arg),
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.effect(second);
            }
            ExprKind::Cond { cond, then, els } if self.types.ir(e.ty).is_none() => {
                self.either(cond, |this| this.effect(then), |this| this.effect(els));
            }
            ExprKind::Call { func, args } => {
                let temp = self.types.is_aggregate(e.ty).then(|| self.temp(e.ty));
                self.call(*func, args, temp);
            }
            ExprKind::Builtin { id, args } => {
                self.lower_builtin(*id, args, e.ty);
            }
            ExprKind::Pipe { op, args } => {
                self.pipe(*op, args);
            }
            ExprKind::Device { op, args } => {
                self.device(*op, args);
            }
            ExprKind::StmtExpr { stmts, value } => {
                self.stmts(stmts);
                self.revive();
                if let Some(value) = value {
                    self.effect(value);
                }
            }
            ExprKind::Assign { place, value } if self.types.is_aggregate(e.ty) => {
                let place = self.place(place);
                self.aggregate(value, place.ptr);
            }
            _ if self.types.is_aggregate(e.ty) => {
                let temp = self.temp(e.ty);
                self.aggregate(e, temp);
            }
            _ if self.types.ir(e.ty).is_some() => {
                self.value(e);
            }
            _ => {}
        }
        self.revive();
        self.b.set_loc(outer);
    }

    /// Writes the value of a record to the memory at `to`, once all that it depends on has been read.
    pub fn aggregate(&mut self, e: &'m Expr, to: Value) {
        let size = self.types.size(e.ty);
        let align = self.align32(self.types.align(e.ty));
        match &e.kind {
            ExprKind::Load(place) => {
                let from = self.place(place);
                let align = align.min(from.align);
                self.copy(to, from.ptr, size, align);
            }
            ExprKind::Assign { place, value } => {
                let place = self.place(place);
                let align = align.min(place.align);
                self.aggregate(value, place.ptr);
                self.copy(to, place.ptr, size, align);
            }
            ExprKind::Cond { cond, then, els } => {
                self.either(
                    cond,
                    |this| this.aggregate(then, to),
                    |this| this.aggregate(els, to),
                );
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.aggregate(second, to);
            }
            ExprKind::Convert(arg) => self.aggregate(arg, to),
            ExprKind::Call { func, args } => {
                self.call(*func, args, Some(to));
            }
            ExprKind::StmtExpr { stmts, value } => {
                self.stmts(stmts);
                self.revive();
                if let Some(value) = value {
                    self.aggregate(value, to);
                }
            }
            _ => unreachable!("no such expression has a record's type"),
        }
    }

    /// Copies memory; a copy of an object to itself is none.
    pub fn copy(&mut self, to: Value, from: Value, size: u64, align: u32) {
        if size > 0 && to != from {
            self.b.memcpy(to, from, size, align);
        }
    }

    fn device(&mut self, op: DeviceOp, args: &'m [Expr]) -> Value {
        let args = args.iter().map(|arg| self.value(arg)).collect();
        self.b.device(op, args)
    }

    /// Runs one of two pieces of code.
    fn either(
        &mut self,
        cond: &'m Expr,
        then: impl FnOnce(&mut Self),
        els: impl FnOnce(&mut Self),
    ) {
        let then_block = self.b.add_block();
        let else_block = self.b.add_block();
        let end = self.b.add_block();
        self.branch_on(cond, (then_block, Vec::new()), (else_block, Vec::new()));
        self.b.switch_to(then_block);
        then(self);
        self.b.jump(end, Vec::new());
        self.b.switch_to(else_block);
        els(self);
        self.fall_into(end);
    }

    fn conditional(&mut self, cond: &'m Expr, then: &'m Expr, els: &'m Expr) -> Value {
        if self.is_cheap(then) && self.is_cheap(els) {
            let cond = self.condition(cond);
            let (then, els) = (self.value(then), self.value(els));
            return self.b.select(cond, then, els);
        }
        let ty = self.ir_type(then.ty);
        let then_block = self.b.add_block();
        let else_block = self.b.add_block();
        let end = self.b.add_block();
        let result = self.b.add_param(end, ty);
        self.branch_on(cond, (then_block, Vec::new()), (else_block, Vec::new()));
        for (block, arm) in [(then_block, then), (else_block, els)] {
            self.b.switch_to(block);
            let value = self.value(arm);
            let value = self.in_space(value, ty);
            self.b.jump(end, vec![value]);
        }
        self.b.switch_to(end);
        result
    }

    /// A scalar condition as an int.
    fn truth(&mut self, e: &'m Expr) -> Value {
        let bit = self.condition(e);
        let ty = self.ir_type(e.ty);
        self.b.cast(CastOp::ZExt, bit, ty)
    }

    /// By the highest bit of each lane, as `i1`.
    pub fn is_negative(&mut self, mut value: Value) -> Value {
        let ty = self.b.func.ty(value);
        let bits = int_of(ty);
        if bits != ty {
            value = self.b.cast(CastOp::Bitcast, value, bits);
        }
        let zero = self.b.iconst(bits, 0);
        self.b.icmp(IntCC::Slt, value, zero)
    }

    /// `index * size` in bytes.
    fn scaled(&mut self, index: &'m Expr, size: u64) -> Value {
        if let ExprKind::Int(n) = index.kind {
            return self.b.iconst(I64, n.wrapping_mul(size));
        }
        let index = self.value(index);
        self.times(index, size)
    }

    pub fn times(&mut self, index: Value, size: u64) -> Value {
        if size == 1 {
            return index;
        }
        let size = self.b.iconst(I64, size);
        self.b.binary(BinaryOp::Mul, index, size)
    }

    fn ptr_diff(&mut self, a: &'m Expr, b: &'m Expr, size: u64) -> Value {
        let (a, b) = (self.value(a), self.value(b));
        let a = self.b.cast(CastOp::PtrToInt, a, I64);
        let b = self.b.cast(CastOp::PtrToInt, b, I64);
        let bytes = self.b.binary(BinaryOp::Sub, a, b);
        if size <= 1 {
            return bytes;
        }
        let size = self.b.iconst(I64, size);
        self.b.binary(BinaryOp::SDiv, bytes, size)
    }

    fn vector_literal(&mut self, parts: &'m [Expr]) -> Value {
        let mut lanes = Vec::new();
        for part in parts {
            let value = self.value(part);
            let n = self.b.func.ty(value).lanes;
            if parts.len() == 1 && n > 1 {
                return value;
            }
            if n == 1 {
                lanes.push(value);
            } else {
                lanes.extend((0..n).map(|i| self.b.extract(value, i)));
            }
        }
        self.b.build_vector(lanes)
    }

    /// Lanes of a vector; one gives a scalar.
    pub fn pick(&mut self, vec: Value, lanes: &[u8]) -> Value {
        match *lanes {
            [lane] => self.b.extract(vec, u16::from(lane)),
            _ => {
                let mask = lanes.iter().map(|&i| u16::from(i)).collect();
                self.b.shuffle(vec, vec, mask)
            }
        }
    }

    /// The same bits as another type. What a longer type has more is arbitrary.
    pub fn bitcast(&mut self, value: Value, to: Type) -> Value {
        let from = self.b.func.ty(value);
        if from == to {
            return value;
        }
        let bits = |ty: Type| ty.elem.bits() * u32::from(ty.lanes);
        if bits(from) == bits(to) {
            return self.b.cast(CastOp::Bitcast, value, to);
        }
        if from.lanes.abs_diff(to.lanes) == 1 && from.elem.bits() == to.elem.bits() {
            // A 3-vector and a 4-vector.
            let mask = (0..to.lanes).collect();
            let arbitrary = self.b.undef(from);
            let resized = self.b.shuffle(value, arbitrary, mask);
            return self.bitcast(resized, to);
        }
        let align = self.align32(from.align().max(to.align()));
        let temp = self.b.alloca(from.bytes().max(to.bytes()), align);
        self.b.store(value, temp, align, false);
        self.b.load(to, temp, align, false)
    }

    /// A pointer in the address space of the pointer type `to`; other values stay.
    pub fn in_space(&mut self, value: Value, to: Type) -> Value {
        let from = self.b.func.ty(value);
        match (from.elem, to.elem) {
            (Elem::Ptr(a), Elem::Ptr(b)) if a != b => self.b.cast(CastOp::AddrSpaceCast, value, to),
            _ => value,
        }
    }

    fn printf(&mut self, format: GlobalId, args: &'m [Expr]) -> Value {
        let args = args.iter().map(|arg| self.value(arg)).collect();
        self.b.printf(ir::GlobalId::new(format.0 as usize), args)
    }

    pub fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.types.kind(ty), TypeKind::Pointer(_))
    }
}

/// The integer type of the same width and lanes.
pub(super) fn int_of(ty: Type) -> Type {
    ty.with_elem(match ty.elem.bits() {
        1 => Elem::I1,
        8 => Elem::I8,
        16 => Elem::I16,
        32 => Elem::I32,
        _ => Elem::I64,
    })
}

/// The address space of generic or named pointers, private for anything else.
pub(super) fn space_of(ty: Type) -> AddrSpace {
    ty.addr_space().unwrap_or(AddrSpace::Private)
}
