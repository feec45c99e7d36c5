//! Gathers of bytes and halfwords at places that turn out to be one or two runs of memory, as masked loads: neighbours on a
//! torus, at a border where indices are clamped, behind the end of a row.
//!
//! Why: no machine gathers these, and one by one each lane takes three instructions. Whether the places are runs is asked
//! each time: some ten instructions for all lanes.
//!
//! Invariants: only lanes whose mask is on are read; a lane that is left out reads as zero. The offset of a lane less its
//! number is the same for all lanes of a run; where that difference wraps, the places are no run.

use super::function::FuncGen;
use super::llvm::{IntPredicate, Opcode, Val};
use crate::ir::{Type, Value};

/// Fewer lanes are as quick one by one.
const LEAST_LANES: u16 = 8;

/// A gather: what it reads, its base, offsets and their scale, its mask and alignment.
#[derive(Clone, Copy)]
pub struct Gather {
    pub ty: Type,
    pub place: (Value, Value, u32),
    pub mask: Value,
    pub align: u32,
}

impl FuncGen<'_, '_> {
    /// Whether the gather is worth the question, and there are masked loads for it.
    pub fn may_be_runs(&self, gather: &Gather) -> bool {
        let Gather { ty, place, .. } = *gather;
        let bits = ty.elem.bits();
        self.unit.has_avx512bw
            && matches!(bits, 8 | 16)
            && ty.lanes >= LEAST_LANES
            && ty.lanes.is_power_of_two()
            && place.2 == bits / 8
            && self.ty(place.0).lanes == 1
    }

    /// The gather as masked loads where its places are runs; else what `other` makes of it.
    pub fn gather_runs(&mut self, gather: &Gather, other: impl FnOnce(&mut Self) -> Val) -> Val {
        let Gather {
            ty,
            place: (base, offsets, scale),
            mask,
            align,
        } = *gather;
        let llvm = self.llvm;
        let (lanes, word) = (ty.lanes, llvm.int(32));
        let [offsets, mask] = [offsets, mask].map(|value| self.val(value));
        let int = llvm.int(self.ty(gather.place.1).elem.bits());
        let numbers: Vec<Val> = (0..u64::from(lanes))
            .map(|lane| llvm.const_int(int, lane))
            .collect();
        let starts = llvm.binary(Opcode::LLVMSub, offsets, llvm.const_vector(&numbers));
        let [first, last] =
            [0, u64::from(lanes) - 1].map(|lane| llvm.extract(starts, llvm.const_int(word, lane)));
        let [in_first, in_last] = [first, last].map(|start| {
            let start = self.splat(start, lanes);
            llvm.icmp(IntPredicate::LLVMIntEQ, starts, start)
        });
        let straight = llvm.icmp(IntPredicate::LLVMIntSLE, starts, offsets);
        let in_run = llvm.binary(Opcode::LLVMOr, in_first, in_last);
        let in_run = llvm.binary(Opcode::LLVMAnd, in_run, straight);
        let outside = llvm.binary(Opcode::LLVMAnd, mask, self.inverse(in_run));
        let any_outside = self.any_lane(outside, lanes);
        let [runs, lone, end] = ["runs", "places", "gathered"].map(|name| self.new_block(name));
        llvm.cond_br(any_outside, lone, runs);

        llvm.at_end(runs);
        let lty = self.unit.ty(ty);
        let mut loaded = llvm.null(lty);
        let in_second = self.inverse(in_first);
        for (start, lanes) in [(first, in_first), (last, in_second)] {
            let ptr = llvm.ptr_scaled(self.val(base), start, scale);
            let lanes = llvm.binary(Opcode::LLVMAnd, lanes, mask);
            loaded = self.load_lanes(ptr, lanes, loaded, align.min(scale));
            self.mark(loaded, base);
        }
        llvm.br(end);

        llvm.at_end(lone);
        let gathered = other(self);
        let lone = llvm.current_block();
        llvm.br(end);

        llvm.at_end(end);
        let result = llvm.phi(lty);
        llvm.add_incoming(result, loaded, runs);
        llvm.add_incoming(result, gathered, lone);
        result
    }

    fn inverse(&self, mask: Val) -> Val {
        let llvm = self.llvm;
        let no_lane = llvm.null(llvm.type_of(mask));
        llvm.icmp(IntPredicate::LLVMIntEQ, mask, no_lane)
    }
}
