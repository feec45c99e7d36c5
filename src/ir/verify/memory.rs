//! Types of operands and results of the instructions that have to do with memory.

use super::Rule;
use super::operands::{Check, Checker, Expected, require};
use crate::ir::deferred::Deferred;
use crate::ir::entities::Value;
use crate::ir::inst::*;
use crate::ir::types::{AddrSpace, Elem, I1, I8, I64, Type};

impl Checker<'_> {
    pub(super) fn memory(&self, data: &InstData) -> Check<Expected> {
        Ok(Expected::Type(match data {
            InstData::Alloca { align, .. } => {
                self.aligned(*align)?;
                Type::ptr(AddrSpace::Private)
            }
            InstData::Load { ty, ptr, align, .. } => {
                self.pointer(*ptr)?;
                self.aligned(*align)?;
                *ty
            }
            InstData::Store { ptr, align, .. } => {
                self.writable(*ptr)?;
                self.aligned(*align)?;
                return Ok(Expected::Nothing);
            }
            InstData::MaskedLoad {
                ty,
                ptr,
                mask,
                align,
            } => {
                self.pointer(*ptr)?;
                self.aligned(*align)?;
                self.mask_of(*mask, *ty)?;
                *ty
            }
            InstData::MaskedStore {
                value,
                ptr,
                mask,
                align,
            } => {
                self.writable(*ptr)?;
                self.aligned(*align)?;
                self.mask_of(*mask, self.ty(*value))?;
                return Ok(Expected::Nothing);
            }
            InstData::Gather {
                ty,
                base,
                offsets,
                scale: _,
                mask,
                align,
            } => {
                self.places(*base, *offsets, *ty)?;
                self.aligned(*align)?;
                self.mask_of(*mask, *ty)?;
                *ty
            }
            InstData::Scatter {
                value,
                base,
                offsets,
                scale: _,
                mask,
                align,
            } => {
                let ty = self.ty(*value);
                let space = self.places(*base, *offsets, ty)?;
                require(space != AddrSpace::Constant, Rule::ConstantMemory, || {
                    format!("{base} points to constant memory")
                })?;
                self.aligned(*align)?;
                self.mask_of(*mask, ty)?;
                return Ok(Expected::Nothing);
            }
            InstData::AnyLane { mask } => {
                let ty = self.vector(*mask)?;
                self.is(*mask, ty.with_elem(Elem::I1))?;
                I1
            }
            InstData::MaskBits { mask } => {
                let ty = self.vector(*mask)?;
                self.is(*mask, ty.with_elem(Elem::I1))?;
                require(ty.lanes <= 64, Rule::Lanes, || format!("the bits of {ty}"))?;
                I64
            }
            InstData::MemCpy {
                dst, src, align, ..
            } => {
                self.writable(*dst)?;
                self.pointer(*src)?;
                self.aligned(*align)?;
                return Ok(Expected::Nothing);
            }
            InstData::MemSet {
                dst, byte, align, ..
            } => {
                self.writable(*dst)?;
                self.is(*byte, I8)?;
                self.aligned(*align)?;
                return Ok(Expected::Nothing);
            }
            InstData::PtrAdd { ptr, offset } => {
                let ty = self.same(&[*ptr], "a pointer", Elem::is_ptr)?;
                self.is(*offset, ty.with_elem(Elem::I64))?;
                ty
            }
            InstData::InSpace { ptr, space } => {
                let ty = self.same(&[*ptr], "a generic pointer", |e| {
                    e == Elem::Ptr(AddrSpace::Generic)
                })?;
                let named = matches!(
                    space,
                    AddrSpace::Private | AddrSpace::Global | AddrSpace::Local
                );
                require(named, Rule::OperandTypes, || {
                    format!("{space} is no part of the generic address space")
                })?;
                ty.with_elem(Elem::I1)
            }
            InstData::GlobalAddr { global } => {
                let slot = self.module.globals.get(global.index());
                let slot =
                    slot.ok_or_else(|| (Rule::KnownIds, format!("{global} does not exist")))?;
                Type::ptr(slot.space)
            }
            InstData::LocalAddr { local } => {
                let known = local.index() < self.func.locals.len();
                require(known, Rule::KnownIds, || format!("{local} does not exist"))?;
                Type::ptr(AddrSpace::Local)
            }
            InstData::AtomicLoad { ty, ptr, order, .. } => {
                self.pointer(*ptr)?;
                atomic_type(*ty)?;
                let releases = matches!(order, MemOrder::Release | MemOrder::AcqRel);
                atomic_order(!releases, "load", *order)?;
                *ty
            }
            InstData::AtomicStore {
                value, ptr, order, ..
            } => {
                self.writable(*ptr)?;
                atomic_type(self.ty(*value))?;
                let acquires = matches!(order, MemOrder::Acquire | MemOrder::AcqRel);
                atomic_order(!acquires, "store", *order)?;
                return Ok(Expected::Nothing);
            }
            InstData::AtomicRmw {
                op,
                ptr,
                value,
                order,
                ..
            } => {
                let space = self.writable(*ptr)?;
                let can_wait = || Deferred::of(*op, self.ty(*value)).is_some();
                if *order != MemOrder::Deferred || space != AddrSpace::Global || !can_wait() {
                    atomic_order(true, op.name(), *order)?;
                }
                let ty = atomic_type(self.ty(*value))?;
                let fits = match op {
                    AtomicOp::Xchg => true,
                    AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax => ty.elem.is_float(),
                    _ => ty.elem.is_int(),
                };
                require(fits, Rule::OperandTypes, || {
                    format!("atomic {} of {ty}", op.name())
                })?;
                ty
            }
            InstData::AtomicCmpXchg {
                ptr,
                expected,
                new,
                success,
                failure,
                ..
            } => {
                self.writable(*ptr)?;
                let ty = atomic_type(self.ty(*new))?;
                self.is(*expected, ty)?;
                atomic_order(true, "compare-exchange", *success)?;
                let releases = matches!(failure, MemOrder::Release | MemOrder::AcqRel);
                atomic_order(!releases, "failed compare-exchange", *failure)?;
                ty
            }
            InstData::Fence { order, .. } => {
                atomic_order(true, "fence", *order)?;
                return Ok(Expected::Nothing);
            }
            InstData::Prefetch { ptr } => {
                self.pointer(*ptr)?;
                return Ok(Expected::Nothing);
            }
            _ => unreachable!("every other instruction is checked before"),
        }))
    }

    fn writable(&self, v: Value) -> Check<AddrSpace> {
        let space = self.pointer(v)?;
        require(space != AddrSpace::Constant, Rule::ConstantMemory, || {
            format!("{v} points to constant memory")
        })?;
        Ok(space)
    }

    /// `mask` chooses lanes of a vector of type `ty`, of which memory can hold a part.
    fn mask_of(&self, mask: Value, ty: Type) -> Check {
        require(
            ty.is_vector() && ty.elem != Elem::I1,
            Rule::OperandTypes,
            || format!("{ty} can't be accessed under a mask"),
        )?;
        self.is(mask, ty.with_elem(Elem::I1))
    }

    /// The places of a gather or scatter of `ty`; their address space.
    fn places(&self, base: Value, offsets: Value, ty: Type) -> Check<AddrSpace> {
        let bases = self.same(&[base], "a pointer", Elem::is_ptr)?;
        require(
            bases.lanes == 1 || bases.lanes == ty.lanes,
            Rule::Lanes,
            || format!("{bases} for an access to {ty}"),
        )?;
        if self.ty(offsets) != ty.with_elem(Elem::I32) {
            self.is(offsets, ty.with_elem(Elem::I64))?;
        }
        Ok(bases.addr_space().unwrap_or(AddrSpace::Generic))
    }

    fn aligned(&self, align: u32) -> Check {
        require(align.is_power_of_two(), Rule::Alignment, || {
            format!("the alignment {align} is no power of two")
        })
    }
}

/// A scalar of one to eight bytes.
fn atomic_type(ty: Type) -> Check<Type> {
    require(
        !ty.is_vector() && ty.elem != Elem::I1,
        Rule::OperandTypes,
        || format!("{ty} is no type for an atomic"),
    )?;
    Ok(ty)
}

/// Nothing waits ([`MemOrder::Deferred`]) but what [`Deferred`] says.
fn atomic_order(holds: bool, what: &str, order: MemOrder) -> Check {
    require(
        holds && order != MemOrder::Deferred,
        Rule::AtomicOrder,
        || format!("an atomic {what} can't be {}", order.name()),
    )
}
