//! Barriers, fences and copies by a work-group (OpenCL C 3.0, 6.15.8, 6.15.9, 6.15.11).

use super::super::super::hir::{Expr, ExprKind};
use super::super::function::FunctionLowerer;
use crate::builtins::FenceKind;
use crate::ir::types::I64;
use crate::ir::{AddrSpace, BlockCall, FenceFlags, MemOrder, MemScope, Team, Terminator, Value};

/// `cl_mem_fence_flags`, as the preprocessor defines them.
pub const LOCAL_FENCE: u64 = 1;
pub const GLOBAL_FENCE: u64 = 2;

impl<'m> FunctionLowerer<'_, 'm> {
    /// barrier(flags), work_group_barrier(flags[, scope])
    pub(super) fn barrier(&mut self, args: &'m [Expr]) {
        let flags = self.fence_flags(&args[0]);
        let scope = match args.get(1) {
            Some(scope) => self.scope(scope),
            None => MemScope::WorkGroup,
        };
        self.end_with_barrier(flags, scope);
    }

    fn end_with_barrier(&mut self, flags: FenceFlags, scope: MemScope) {
        let next = self.b.add_block();
        let line = self.b.loc().line;
        self.b.terminate(Terminator::Barrier {
            team: Team::Group,
            flags,
            scope,
            line,
            next: BlockCall {
                block: next,
                args: Vec::new(),
            },
        });
        self.b.switch_to(next);
    }

    /// mem_fence and its halves: the memory of other work-groups too, if it is global.
    pub(super) fn mem_fence(&mut self, kind: FenceKind, args: &'m [Expr]) {
        let flags = self.fence_flags(&args[0]);
        let order = match kind {
            FenceKind::ReadWrite => MemOrder::AcqRel,
            FenceKind::Read => MemOrder::Acquire,
            FenceKind::Write => MemOrder::Release,
        };
        let scope = if flags.global || flags.image {
            MemScope::Device
        } else {
            MemScope::WorkGroup
        };
        self.b.fence(order, scope, flags);
    }

    /// atomic_work_item_fence(flags, order, scope)
    pub(super) fn work_item_fence(&mut self, args: &'m [Expr]) {
        let flags = self.fence_flags(&args[0]);
        let order = match args[1].kind {
            // memory_order_relaxed: no fence (6.15.12.4).
            ExprKind::Int(0) => return,
            ExprKind::Int(2) => MemOrder::Acquire,
            ExprKind::Int(3) => MemOrder::Release,
            ExprKind::Int(4) => MemOrder::AcqRel,
            _ => {
                self.effect(&args[1]);
                MemOrder::SeqCst
            }
        };
        let scope = self.scope(&args[2]);
        self.b.fence(order, scope, flags);
    }

    /// cl_mem_fence_flags; what is not constant is taken for all of them.
    fn fence_flags(&mut self, arg: &'m Expr) -> FenceFlags {
        let bits = match arg.kind {
            ExprKind::Int(bits) => bits,
            _ => {
                self.effect(arg);
                7
            }
        };
        FenceFlags {
            local: bits & LOCAL_FENCE != 0,
            global: bits & GLOBAL_FENCE != 0,
            image: bits & 4 != 0,
        }
    }

    /// memory_scope; what is not constant is taken for the widest.
    pub(super) fn scope(&mut self, arg: &'m Expr) -> MemScope {
        match arg.kind {
            ExprKind::Int(0) => MemScope::WorkItem,
            ExprKind::Int(1) => MemScope::WorkGroup,
            ExprKind::Int(2) => MemScope::Device,
            ExprKind::Int(3) => MemScope::AllSvmDevices,
            ExprKind::Int(4) => MemScope::SubGroup,
            _ => {
                self.effect(arg);
                MemScope::AllSvmDevices
            }
        }
    }

    /// async_work_group_copy(dst, src, n, event) and its strided form: each work-item copies its share at once; the
    /// wait is a barrier. The stride is that of the global side.
    pub(super) fn async_copy(&mut self, args: &'m [Expr]) -> Value {
        let (dst, src, count) = (
            self.value(&args[0]),
            self.value(&args[1]),
            self.value(&args[2]),
        );
        let one = self.b.iconst(I64, 1);
        let (stride, event) = match args {
            [_, _, _, stride, event] => (self.value(stride), event),
            _ => (one, &args[3]),
        };
        let event = self.value(event);
        let size = match self.types.pointee(args[0].ty) {
            Some(pointee) => self.types.size(pointee.ty),
            None => 1,
        };
        let elem = match size {
            1 => "uchar",
            2 => "ushort",
            4 => "uint",
            8 => "ulong",
            16 => "ulong2",
            32 => "ulong4",
            64 => "ulong8",
            _ => "ulong16",
        };
        let to_local = self.b.func.ty(dst).addr_space() == Some(AddrSpace::Local);
        let (dst_space, src_space) = if to_local {
            (AddrSpace::Local, AddrSpace::Global)
        } else {
            (AddrSpace::Global, AddrSpace::Local)
        };
        let (dst_stride, src_stride) = if to_local {
            (one, stride)
        } else {
            (stride, one)
        };
        let mangled = format!(
            "__async_copy({},{},ulong,ulong,ulong)",
            Self::pointer_name(dst_space, false, elem),
            Self::pointer_name(src_space, true, elem),
        );
        self.call_library(
            &mangled,
            vec![dst, src, count, dst_stride, src_stride],
            None,
        );
        event
    }

    /// wait_group_events(n, events): all have copied, and see all of it.
    pub(super) fn wait_group_events(&mut self, args: &'m [Expr]) {
        self.evaluate(args);
        let flags = FenceFlags {
            local: true,
            global: true,
            image: false,
        };
        self.end_with_barrier(flags, MemScope::WorkGroup);
    }
}
