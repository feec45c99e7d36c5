//! Atomic operations that may wait, by the thread's table in the group's scratch (`ir/deferred.rs`).
//!
//! Invariant: an entry has the address of its operation or 0, and what is to be done to it yet; so the code may be left
//! between any two instructions, after which the table is not looked at any more.

use std::mem::offset_of;

use super::atomic::rmw_op;
use super::function::FuncGen;
use super::llvm::{IntPredicate, Opcode, Ordering};
use crate::ir::deferred::{ENTRIES, Entry};
use crate::ir::{AtomicOp, Value};

impl FuncGen<'_, '_> {
    pub fn defer(&mut self, op: AtomicOp, ptr: Value, value: Value) {
        let table = self.scratch_base();
        let llvm = self.llvm;
        let ty = self.ty(value);
        let (word, lty) = (llvm.int(64), self.unit.ty(ty));
        let bytes = ty.bytes() as u32;
        let constant = |n: u64| llvm.const_int(word, n);

        let address = llvm.cast(Opcode::LLVMPtrToInt, self.val(ptr), word);
        let number = llvm.binary(
            Opcode::LLVMLShr,
            address,
            constant(bytes.trailing_zeros().into()),
        );
        let number = llvm.binary(Opcode::LLVMAnd, number, constant(ENTRIES as u64 - 1));
        let entry = llvm.ptr_scaled(table, number, size_of::<Entry>() as u32);
        let tag = llvm.field(entry, offset_of!(Entry, address) as u64);
        let operand = llvm.field(entry, offset_of!(Entry, operand) as u64);
        let [known, other, evict, take, end] =
            ["known", "other", "evict", "take", "deferred"].map(|name| self.new_block(name));

        let before = llvm.load(word, tag, 8);
        let same = llvm.icmp(IntPredicate::LLVMIntEQ, before, address);
        llvm.cond_br(same, known, other);

        llvm.at_end(known);
        let by = op.together().expect("the verifier lets no other wait");
        let sum = self.combine(by, ty, llvm.load(lty, operand, bytes), self.val(value));
        llvm.store(sum, operand, bytes);
        llvm.br(end);

        llvm.at_end(other);
        let empty = llvm.icmp(IntPredicate::LLVMIntEQ, before, llvm.null(word));
        llvm.cond_br(empty, take, evict);

        llvm.at_end(evict);
        let place = llvm.cast(Opcode::LLVMIntToPtr, before, llvm.ptr());
        let old = llvm.load(lty, operand, bytes);
        // Relaxed: that is all that was asked for.
        let relaxed = Ordering::LLVMAtomicOrderingMonotonic;
        llvm.rmw(rmw_op(op), place, old, relaxed, llvm.sync_scope(""));
        llvm.br(take);

        llvm.at_end(take);
        llvm.store(self.val(value), operand, bytes);
        llvm.store(address, tag, 8);
        llvm.br(end);

        llvm.at_end(end);
    }
}
