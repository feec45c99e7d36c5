//! Stores that go around the caches: of full vectors, to memory that the function does not read.
//!
//! A line that is written whole by such stores is not read first. They want aligned addresses, which is asked at run
//! time. Another thread may look only after a store fence, which the runtime lets follow.
//!
//! Source: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Non-temporal stores"; LLVM's language
//! reference, `!nontemporal`.

use super::function::FuncGen;
use super::llvm::{IntPredicate, Opcode};
use super::module::ModuleGen;
use crate::ir::bases::{self, Bases, OTHER, UNKNOWN};
use crate::ir::{AddrSpace, Block, Function, InstData, Value};

/// Bytes of vectors that are worth the question, and of a line of the cache.
const LEAST: u64 = 32;
const LINE: u64 = 64;

/// By value, in a group function that is to stream: what is stored there goes around the caches. `order`: the reachable blocks.
pub fn targets(unit: &ModuleGen, func: &Function, order: &[Block]) -> Vec<bool> {
    if !(unit.streaming && func.group) {
        return Vec::new();
    }
    let Some(roots) = bases::global_params(func) else {
        return Vec::new();
    };
    let bases = bases::of_values(func, order, &roots);
    let insts = || order.iter().flat_map(|&block| &func.block(block).insts);
    let mut read: Bases = UNKNOWN | OTHER;
    for &inst in insts() {
        if let InstData::Load { ptr, .. }
        | InstData::MaskedLoad { ptr, .. }
        | InstData::Gather { base: ptr, .. } = *func.inst(inst)
        {
            read |= bases[ptr.index()];
        }
    }
    let mut out = vec![false; func.num_values()];
    for &inst in insts() {
        if let InstData::Store {
            value,
            ptr,
            volatile: false,
            ..
        } = *func.inst(inst)
        {
            let ty = func.ty(value);
            out[ptr.index()] = ty.is_vector()
                && ty.bytes() >= LEAST
                && ty.bytes().is_power_of_two()
                && ty.elem.bits() >= 8
                && func.ty(ptr).addr_space() == Some(AddrSpace::Global)
                && bases[ptr.index()] & read == 0;
        }
    }
    out
}

impl FuncGen<'_, '_> {
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
