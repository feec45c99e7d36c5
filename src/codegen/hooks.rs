//! Calls back into the runtime: printf and the report of divergent barriers (`ir::abi`).
//!
//! Invariants: the functions come from the launch at run time, so that an object names none of this process's
//! addresses. All printf calls of a function share one stack buffer.

use std::mem::offset_of;

use super::function::FuncGen;
use super::llvm::{Opcode, Val};
use crate::ir::{DeviceOp, Divergent, Elem, GlobalId, InstData, Type, Value, abi};

/// `kind` of an argument's header word, see [`abi::PrintfFn`].
const KIND_INT: u64 = 0;
const KIND_FLOAT: u64 = 1;
const KIND_POINTER: u64 = 2;

impl FuncGen<'_, '_> {
    pub fn printf(&mut self, format: GlobalId, args: &[Value]) -> Val {
        let llvm = self.llvm;
        let slots = self.printf_buffer();
        let mut at = 0;
        let mut put = |value: Val| {
            llvm.store(value, llvm.field(slots, at), 8);
            at += 8;
        };
        for &arg in args {
            let ty = self.ty(arg);
            put(llvm.const_int(llvm.int(64), header(ty)));
            for lane in 0..ty.lanes {
                put(self.slot_value(self.extract(arg, lane), ty.elem));
            }
        }
        let hook = self.launch_hook(offset_of!(abi::Launch, printf));
        let launch = self.launch_ptr();
        let (ptr, int) = (llvm.ptr(), llvm.int(32));
        let ty = llvm.fn_type(llvm.void(), &[ptr, ptr, ptr, int]);
        let count = llvm.const_int(int, args.len() as u64);
        llvm.call(ty, hook, &[launch, self.unit.global(format), slots, count]);
        llvm.null(int)
    }

    /// A call of the runtime, with the arguments in 64-bit slots.
    pub fn device(&mut self, op: DeviceOp, args: &[Value]) -> Val {
        let llvm = self.llvm;
        let slots = self.printf_buffer();
        for (n, &arg) in args.iter().enumerate() {
            let value = self.slot_value(self.val(arg), self.ty(arg).elem);
            llvm.store(value, llvm.field(slots, 8 * n as u64), 8);
        }
        let hook = self.launch_hook(offset_of!(abi::Launch, device));
        let launch = self.launch_ptr();
        let (ptr, int) = (llvm.ptr(), llvm.int(32));
        let ty = llvm.fn_type(llvm.int(64), &[ptr, int, ptr, int]);
        let number = llvm.const_int(int, op as u64);
        let count = llvm.const_int(int, args.len() as u64);
        llvm.call(ty, hook, &[launch, number, slots, count])
    }

    /// Room for the longest argument list of the function.
    fn printf_buffer(&mut self) -> Val {
        if let Some(slots) = self.printf_slots {
            return slots;
        }
        let mut longest = 1;
        for &block in self.func.layout() {
            for &inst in &self.func.block(block).insts {
                if let InstData::Printf { args, .. } = self.func.inst(inst) {
                    let words = args.iter().map(|&a| 1 + u64::from(self.ty(a).lanes));
                    longest = longest.max(words.sum());
                }
                if let InstData::Device { args, .. } = self.func.inst(inst) {
                    longest = longest.max(args.len() as u64);
                }
            }
        }
        let slots = self.alloca(longest * 8, 8);
        self.printf_slots = Some(slots);
        slots
    }

    fn slot_value(&self, value: Val, elem: Elem) -> Val {
        let llvm = self.llvm;
        match elem {
            Elem::F64 | Elem::I64 | Elem::Ptr(_) => value,
            Elem::F16 | Elem::F32 => llvm.cast(Opcode::LLVMFPExt, value, llvm.float(64)),
            _ => llvm.cast(Opcode::LLVMZExt, value, llvm.int(64)),
        }
    }

    pub fn report_divergence(&mut self, divergent: &Divergent) {
        let llvm = self.llvm;
        let hook = self.launch_hook(offset_of!(abi::Launch, divergence));
        let (ptr, int) = (llvm.ptr(), llvm.int(32));
        let ty = llvm.fn_type(llvm.void(), &[ptr, int, int, int, int, ptr]);
        let [a, b, c, d, next] = divergent.operands().map(|value| self.val(value));
        llvm.call(ty, hook, &[self.group_ptr(), a, b, c, d, next]);
    }
}

fn header(ty: Type) -> u64 {
    let kind = match ty.elem {
        Elem::F16 | Elem::F32 | Elem::F64 => KIND_FLOAT,
        Elem::Ptr(_) => KIND_POINTER,
        _ => KIND_INT,
    };
    kind | ty.elem.bytes() << 8 | u64::from(ty.lanes) << 16
}
