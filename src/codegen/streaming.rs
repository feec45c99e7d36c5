//! What passes by: stores of full vectors that go around the caches, to memory that the function does not read, and
//! prefetches of memory that it reads and stores again.
//!
//! A line that is written whole by such stores is not read first. They want aligned addresses, which is asked at run
//! time. Another thread may look only after a store fence, which the runtime lets follow. Where lines are read, changed and
//! written, the processor's own prefetchers leave a tenth of the memory's speed unused (measured: `y = a x + y`).
//!
//! Source: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Non-temporal stores", "Software-controlled
//! prefetch"; LLVM's language reference, `!nontemporal`.

use super::function::FuncGen;
use super::llvm::{IntPredicate, Opcode};
use super::module::ModuleGen;
use crate::ir::bases::{self, Bases, OTHER, UNKNOWN};
use crate::ir::{AddrSpace, Block, Function, InstData, Value};

/// Bytes of vectors that are worth the question, and of a line of the cache.
const LEAST: u64 = 32;
const LINE: u64 = 64;

/// Bytes between what is read and what is asked for meanwhile. (1, 2 and 4 KiB do as well.)
const AHEAD: i64 = 2048;

/// By the value that is the address, in a group function that is to stream.
#[derive(Default)]
pub struct Plan {
    /// What is stored there goes around the caches.
    around: Vec<bool>,
    /// So many lines are asked for, ahead of what is loaded there.
    ahead: Vec<u64>,
}

impl Plan {
    pub fn goes_around(&self, ptr: Value) -> bool {
        self.around.get(ptr.index()) == Some(&true)
    }

    pub fn lines_ahead(&self, ptr: Value) -> u64 {
        self.ahead.get(ptr.index()).copied().unwrap_or(0)
    }
}

/// What a function does of this. `order`: the reachable blocks.
pub fn plan(unit: &ModuleGen, func: &Function, order: &[Block]) -> Plan {
    if !(unit.streaming && func.group) {
        return Plan::default();
    }
    let Some(roots) = bases::global_params(func) else {
        return Plan::default();
    };
    let bases = bases::of_values(func, order, &roots);
    let insts = || order.iter().flat_map(|&block| &func.block(block).insts);
    let mut read: Bases = UNKNOWN | OTHER;
    let mut stored: Bases = 0;
    for &inst in insts() {
        match *func.inst(inst) {
            InstData::Load { ptr, .. }
            | InstData::MaskedLoad { ptr, .. }
            | InstData::Gather { base: ptr, .. } => read |= bases[ptr.index()],
            InstData::Store { ptr, .. } => stored |= bases[ptr.index()],
            _ => {}
        }
    }
    let global = |ptr: Value| func.ty(ptr).addr_space() == Some(AddrSpace::Global);
    let mut around = vec![false; func.num_values()];
    for &inst in insts() {
        if let InstData::Store {
            value,
            ptr,
            volatile: false,
            ..
        } = *func.inst(inst)
        {
            let ty = func.ty(value);
            around[ptr.index()] = ty.is_vector()
                && ty.bytes() >= LEAST
                && ty.bytes().is_power_of_two()
                && ty.elem.bits() >= 8
                && global(ptr)
                && bases[ptr.index()] & read == 0;
        }
    }
    let mut ahead = vec![0; func.num_values()];
    let updated = stored & !(UNKNOWN | OTHER);
    for &block in order {
        // What is loaded from one line is asked for once.
        let mut asked = Vec::new();
        for &inst in &func.block(block).insts {
            if let InstData::Load { ty, ptr, .. } = *func.inst(inst)
                && global(ptr)
                && bases[ptr.index()] & updated != 0
            {
                let (base, offset) = apart(func, ptr);
                let line = (base, offset.div_euclid(LINE as i64));
                if !asked.contains(&line) {
                    asked.push(line);
                    ahead[ptr.index()] = ty.bytes().div_ceil(LINE);
                }
            }
        }
    }
    Plan { around, ahead }
}

/// An address as another one and a constant number of bytes.
fn apart(func: &Function, ptr: Value) -> (Value, i64) {
    match func.def_inst(ptr) {
        Some(&InstData::PtrAdd { ptr: base, offset }) => match func.const_bits(offset) {
            Some(bits) => (base, bits as i64),
            None => (ptr, 0),
        },
        _ => (ptr, 0),
    }
}

impl FuncGen<'_, '_> {
    /// Asks for what will be loaded soon, where an address like this one moves on.
    pub fn ask_ahead(&self, ptr: Value) {
        let llvm = self.llvm;
        for line in 0..self.streams.lines_ahead(ptr) {
            let distance = AHEAD + (line * LINE) as i64;
            let offset = llvm.const_int(llvm.int(64), distance as u64);
            let place = llvm.ptr_add(self.val(ptr), offset);
            self.prefetch_at(place);
        }
    }

    /// Stores a vector around the caches, if the address is aligned for that.
    pub fn store_streaming(&self, value: Value, ptr: Value, align: u32) {
        let llvm = self.llvm;
        let whole = self.ty(value).bytes().min(LINE);
        let int = llvm.int(64);
        let address = llvm.cast(Opcode::LLVMPtrToInt, self.val(ptr), int);
        let low = llvm.binary(Opcode::LLVMAnd, address, llvm.const_int(int, whole - 1));
        let aligned = llvm.icmp(IntPredicate::LLVMIntEQ, low, llvm.null(int));
        let [fast, slow, after] = ["streams", "stores", "stored"].map(|name| self.new_block(name));
        llvm.cond_br(aligned, fast, slow);
        llvm.at_end(fast);
        let store = self.store_plain(value, ptr, whole as u32);
        llvm.set_metadata(store, "nontemporal", llvm.md_node(&[llvm.md_int32(1)]));
        llvm.br(after);
        llvm.at_end(slow);
        self.store_plain(value, ptr, align);
        llvm.br(after);
        llvm.at_end(after);
    }
}
