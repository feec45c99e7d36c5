//! Private variables, loads and stores, and where generic pointers lead.
//!
//! Invariants: a truth value takes a byte in memory; a 3-vector is loaded and stored as three elements, so that its
//! fourth place is never written. Stack slots stand in the prologue: the frame has one size.

use super::alias::mark_invariant;
use super::function::FuncGen;
use super::llvm::{IntPredicate, Opcode, Val};
use crate::ir::{AddrSpace, Elem, InstData, Type, Value, abi};
use std::mem::offset_of;

impl FuncGen<'_, '_> {
    pub fn alloca(&self, size: u64, align: u32) -> Val {
        self.in_prologue(|llvm| {
            // An empty object has an address of its own too.
            let ty = llvm.array(llvm.int(8), size.max(1));
            llvm.alloca(ty, align.max(1))
        })
    }

    pub fn memory_type(&self, ty: Type) -> Type {
        match ty.elem {
            Elem::I1 => ty.with_elem(Elem::I8),
            _ => ty,
        }
    }

    pub fn as_register(&self, value: Val, ty: Type) -> Val {
        match ty.elem {
            Elem::I1 => self.llvm.cast(Opcode::LLVMTrunc, value, self.unit.ty(ty)),
            _ => value,
        }
    }

    pub fn as_memory(&self, value: Val, ty: Type) -> Val {
        match ty.elem {
            Elem::I1 => {
                let stored = self.unit.ty(self.memory_type(ty));
                self.llvm.cast(Opcode::LLVMZExt, value, stored)
            }
            _ => value,
        }
    }

    /// The address space of a pointer operand.
    pub fn space(&self, ptr: Value) -> AddrSpace {
        self.ty(ptr).addr_space().unwrap_or(AddrSpace::Generic)
    }

    pub fn load(&self, ty: Type, ptr: Value, align: u32, volatile: bool) -> Val {
        let llvm = self.llvm;
        self.ask_ahead(ptr);
        let stored = self.unit.ty(self.memory_type(ty));
        let load = llvm.load(stored, self.val(ptr), align.max(1));
        let space = self.space(ptr);
        if volatile {
            llvm.set_volatile(load);
        } else if space == AddrSpace::Constant {
            mark_invariant(llvm, &self.unit.tags, load);
        }
        self.scopes.mark(llvm, &self.unit.tags, load, ptr, space);
        self.as_register(load, ty)
    }

    /// Ticks of the CPU: x86's time-stamp counter, which goes at one rate on all cores of a machine; elsewhere the counter
    /// that programs may read.
    pub fn clock(&self) -> Val {
        let name = match cfg!(target_arch = "x86_64") {
            true => "llvm.readcyclecounter",
            false => "llvm.readsteadycounter",
        };
        self.llvm.intrinsic_of(name, &[], &[])
    }

    /// For reading, to be kept in all levels of cache.
    pub fn prefetch(&self, ptr: Value) {
        self.prefetch_at(self.val(ptr));
    }

    pub fn prefetch_at(&self, ptr: Val) {
        let llvm = self.llvm;
        let number = |n| llvm.const_int(llvm.int(32), n);
        let (reads, keeps, data) = (number(0), number(3), number(1));
        llvm.intrinsic_of(
            "llvm.prefetch",
            &[llvm.type_of(ptr)],
            &[ptr, reads, keeps, data],
        );
    }

    pub fn store(&self, data: &InstData) {
        let &InstData::Store {
            value,
            ptr,
            align,
            volatile,
        } = data
        else {
            unreachable!("only stores come here");
        };
        if self.streams.goes_around(ptr) {
            self.store_streaming(value, ptr, align);
            return;
        }
        let store = self.store_plain(value, ptr, align);
        if volatile {
            self.llvm.set_volatile(store);
        }
    }

    pub fn store_plain(&self, value: Value, ptr: Value, align: u32) -> Val {
        let llvm = self.llvm;
        let stored = self.as_memory(self.val(value), self.ty(value));
        let store = llvm.store(stored, self.val(ptr), align.max(1));
        self.scopes
            .mark(llvm, &self.unit.tags, store, ptr, self.space(ptr));
        store
    }

    /// Whether pointers lead into the group's local memory or scratch, or elsewhere.
    pub fn in_space(&mut self, ptr: Value, space: AddrSpace) -> Val {
        let llvm = self.llvm;
        let lanes = self.ty(ptr).lanes;
        let address = self.as_lanes(self.val(ptr));
        let scratch = (
            offset_of!(abi::Group, scratch),
            offset_of!(abi::Group, scratch_bytes),
        );
        let local = (
            offset_of!(abi::Group, local),
            offset_of!(abi::Group, local_bytes),
        );
        let mut inside = |(base, bytes): (usize, usize)| {
            let base = self.field(false, base, 0);
            let base = llvm.cast(Opcode::LLVMPtrToInt, base, llvm.int(64));
            let bytes = self.field(false, bytes, 64);
            let (base, bytes) = match lanes {
                1 => (base, bytes),
                _ => (self.splat(base, lanes), self.splat(bytes, lanes)),
            };
            let distance = llvm.binary(Opcode::LLVMSub, address, base);
            llvm.icmp(IntPredicate::LLVMIntULT, distance, bytes)
        };
        match space {
            AddrSpace::Private => inside(scratch),
            AddrSpace::Local => inside(local),
            _ => {
                let either = llvm.binary(Opcode::LLVMOr, inside(scratch), inside(local));
                let flag = llvm.vector(llvm.int(1), u32::from(lanes));
                llvm.icmp(IntPredicate::LLVMIntEQ, either, llvm.null(flag))
            }
        }
    }
}
