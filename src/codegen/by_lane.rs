//! Gathers and scatters for which the machine has no instruction, as a loop over the lanes whose mask bit is set.
//!
//! Why: LLVM's own expansion is a branch and a block for each lane, with a vector value that goes through all of them:
//! a kernel with some dozens of masked accesses to bytes, 64 lanes wide, takes seconds in the register allocator. The
//! loop costs the same per lane.
//!
//! Invariants: addresses, and the values in or out, pass through stack memory, one place for all accesses of a function;
//! what a lane that is left out reads is zero. An access whose lanes are all on by a constant needs no branches, and
//! stays LLVM's.

use std::ops::RangeInclusive;

use super::function::FuncGen;
use super::llvm::{IntPredicate, Opcode, Val};
use crate::ir::{Type, Value};

/// Fewer lanes are as short one after the other; the bits of more do not fit in a word.
const LANES: RangeInclusive<u16> = 8..=64;
/// Addresses or values of the most lanes, of 8 bytes each.
const ROOM: u64 = 64 * 8;
/// Of a register of 512 bits: no vector of the two rooms crosses a line more often than it must.
const ALIGN: u32 = 64;

impl FuncGen<'_, '_> {
    /// Whether an access to these elements at varying places, under this mask, is a loop.
    pub fn goes_by_lane(&self, ty: Type, mask: Value) -> bool {
        let has_instruction = self.unit.has_avx512 && ty.elem.bits() >= 32;
        !has_instruction && LANES.contains(&ty.lanes) && !self.llvm.is_const(self.val(mask))
    }

    /// `place`: the base, the offsets and their scale.
    pub fn gather_by_lane(
        &mut self,
        ty: Type,
        place: (Value, Value, u32),
        mask: Value,
        align: u32,
    ) -> Val {
        let (addresses, values) = self.lane_rooms();
        let llvm = self.llvm;
        let (vector, elem) = (self.unit.ty(ty), self.unit.elem(ty.elem));
        let size = ty.elem.bits() / 8;
        llvm.store(llvm.null(vector), values, ALIGN);
        self.store_addresses(place, addresses);
        self.for_each_lane(mask, |this, lane| {
            let load = llvm.load(elem, this.lane_address(addresses, lane), align);
            this.mark(load, place.0);
            llvm.store(load, llvm.ptr_scaled(values, lane, size), size);
        });
        llvm.load(vector, values, ALIGN)
    }

    pub fn scatter_by_lane(
        &mut self,
        value: Value,
        place: (Value, Value, u32),
        mask: Value,
        align: u32,
    ) {
        let (addresses, values) = self.lane_rooms();
        let llvm = self.llvm;
        let ty = self.ty(value);
        let elem = self.unit.elem(ty.elem);
        let size = ty.elem.bits() / 8;
        llvm.store(self.val(value), values, ALIGN);
        self.store_addresses(place, addresses);
        self.for_each_lane(mask, |this, lane| {
            let value = llvm.load(elem, llvm.ptr_scaled(values, lane, size), size);
            let store = llvm.store(value, this.lane_address(addresses, lane), align);
            this.mark(store, place.0);
        });
    }

    fn store_addresses(&self, place: (Value, Value, u32), room: Val) {
        self.llvm.store(self.places(place), room, ALIGN);
    }

    fn lane_address(&self, room: Val, lane: Val) -> Val {
        let llvm = self.llvm;
        llvm.load(llvm.ptr(), llvm.ptr_scaled(room, lane, 8), 8)
    }

    /// The lanes that are on, lowest first: where lanes write to one place, the last one's value stays, as with LLVM's
    /// scatter.
    fn for_each_lane(&mut self, mask: Value, body: impl FnOnce(&Self, Val)) {
        let llvm = self.llvm;
        let word = llvm.int(64);
        let (zero, one) = (llvm.null(word), llvm.const_int(word, 1));
        let all = self.mask_bits(mask);
        let before = llvm.current_block();
        let (head, end) = (self.new_block("lanes"), self.new_block("lanes.end"));
        let is_some = llvm.icmp(IntPredicate::LLVMIntNE, all, zero);
        llvm.cond_br(is_some, head, end);
        llvm.at_end(head);
        let left = llvm.phi(word);
        let lane = llvm.intrinsic("llvm.cttz", word, &[left, llvm.const_int(llvm.int(1), 1)]);
        body(self, lane);
        let less = llvm.binary(Opcode::LLVMSub, left, one);
        let rest = llvm.binary(Opcode::LLVMAnd, left, less);
        llvm.add_incoming(left, all, before);
        llvm.add_incoming(left, rest, llvm.current_block());
        let is_more = llvm.icmp(IntPredicate::LLVMIntNE, rest, zero);
        llvm.cond_br(is_more, head, end);
        llvm.at_end(end);
    }

    /// Stack memory for the addresses and for the values.
    fn lane_rooms(&mut self) -> (Val, Val) {
        if let Some(rooms) = self.lane_rooms {
            return rooms;
        }
        let rooms = (self.alloca(ROOM, ALIGN), self.alloca(ROOM, ALIGN));
        self.lane_rooms = Some(rooms);
        rooms
    }
}
