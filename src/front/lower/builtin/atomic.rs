//! The atomics of OpenCL C 1.x (OpenCL C 3.0, 6.15.12.8): relaxed, on global and local memory.

use super::super::super::hir::Expr;
use super::super::super::types::TypeId;
use super::super::expr::int_of;
use super::super::function::FunctionLowerer;
use crate::builtins::AtomicKind;
use crate::ir::{AddrSpace, AtomicOp, MemOrder, MemScope, Value};

impl<'m> FunctionLowerer<'_, 'm> {
    pub(super) fn atomic(&mut self, kind: AtomicKind, args: &'m [Expr], ty: TypeId) -> Value {
        let signed = self.scalar_of(ty).is_signed();
        let ptr = self.value(&args[0]);
        // Local memory is seen by one work-group alone.
        let scope = match self.b.func.ty(ptr).addr_space() {
            Some(AddrSpace::Local) => MemScope::WorkGroup,
            _ => MemScope::Device,
        };
        let order = MemOrder::Relaxed;
        let op = match kind {
            AtomicKind::CmpXchg => {
                let (expected, new) = (self.value(&args[1]), self.value(&args[2]));
                return self
                    .b
                    .atomic_cmpxchg(ptr, expected, new, (order, order), scope);
            }
            AtomicKind::Inc | AtomicKind::Dec => {
                let ty = self.ir_type(ty);
                let one = self.b.iconst(ty, 1);
                return self
                    .b
                    .atomic_rmw(atomic_op(kind, signed), ptr, one, order, scope);
            }
            _ => atomic_op(kind, signed),
        };
        let value = self.value(&args[1]);
        // A float is exchanged by its bits.
        let ty = self.b.func.ty(value);
        let bits = self.bitcast(value, int_of(ty));
        let old = self.b.atomic_rmw(op, ptr, bits, order, scope);
        self.bitcast(old, ty)
    }
}

/// The read-modify-write operation of a kind that has one; a compare-and-exchange has none.
pub(super) fn atomic_op(kind: AtomicKind, signed: bool) -> AtomicOp {
    match kind {
        AtomicKind::Add | AtomicKind::Inc => AtomicOp::Add,
        AtomicKind::Sub | AtomicKind::Dec => AtomicOp::Sub,
        AtomicKind::Xchg | AtomicKind::CmpXchg => AtomicOp::Xchg,
        AtomicKind::Min if signed => AtomicOp::SMin,
        AtomicKind::Max if signed => AtomicOp::SMax,
        AtomicKind::Min => AtomicOp::UMin,
        AtomicKind::Max => AtomicOp::UMax,
        AtomicKind::And => AtomicOp::And,
        AtomicKind::Or => AtomicOp::Or,
        AtomicKind::Xor => AtomicOp::Xor,
    }
}
