//! Calls of builtin functions: what the table says of each becomes instructions or calls of the library.

mod atomic;
mod c11;
mod half;
mod image;
mod library;
mod memory;
mod pipe;
mod relational;
mod sync;
mod team;

pub(super) use sync::{GLOBAL_FENCE, LOCAL_FENCE};

use super::super::hir::{Expr, ExprKind};
use super::super::types::TypeId;
use super::function::FunctionLowerer;
use crate::builtins::{self, BuiltinId, Lowering, Special};
use crate::ir::types::{I64, Type};
use crate::ir::{BinaryOp, CastOp, IntCC, UnaryOp, Value, WorkItemQuery};

impl<'m> FunctionLowerer<'_, 'm> {
    /// `args` have the parameter types of the overload; `ty` is the type of its result.
    pub fn lower_builtin(&mut self, id: BuiltinId, args: &'m [Expr], ty: TypeId) -> Option<Value> {
        let builtin = builtins::get(id);
        match builtin.lowering {
            Lowering::WorkItem(query) => {
                let answer = self.work_item_query(query, args.first());
                let ty = self.ir_type(ty);
                Some(match self.b.func.ty(answer) {
                    wide if wide != ty => self.b.cast(CastOp::Trunc, answer, ty),
                    _ => answer,
                })
            }
            Lowering::Unary(op) => {
                let arg = self.value(&args[0]);
                Some(self.b.unary(op, arg))
            }
            Lowering::Binary(op) => Some(self.binary_op(op, args)),
            Lowering::Ternary(op) => {
                let [a, b, c] = [0, 1, 2].map(|n| self.value(&args[n]));
                Some(self.b.ternary(op, a, b, c))
            }
            Lowering::BySign {
                float,
                signed,
                unsigned,
            } => {
                let scalar = self.scalar_of(args[0].ty);
                let op = if scalar.is_float() {
                    float
                } else if scalar.is_signed() {
                    signed
                } else {
                    unsigned
                };
                Some(self.binary_op(op, args))
            }
            Lowering::Elementwise => self.elementwise(&builtin.name, args, ty),
            Lowering::Whole => self.whole(&builtin.name, args, ty),
            Lowering::Special(special) => self.special(special, args, ty),
        }
    }

    fn special(&mut self, special: Special, args: &'m [Expr], ty: TypeId) -> Option<Value> {
        match special {
            Special::Barrier => self.barrier(args),
            Special::SubGroupBarrier => self.sub_group_barrier(args),
            Special::MemFence(kind) => self.mem_fence(kind, args),
            Special::WorkItemFence => self.work_item_fence(args),
            Special::Atomic(kind) => return Some(self.atomic(kind, args, ty)),
            Special::C11(kind) => return self.c11(kind, args, ty),
            Special::VLoad => return Some(self.vload(args, ty)),
            Special::VStore => self.vstore(args),
            Special::VLoadHalf { aligned } => return Some(self.vload_half(args, ty, aligned)),
            Special::VStoreHalf { aligned, rounding } => self.vstore_half(args, aligned, rounding),
            Special::Select => return Some(self.select(args)),
            Special::Bitselect => return Some(self.bitselect(args)),
            Special::Any => return Some(self.any_all(args, BinaryOp::Or)),
            Special::All => return Some(self.any_all(args, BinaryOp::And)),
            Special::Abs => return Some(self.abs(args)),
            Special::AsyncCopy | Special::AsyncStridedCopy => return Some(self.async_copy(args)),
            Special::AsyncCopyLines => return Some(self.async_copy_lines(args)),
            // What follows may read what other work-items have copied.
            Special::AsyncCopyFence => self.barrier(args),
            Special::WaitGroupEvents => self.wait_group_events(args),
            // A hint only (6.15.11).
            Special::Prefetch => self.evaluate(args),
            Special::Test(test) => return Some(self.float_test(test, args, ty)),
            Special::Upsample => return Some(self.upsample(args, ty)),
            Special::Shuffle => return Some(self.shuffle(args)),
            Special::ReadImage(channels) => return Some(self.read_image(channels, args)),
            Special::WriteImage(channels) => self.write_image(channels, args),
            Special::QueryImage(query) => return Some(self.query_image(query, &args[0])),
            Special::Team(function) => return Some(self.team(function, args, ty)),
            Special::IsValidReserveId => {
                let id = self.value(&args[0]);
                let zero = self.b.iconst(I64, 0);
                let is_valid = self.b.icmp(IntCC::Ne, id, zero);
                let ty = self.ir_type(ty);
                return Some(self.b.cast(CastOp::ZExt, is_valid, ty));
            }
            // The low word of a uint2 stands first in memory.
            Special::ReadClock => {
                let (ticks, ty) = (self.b.clock(), self.ir_type(ty));
                return Some(match ty {
                    I64 => ticks,
                    _ => self.b.cast(CastOp::Bitcast, ticks, ty),
                });
            }
        }
        None
    }

    /// For their effects.
    fn evaluate(&mut self, args: &'m [Expr]) {
        for arg in args {
            self.effect(arg);
        }
    }

    fn binary_op(&mut self, op: BinaryOp, args: &'m [Expr]) -> Value {
        let (a, b) = (self.value(&args[0]), self.value(&args[1]));
        let ty = self.b.func.ty(a);
        let b = self.widen(b, ty);
        self.b.binary(op, a, b)
    }

    /// A scalar to the lanes of `ty`.
    fn widen(&mut self, value: Value, ty: Type) -> Value {
        if ty.is_vector() && !self.b.func.ty(value).is_vector() {
            self.b.splat(value, ty.lanes)
        } else {
            value
        }
    }

    /// 6.15.1: for a dimension that the NDRange does not have, sizes are 1 and ids and offsets 0.
    fn work_item_query(&mut self, query: WorkItemQuery, dim: Option<&'m Expr>) -> Value {
        let Some(dim) = dim else {
            return self.b.work_item(query, 0);
        };
        let beyond = match query {
            WorkItemQuery::GlobalSize
            | WorkItemQuery::LocalSize
            | WorkItemQuery::EnqueuedLocalSize
            | WorkItemQuery::NumGroups => 1,
            _ => 0,
        };
        if let ExprKind::Int(n) = dim.kind {
            return match u8::try_from(n) {
                Ok(n) if n < 3 => self.b.work_item(query, n),
                _ => self.b.iconst(I64, beyond),
            };
        }
        let dim = self.value(dim);
        let dim_ty = self.b.func.ty(dim);
        let mut value = self.b.iconst(I64, beyond);
        for n in (0..3).rev() {
            let this = self.b.work_item(query, n);
            let n = self.b.iconst(dim_ty, u64::from(n));
            let is_this = self.b.icmp(IntCC::Eq, dim, n);
            value = self.b.select(is_this, this, value);
        }
        value
    }

    fn abs(&mut self, args: &'m [Expr]) -> Value {
        let signed = self.scalar_of(args[0].ty).is_signed();
        let value = self.value(&args[0]);
        if !signed {
            return value;
        }
        let negated = self.b.unary(UnaryOp::Neg, value);
        self.b.binary(BinaryOp::SMax, value, negated)
    }
}
