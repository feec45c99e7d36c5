//! Atomic operations and fences (OpenCL C 3.0, 6.15.12; the C11 memory model with scopes).
//!
//! Invariants: one thread runs a whole work-group. So what is ordered among the work-items of a group only (scopes up
//! to work-group) needs no machine fence, and an atomic access to `__local` memory, which no other group can reach,
//! is a plain one: nobody can see it half done. Everything else is a real atomic operation.

use super::function::FuncGen;
use super::llvm::{IntPredicate, Opcode, Ordering, RmwOp, Val};
use crate::ir::{AddrSpace, AtomicOp, Elem, MemOrder, MemScope, Type, Value};

fn ordering(order: MemOrder) -> Ordering {
    match order {
        MemOrder::Relaxed | MemOrder::Deferred => Ordering::LLVMAtomicOrderingMonotonic,
        MemOrder::Acquire => Ordering::LLVMAtomicOrderingAcquire,
        MemOrder::Release => Ordering::LLVMAtomicOrderingRelease,
        MemOrder::AcqRel => Ordering::LLVMAtomicOrderingAcquireRelease,
        MemOrder::SeqCst => Ordering::LLVMAtomicOrderingSequentiallyConsistent,
    }
}

/// A load cannot release, and the failing half of a compare-exchange is a load.
fn load_ordering(order: MemOrder) -> Ordering {
    ordering(match order {
        MemOrder::Release => MemOrder::Relaxed,
        MemOrder::AcqRel => MemOrder::Acquire,
        other => other,
    })
}

/// A store cannot acquire.
fn store_ordering(order: MemOrder) -> Ordering {
    ordering(match order {
        MemOrder::Acquire => MemOrder::Relaxed,
        MemOrder::AcqRel => MemOrder::Release,
        other => other,
    })
}

impl FuncGen<'_, '_> {
    /// LLVM's scope: only a fence or access of one work-item may be seen by its thread alone. A work-group scope access
    /// to global memory stays visible to other threads: programs mix scopes there.
    fn access_scope(&self, scope: MemScope) -> u32 {
        match scope {
            MemScope::WorkItem => self.llvm.sync_scope("singlethread"),
            _ => self.llvm.sync_scope(""),
        }
    }

    fn is_local(&self, ptr: Value) -> bool {
        self.space(ptr) == AddrSpace::Local
    }

    pub fn mark(&self, access: Val, ptr: Value) {
        let space = self.space(ptr);
        self.scopes
            .mark(self.llvm, &self.unit.tags, access, ptr, space);
    }

    fn plain_load(&self, ty: Type, ptr: Value) -> Val {
        let load = self
            .llvm
            .load(self.unit.ty(ty), self.val(ptr), ty.align() as u32);
        self.mark(load, ptr);
        load
    }

    fn plain_store(&self, value: Val, ty: Type, ptr: Value) {
        let store = self.llvm.store(value, self.val(ptr), ty.align() as u32);
        self.mark(store, ptr);
    }

    pub fn atomic_load(&self, ty: Type, ptr: Value, order: MemOrder, scope: MemScope) -> Val {
        let load = self.plain_load(ty, ptr);
        if !self.is_local(ptr) {
            self.llvm
                .set_atomic(load, load_ordering(order), self.access_scope(scope));
        }
        load
    }

    pub fn atomic_store(&self, value: Value, ptr: Value, order: MemOrder, scope: MemScope) {
        let ty = self.ty(value);
        let store = self
            .llvm
            .store(self.val(value), self.val(ptr), ty.align() as u32);
        self.mark(store, ptr);
        if !self.is_local(ptr) {
            self.llvm
                .set_atomic(store, store_ordering(order), self.access_scope(scope));
        }
    }

    pub fn atomic_rmw(
        &mut self,
        op: AtomicOp,
        ptr: Value,
        value: Value,
        order: MemOrder,
        scope: MemScope,
    ) -> Val {
        let ty = self.ty(value);
        if self.is_local(ptr) {
            let old = self.plain_load(ty, ptr);
            let new = self.combine(op, ty, old, self.val(value));
            self.plain_store(new, ty, ptr);
            return old;
        }
        if order == MemOrder::Deferred {
            self.defer(op, ptr, value);
            return self.llvm.null(self.unit.ty(ty));
        }
        let rmw = self.llvm.rmw(
            rmw_op(op),
            self.val(ptr),
            self.val(value),
            ordering(order),
            self.access_scope(scope),
        );
        self.mark(rmw, ptr);
        rmw
    }

    /// What the operation stores.
    pub fn combine(&self, op: AtomicOp, ty: Type, old: Val, value: Val) -> Val {
        let llvm = self.llvm;
        let lty = self.unit.ty(ty);
        match op {
            AtomicOp::Xchg => value,
            AtomicOp::Add => llvm.binary(Opcode::LLVMAdd, old, value),
            AtomicOp::Sub => llvm.binary(Opcode::LLVMSub, old, value),
            AtomicOp::And => llvm.binary(Opcode::LLVMAnd, old, value),
            AtomicOp::Or => llvm.binary(Opcode::LLVMOr, old, value),
            AtomicOp::Xor => llvm.binary(Opcode::LLVMXor, old, value),
            AtomicOp::SMin => llvm.intrinsic("llvm.smin", lty, &[old, value]),
            AtomicOp::SMax => llvm.intrinsic("llvm.smax", lty, &[old, value]),
            AtomicOp::UMin => llvm.intrinsic("llvm.umin", lty, &[old, value]),
            AtomicOp::UMax => llvm.intrinsic("llvm.umax", lty, &[old, value]),
            AtomicOp::FAdd => llvm.binary(Opcode::LLVMFAdd, old, value),
            AtomicOp::FMin => llvm.intrinsic("llvm.minnum", lty, &[old, value]),
            AtomicOp::FMax => llvm.intrinsic("llvm.maxnum", lty, &[old, value]),
        }
    }

    /// `pair`: expected, new. `orders`: on success, on failure.
    pub fn atomic_cmpxchg(
        &self,
        ptr: Value,
        pair: (Value, Value),
        orders: (MemOrder, MemOrder),
        scope: MemScope,
    ) -> Val {
        let llvm = self.llvm;
        let ty = self.ty(pair.1);
        // Success is by bits, and LLVM exchanges integers and pointers only.
        let bits_ty = match ty.elem {
            Elem::F16 | Elem::F32 | Elem::F64 => llvm.int(ty.elem.bits()),
            _ => self.unit.ty(ty),
        };
        let as_bits = |v| llvm.cast(Opcode::LLVMBitCast, v, bits_ty);
        let (expected, new) = (as_bits(self.val(pair.0)), as_bits(self.val(pair.1)));
        let old = if self.is_local(ptr) {
            let align = ty.align() as u32;
            let old = llvm.load(bits_ty, self.val(ptr), align);
            self.mark(old, ptr);
            let hit = llvm.icmp(IntPredicate::LLVMIntEQ, old, expected);
            let store = llvm.store(llvm.select(hit, new, old), self.val(ptr), align);
            self.mark(store, ptr);
            old
        } else {
            let orders = (ordering(orders.0), load_ordering(orders.1));
            let scope = self.access_scope(scope);
            let exchange = llvm.cmpxchg(self.val(ptr), expected, new, orders, scope);
            self.mark(exchange, ptr);
            llvm.extract_value(exchange, 0)
        };
        llvm.cast(Opcode::LLVMBitCast, old, self.unit.ty(ty))
    }

    pub fn fence(&self, order: MemOrder, scope: MemScope) {
        if order == MemOrder::Relaxed {
            return;
        }
        let within_group = matches!(
            scope,
            MemScope::WorkItem | MemScope::SubGroup | MemScope::WorkGroup
        );
        let scope = self
            .llvm
            .sync_scope(if within_group { "singlethread" } else { "" });
        self.llvm.fence(ordering(order), scope);
    }
}

pub fn rmw_op(op: AtomicOp) -> RmwOp {
    match op {
        AtomicOp::Xchg => RmwOp::LLVMAtomicRMWBinOpXchg,
        AtomicOp::Add => RmwOp::LLVMAtomicRMWBinOpAdd,
        AtomicOp::Sub => RmwOp::LLVMAtomicRMWBinOpSub,
        AtomicOp::And => RmwOp::LLVMAtomicRMWBinOpAnd,
        AtomicOp::Or => RmwOp::LLVMAtomicRMWBinOpOr,
        AtomicOp::Xor => RmwOp::LLVMAtomicRMWBinOpXor,
        AtomicOp::SMin => RmwOp::LLVMAtomicRMWBinOpMin,
        AtomicOp::SMax => RmwOp::LLVMAtomicRMWBinOpMax,
        AtomicOp::UMin => RmwOp::LLVMAtomicRMWBinOpUMin,
        AtomicOp::UMax => RmwOp::LLVMAtomicRMWBinOpUMax,
        AtomicOp::FAdd => RmwOp::LLVMAtomicRMWBinOpFAdd,
        AtomicOp::FMin => RmwOp::LLVMAtomicRMWBinOpFMin,
        AtomicOp::FMax => RmwOp::LLVMAtomicRMWBinOpFMax,
    }
}
