//! Barriers, fences and copies by a work-group (OpenCL C 3.0, 6.15.8, 6.15.9, 6.15.11).

use super::super::super::hir::{Expr, ExprKind};
use super::super::function::FunctionLowerer;
use crate::builtins::FenceKind;
use crate::ir::types::I64;
use crate::ir::{
    AddrSpace, BinaryOp, BlockCall, FenceFlags, MemOrder, MemScope, Team, Terminator, Value,
};

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
        self.end_with_barrier(Team::Group, flags, scope);
    }

    /// sub_group_barrier(flags[, scope])
    pub(super) fn sub_group_barrier(&mut self, args: &'m [Expr]) {
        let flags = self.fence_flags(&args[0]);
        let scope = match args.get(1) {
            Some(scope) => self.scope(scope),
            None => MemScope::SubGroup,
        };
        self.end_with_barrier(Team::SubGroup, flags, scope);
    }

    fn end_with_barrier(&mut self, team: Team, flags: FenceFlags, scope: MemScope) {
        let next = self.b.add_block();
        let line = self.b.loc().line;
        self.b.terminate(Terminator::Barrier {
            team,
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
        let (dst_space, src_space) = self.copy_spaces(dst);
        let (dst_stride, src_stride) = match dst_space {
            AddrSpace::Local => (one, stride),
            _ => (stride, one),
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

    /// async_work_group_copy_2D2D and _3D3D: `(dst, offset, src, offset, bytes of an element, elements of a line, lines
    /// [, planes], the lengths of lines [and areas of planes] of src, those of dst, event)`, all counted in elements.
    pub(super) fn async_copy_lines(&mut self, args: &'m [Expr]) -> Value {
        let values: Vec<Value> = args.iter().map(|arg| self.value(arg)).collect();
        let one = self.b.iconst(I64, 1);
        let [
            dst,
            dst_offset,
            src,
            src_offset,
            size,
            line,
            lines,
            ref rest @ ..,
            event,
        ] = values[..]
        else {
            unreachable!("the table gives at least eight parameters");
        };
        let (planes, [src_line, src_plane, dst_line, dst_plane]) = match *rest {
            [src_line, dst_line] => (one, [src_line, one, dst_line, one]),
            [planes, ref strides @ ..] => (planes, [0, 1, 2, 3].map(|n| strides[n])),
            [] => unreachable!("the table gives the strides"),
        };
        let [
            dst_offset,
            src_offset,
            line,
            src_line,
            src_plane,
            dst_line,
            dst_plane,
        ] = [
            dst_offset, src_offset, line, src_line, src_plane, dst_line, dst_plane,
        ]
        .map(|elements| self.b.binary(BinaryOp::Mul, elements, size));
        let dst = self.b.ptr_add(dst, dst_offset);
        let src = self.b.ptr_add(src, src_offset);
        let (dst_space, src_space) = self.copy_spaces(dst);
        let mangled = format!(
            "__async_copy_lines({},{},ulong,ulong,ulong,ulong,ulong,ulong,ulong)",
            Self::pointer_name(dst_space, false, "void"),
            Self::pointer_name(src_space, true, "void"),
        );
        let args = vec![
            dst, src, line, lines, planes, src_line, src_plane, dst_line, dst_plane,
        ];
        self.call_library(&mangled, args, None);
        event
    }

    /// Where a copy leads and where it comes from.
    fn copy_spaces(&self, dst: Value) -> (AddrSpace, AddrSpace) {
        match self.b.func.ty(dst).addr_space() {
            Some(AddrSpace::Local) => (AddrSpace::Local, AddrSpace::Global),
            _ => (AddrSpace::Global, AddrSpace::Local),
        }
    }

    /// wait_group_events(n, events): all have copied, and see all of it.
    pub(super) fn wait_group_events(&mut self, args: &'m [Expr]) {
        self.evaluate(args);
        let flags = FenceFlags {
            local: true,
            global: true,
            image: false,
        };
        self.end_with_barrier(Team::Group, flags, MemScope::WorkGroup);
    }
}
