//! The atomics of C11 (OpenCL C 3.0, 6.15.12.7).
//!
//! Floating-point values are loaded, stored and exchanged by their bits. An order that is not constant, or that the operation may not
//! have, becomes sequentially consistent, which is at least as strong.

use super::super::super::hir::{Expr, ExprKind};
use super::super::super::types::{TypeId, TypeKind};
use super::super::expr::int_of;
use super::super::function::FunctionLowerer;
use super::atomic::atomic_op;
use crate::builtins::{AtomicKind, C11Kind};
use crate::ir::{AtomicOp, CastOp, IntCC, MemOrder, MemScope, Type, UnaryOp, Value};

/// Orders and scope of one call.
struct Ordering {
    order: MemOrder,
    /// Of a compare-and-exchange that fails.
    failure: MemOrder,
    scope: MemScope,
}

impl<'m> FunctionLowerer<'_, 'm> {
    /// `ty` is the type of the result.
    pub(super) fn c11(&mut self, kind: C11Kind, args: &'m [Expr], ty: TypeId) -> Option<Value> {
        let ptr = self.value(&args[0]);
        let elem = self.atomic_elem(args[0].ty);
        let bits = int_of(elem);
        match kind {
            C11Kind::Init => {
                // Not an atomic access (6.15.12.7.1).
                let value = self.value(&args[1]);
                let align = self.align32(elem.align());
                self.b.store(value, ptr, align, false);
                None
            }
            C11Kind::Load => {
                let mut how = self.ordering(&args[1..], 1);
                if matches!(how.order, MemOrder::Release | MemOrder::AcqRel) {
                    how.order = MemOrder::SeqCst;
                }
                let value = self.b.atomic_load(bits, ptr, how.order, how.scope);
                Some(self.bitcast(value, elem))
            }
            C11Kind::Store => {
                let value = self.atomic_operand(&args[1], bits);
                let how = self.ordering(&args[2..], 1);
                self.atomic_store(value, ptr, how);
                None
            }
            C11Kind::Rmw(kind) => {
                if elem.elem.is_float() && kind != AtomicKind::Xchg {
                    return Some(self.float_rmw(kind, ptr, args));
                }
                let signed = self.scalar_of(ty).is_signed();
                let value = self.atomic_operand(&args[1], bits);
                let how = self.ordering(&args[2..], 1);
                let op = atomic_op(kind, signed);
                let old = self.b.atomic_rmw(op, ptr, value, how.order, how.scope);
                Some(self.bitcast(old, elem))
            }
            C11Kind::CompareExchange => {
                let place = self.value(&args[1]);
                let new = self.atomic_operand(&args[2], bits);
                let how = self.ordering(&args[3..], 2);
                let align = self.align32(bits.align());
                let expected = self.b.load(bits, place, align, false);
                let orders = (how.order, how.failure);
                let old = self.b.atomic_cmpxchg(ptr, expected, new, orders, how.scope);
                // What was read is also what was expected, if it succeeded.
                self.b.store(old, place, align, false);
                let same = self.b.icmp(IntCC::Eq, old, expected);
                let ty = self.ir_type(ty);
                Some(self.b.cast(CastOp::ZExt, same, ty))
            }
            C11Kind::FlagTestAndSet => {
                let how = self.ordering(&args[1..], 1);
                let (one, zero) = (self.b.iconst(bits, 1), self.b.iconst(bits, 0));
                let op = AtomicOp::Xchg;
                let old = self.b.atomic_rmw(op, ptr, one, how.order, how.scope);
                let was_set = self.b.icmp(IntCC::Ne, old, zero);
                let ty = self.ir_type(ty);
                Some(self.b.cast(CastOp::ZExt, was_set, ty))
            }
            C11Kind::FlagClear => {
                let how = self.ordering(&args[1..], 1);
                let zero = self.b.iconst(bits, 0);
                self.atomic_store(zero, ptr, how);
                None
            }
        }
    }

    /// cl_ext_float_atomics: sums and differences; min and max as fmin and fmax.
    fn float_rmw(&mut self, kind: AtomicKind, ptr: Value, args: &'m [Expr]) -> Value {
        let mut value = self.value(&args[1]);
        let how = self.ordering(&args[2..], 1);
        let op = match kind {
            AtomicKind::Sub => {
                value = self.b.unary(UnaryOp::FNeg, value);
                AtomicOp::FAdd
            }
            AtomicKind::Min => AtomicOp::FMin,
            AtomicKind::Max => AtomicOp::FMax,
            _ => AtomicOp::FAdd,
        };
        self.b.atomic_rmw(op, ptr, value, how.order, how.scope)
    }

    fn atomic_store(&mut self, value: Value, ptr: Value, mut how: Ordering) {
        if matches!(how.order, MemOrder::Acquire | MemOrder::AcqRel) {
            how.order = MemOrder::SeqCst;
        }
        self.b.atomic_store(value, ptr, how.order, how.scope);
    }

    /// The type of the object that an atomic pointer leads to.
    fn atomic_elem(&self, ty: TypeId) -> Type {
        let scalar = match self.types.pointee(ty).map(|p| self.types.kind(p.ty)) {
            Some(TypeKind::Atomic(scalar)) => *scalar,
            _ => unreachable!("the table gives atomic pointers"),
        };
        Type::scalar(scalar.elem())
    }

    fn atomic_operand(&mut self, arg: &'m Expr, bits: Type) -> Value {
        let value = self.value(arg);
        self.bitcast(value, bits)
    }

    /// `rest` is nothing, or as many orders as said and perhaps a scope.
    fn ordering(&mut self, rest: &'m [Expr], orders: usize) -> Ordering {
        let order = rest.first().map_or(MemOrder::SeqCst, |e| self.order(e));
        let failure = match orders {
            2 => rest.get(1).map_or(MemOrder::SeqCst, |e| self.order(e)),
            _ => MemOrder::SeqCst,
        };
        let failure = match failure {
            MemOrder::Release | MemOrder::AcqRel => MemOrder::SeqCst,
            fine => fine,
        };
        let scope = match rest.get(orders) {
            Some(scope) => self.scope(scope),
            None => MemScope::Device,
        };
        Ordering {
            order,
            failure,
            scope,
        }
    }

    fn order(&mut self, arg: &'m Expr) -> MemOrder {
        match arg.kind {
            ExprKind::Int(0) => MemOrder::Relaxed,
            ExprKind::Int(2) => MemOrder::Acquire,
            ExprKind::Int(3) => MemOrder::Release,
            ExprKind::Int(4) => MemOrder::AcqRel,
            ExprKind::Int(5) => MemOrder::SeqCst,
            _ => {
                self.effect(arg);
                MemOrder::SeqCst
            }
        }
    }
}
