//! Making vectors and taking them apart.
//!
//! Invariants: pointers in lanes are integers, their addresses. (LLVM 22's instcombine makes invalid code of a comparison or a
//! difference of vectors of pointers if these have a base in common and a pointer on the way from there is used elsewhere:
//! `EmitGEPOffsets` puts a vector in its place.) A lane that is chosen at run time is taken modulo the number of lanes rounded up to a power of two; one
//! that isn't there (the fourth of a 3-vector) reads as some fixed bits and writes nothing.

use super::function::FuncGen;
use super::llvm::{Opcode, Val};
use crate::ir::{Elem, Type, Value};

/// From so many lanes on, it matters how they come out of a vector.
const MANY_LANES: u16 = 8;

impl FuncGen<'_, '_> {
    fn lane_const(&self, lane: u16) -> Val {
        self.llvm.const_int(self.llvm.int(32), u64::from(lane))
    }

    /// A value as it stands in lanes: a pointer as an integer.
    pub fn as_lanes(&self, value: Val) -> Val {
        let llvm = self.llvm;
        match llvm.type_of(value) == llvm.ptr() {
            true => llvm.cast(Opcode::LLVMPtrToInt, value, llvm.int(64)),
            false => value,
        }
    }

    /// What stands in lanes as a value of type `ty`.
    pub fn of_lanes(&self, lanes: Val, ty: Type) -> Val {
        match ty.elem.is_ptr() && ty.lanes == 1 {
            true => (self.llvm).cast(Opcode::LLVMIntToPtr, lanes, self.llvm.ptr()),
            false => lanes,
        }
    }

    pub fn splat(&self, scalar: Val, lanes: u16) -> Val {
        let llvm = self.llvm;
        let scalar = self.as_lanes(scalar);
        if llvm.is_const(scalar) {
            return self.splat_const(scalar, lanes);
        }
        let vector = llvm.vector(llvm.type_of(scalar), u32::from(lanes));
        let first = llvm.insert(llvm.poison(vector), scalar, self.lane_const(0));
        llvm.shuffle(
            first,
            llvm.poison(vector),
            &vec![Some(0); usize::from(lanes)],
        )
    }

    pub fn int_const(&self, ty: Type, bits: u64) -> Val {
        let one = if ty.elem.is_ptr() && ty.lanes == 1 {
            self.llvm
                .const_int_to_ptr(self.llvm.const_int(self.llvm.int(64), bits))
        } else {
            let lane = self.llvm.int(ty.elem.bits());
            self.llvm.const_int(lane, bits)
        };
        self.splat_const(one, ty.lanes)
    }

    pub fn splat_const(&self, one: Val, lanes: u16) -> Val {
        if lanes == 1 {
            one
        } else {
            self.llvm.const_vector(&vec![one; usize::from(lanes)])
        }
    }

    pub fn build_vector(&self, args: &[Value]) -> Val {
        let llvm = self.llvm;
        let lanes = args.len() as u16;
        let mut value = llvm.poison(self.unit.ty(Type {
            lanes,
            ..self.ty(args[0])
        }));
        for (lane, &arg) in (0..).zip(args) {
            let arg = self.as_lanes(self.val(arg));
            value = llvm.insert(value, arg, self.lane_const(lane));
        }
        value
    }

    pub fn extract(&self, vec: Value, lane: u16) -> Val {
        let ty = self.ty(vec);
        if ty.lanes == 1 {
            return self.val(vec);
        }
        let lane = self.llvm.extract(self.val(vec), self.lane_const(lane));
        self.of_lanes(lane, Type { lanes: 1, ..ty })
    }

    pub fn insert(&self, vec: Value, scalar: Value, lane: u16) -> Val {
        let scalar = self.as_lanes(self.val(scalar));
        self.llvm
            .insert(self.val(vec), scalar, self.lane_const(lane))
    }

    /// The vector with its lanes rounded up to a power of two, and the lane index within those.
    fn rounded_up(&self, vec: Value, lane: Value) -> (Val, Val) {
        let llvm = self.llvm;
        let lanes = self.ty(vec).lanes;
        let whole = lanes.next_power_of_two();
        let index = llvm.binary(Opcode::LLVMAnd, self.val(lane), self.lane_const(whole - 1));
        let value = self.val(vec);
        if whole == lanes {
            return (value, index);
        }
        let mask: Vec<Option<u32>> = (0..u32::from(whole))
            .map(|n| (n < u32::from(lanes)).then_some(n))
            .collect();
        let poison = llvm.poison(self.unit.ty(self.ty(vec)));
        (llvm.shuffle(value, poison, &mask), index)
    }

    pub fn extract_dyn(&self, vec: Value, lane: Value) -> Val {
        let (value, index) = self.rounded_up(vec, lane);
        let ty = self.ty(vec);
        if ty.elem == Elem::I32
            && ty.lanes >= MANY_LANES
            && let Some(lane) = self.llvm.as_const_int(index)
        {
            return self
                .llvm
                .freeze(self.extract_from_pair(value, ty.lanes.into(), lane));
        }
        let lane = self.llvm.freeze(self.llvm.extract(value, index));
        self.of_lanes(lane, Type { lanes: 1, ..ty })
    }

    /// A known lane of a vector of words, of which others will be asked for as well: those of a pair come out of the
    /// vector together. That takes fewer operations of the vector units; and on AMD's Zen 4 each of 16 increments of
    /// memory at places that come out of one register takes 10 ns word by word, and 0.3 ns pair by pair. LLVM would go
    /// back to single words, if it saw what these are.
    fn extract_from_pair(&self, value: Val, lanes: u32, lane: u64) -> Val {
        let llvm = self.llvm;
        let (word, pair) = (llvm.int(32), llvm.int(64));
        let pairs = llvm.vector(pair, lanes / 2);
        let pairs = llvm.cast(Opcode::LLVMBitCast, value, pairs);
        let both = llvm.extract(pairs, llvm.const_int(word, lane / 2));
        let both = llvm.opaque(both);
        let own = match lane % 2 {
            0 => both,
            _ => llvm.binary(Opcode::LLVMLShr, both, llvm.const_int(pair, 32)),
        };
        llvm.cast(Opcode::LLVMTrunc, own, word)
    }

    pub fn insert_dyn(&self, vec: Value, scalar: Value, lane: Value) -> Val {
        let llvm = self.llvm;
        let Type { lanes, .. } = self.ty(vec);
        let (value, index) = self.rounded_up(vec, lane);
        let scalar = self.as_lanes(self.val(scalar));
        let inserted = llvm.insert(value, scalar, index);
        if lanes.is_power_of_two() {
            return inserted;
        }
        let mask: Vec<Option<u32>> = (0..u32::from(lanes)).map(Some).collect();
        llvm.shuffle(inserted, llvm.poison(llvm.type_of(value)), &mask)
    }

    pub fn shuffle(&self, a: Value, b: Value, mask: &[u16]) -> Val {
        let mask: Vec<Option<u32>> = mask.iter().map(|&n| Some(u32::from(n))).collect();
        self.llvm.shuffle(self.val(a), self.val(b), &mask)
    }
}
