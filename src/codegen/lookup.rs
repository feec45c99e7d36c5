//! Gathers from small tables of constants, as permutations of registers that hold the table.
//!
//! Invariants: only a gather from the table's first element on is one, with offsets that count elements: an offset
//! outside of the table is then a mistake of the program, and any value will do. A table fills two registers of 512
//! bits at most; elsewhere than on x86 with such registers a gather stays what it is. A lane that is left out reads as
//! zero.

use super::function::FuncGen;
use super::llvm::{Opcode, Val};
use crate::ir::{AddrSpace, Elem, Global, Type, Value};

/// Bits of a register.
const REGISTER: u32 = 512;

/// By the bits of an element and the registers that the table fills; one takes the table and the indices, two the
/// first part, the indices and the second part.
fn permutation(bits: u32, registers: usize) -> &'static str {
    match (bits, registers) {
        (32, 1) => "llvm.x86.avx512.permvar.si.512",
        (32, _) => "llvm.x86.avx512.vpermi2var.d.512",
        (64, 1) => "llvm.x86.avx512.permvar.di.512",
        _ => "llvm.x86.avx512.vpermi2var.q.512",
    }
}

impl FuncGen<'_, '_> {
    /// The gather's result, if it reads a small table. `place`: the base, the offsets and their scale.
    pub fn lookup(&self, ty: Type, place: (Value, Value, u32), mask: Value) -> Option<Val> {
        let (base, offsets, scale) = place;
        let bits = ty.elem.bits();
        let is_word = matches!(ty.elem, Elem::I32 | Elem::F32 | Elem::I64 | Elem::F64);
        if !self.unit.has_avx512 || !is_word || scale != bits / 8 {
            return None;
        }
        let table = self.table(base)?;
        let bytes = table.init.len();
        let register_bytes = (REGISTER / 8) as usize;
        if !table.relocs.is_empty() || bytes % scale as usize != 0 || bytes > 2 * register_bytes {
            return None;
        }
        let llvm = self.llvm;
        let parts: Vec<Val> = table
            .init
            .chunks(register_bytes)
            .map(|part| self.words(bits, part))
            .collect();
        let int = ty.with_elem(if bits == 32 { Elem::I32 } else { Elem::I64 });
        let name = permutation(bits, parts.len());
        let look = |index: Val| match parts[..] {
            [only] => llvm.intrinsic_of(name, &[], &[only, index]),
            _ => llvm.intrinsic_of(name, &[], &[parts[0], index, parts[1]]),
        };
        // Offsets are not negative.
        let index = self.resize(self.val(offsets), self.ty(offsets).elem, int);
        let found = self.by_register(int, index, look);
        let found = llvm.cast(Opcode::LLVMBitCast, found, self.unit.ty(ty));
        let nothing = llvm.null(self.unit.ty(ty));
        Some(llvm.select(self.val(mask), found, nothing))
    }

    /// The constant whose first byte `base` leads to.
    fn table(&self, base: Value) -> Option<&Global> {
        let id = self.unit.global_at(self.val(base))?;
        let global = &self.unit.module.globals[id.index()];
        (global.space == AddrSpace::Constant).then_some(global)
    }

    /// A register of integers from little-endian bytes, with zeros behind them.
    fn words(&self, bits: u32, bytes: &[u8]) -> Val {
        let llvm = self.llvm;
        let mut words: Vec<Val> = bytes
            .chunks((bits / 8) as usize)
            .map(|word| {
                let value = word.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b));
                llvm.const_int(llvm.int(bits), value)
            })
            .collect();
        words.resize(
            (REGISTER / bits) as usize,
            llvm.const_int(llvm.int(bits), 0),
        );
        llvm.const_vector(&words)
    }

    /// Applies what takes and gives one register to the lanes of `value`.
    fn by_register(&self, ty: Type, value: Val, apply: impl Fn(Val) -> Val) -> Val {
        let llvm = self.llvm;
        let lanes = u32::from(ty.lanes);
        let size = REGISTER / ty.elem.bits();
        let poison = llvm.poison(llvm.type_of(value));
        let mut parts: Vec<Val> = (0..lanes)
            .step_by(size as usize)
            .map(|from| {
                let taken: Vec<Option<u32>> = (from..from + size)
                    .map(|lane| (lane < lanes).then_some(lane))
                    .collect();
                apply(llvm.shuffle(value, poison, &taken))
            })
            .collect();
        let mut width = size;
        while parts.len() > 1 {
            width *= 2;
            let both: Vec<Option<u32>> = (0..width).map(Some).collect();
            parts = parts
                .chunks(2)
                .map(|pair| llvm.shuffle(pair[0], pair[pair.len() - 1], &both))
                .collect();
        }
        let out: Vec<Option<u32>> = (0..lanes).map(Some).collect();
        llvm.shuffle(parts[0], llvm.poison(llvm.type_of(parts[0])), &out)
    }
}
