//! Products that LLVM 22 gets wrong on x86: lanes of more than 32 bits, of which both operands are numbers of 16 bits,
//! shifted to the right by more than 16 and cut to 16 bits. `combinePMULH` takes the upper 16 of the product's low 32
//! bits and shifts zeros into them, where bits of the sign should come; from 32 on it makes poison.
//!
//! The operands of products that are shifted are made such that LLVM does not see how small they are. This works on
//! the module as it goes to machine code, so that it does not matter who made the vectors.
//!
//! Invariants: as in [`super`]; `SAFETY: head of file` means that file's.

use inkwell::llvm_sys::LLVMTypeKind;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{LLVMInlineAsmDialect, LLVMOpcode as Opcode};

use super::{Llvm, NONAME, Ty, Val};

/// Numbers of so many bits are multiplied by instructions for 16 bits.
const NARROW: u32 = 16;
/// What products of such numbers have room in; in lanes of this width shifts and cuts are right.
const EXACT: u32 = 32;

impl Llvm {
    /// Changes such products of the module, which is as it goes to machine code.
    pub fn guard_products(&self) {
        // SAFETY: head of file; the lists end with null.
        unsafe {
            let mut function = LLVMGetFirstFunction(self.module);
            while !function.is_null() {
                self.guard_products_of(function);
                function = LLVMGetNextFunction(function);
            }
        }
    }

    /// # Safety
    /// `function` is one of the module's.
    unsafe fn guard_products_of(&self, function: LLVMValueRef) {
        let mut found = Vec::new();
        // SAFETY: head of file; the lists end with null.
        unsafe {
            let mut block = LLVMGetFirstBasicBlock(function);
            while !block.is_null() {
                let mut inst = LLVMGetFirstInstruction(block);
                while !inst.is_null() {
                    if is_at_risk(inst) {
                        found.push(inst);
                    }
                    inst = LLVMGetNextInstruction(inst);
                }
                block = LLVMGetNextBasicBlock(block);
            }
            if found.is_empty() {
                return;
            }
            let entry = LLVMGetEntryBasicBlock(function);
            let first = LLVMGetFirstInstruction(entry);
            LLVMPositionBuilderBefore(self.builder, first);
            let zero = self.unknown_zero();
            for product in found {
                self.guard_product(product, zero);
            }
        }
    }

    /// # Safety
    /// `product` is an instruction that is at risk, and `zero` an `i64` that dominates it.
    unsafe fn guard_product(&self, product: LLVMValueRef, zero: Val) {
        // SAFETY: head of file.
        unsafe {
            LLVMPositionBuilderBefore(self.builder, product);
            let operand = LLVMGetOperand(product, 0);
            // Where it is a wider number extended, that may help LLVM to a better instruction.
            let known = match extended(operand) {
                Some((from, op)) if lane_bits(LLVMTypeOf(from)) > NARROW => Some((from, op)),
                _ => None,
            };
            let ty = LLVMTypeOf(operand);
            let guarded = match known {
                Some((from, op)) => {
                    let narrow = self.or_zero(Val(from), zero);
                    self.cast(op, narrow, Ty(ty))
                }
                None => self.or_zero(Val(operand), zero),
            };
            LLVMSetOperand(product, 0, guarded.0);
        }
    }

    /// The lanes, as LLVM can't know.
    fn or_zero(&self, lanes: Val, zero: Val) -> Val {
        // SAFETY: head of file.
        let (elem, count, bits) = unsafe {
            let ty = LLVMTypeOf(lanes.0);
            let elem = LLVMGetElementType(ty);
            (Ty(elem), LLVMGetVectorSize(ty), LLVMGetIntTypeWidth(elem))
        };
        let zero = match bits {
            0..64 => self.cast(Opcode::LLVMTrunc, zero, elem),
            64 => zero,
            _ => self.cast(Opcode::LLVMZExt, zero, elem),
        };
        let one = self.vector(elem, count);
        let first = self.insert(self.poison(one), zero, self.const_int(self.int(32), 0));
        let all = self.shuffle(first, self.poison(one), &vec![Some(0); count as usize]);
        self.binary(Opcode::LLVMOr, lanes, all)
    }

    /// 0 as an `i64`, by an empty piece of assembly.
    fn unknown_zero(&self) -> Val {
        let int = self.int(64);
        let ty = self.fn_type(int, &[int]);
        let constraints = "=r,0";
        let (text, zero) = (c"", self.const_int(int, 0));
        // SAFETY: head of file; the strings are copied.
        unsafe {
            let asm = LLVMGetInlineAsm(
                ty.0,
                text.as_ptr(),
                0,
                constraints.as_ptr().cast(),
                constraints.len(),
                0,
                0,
                LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
                0,
            );
            let mut args = [zero.0];
            Val(LLVMBuildCall2(
                self.builder,
                ty.0,
                asm,
                args.as_mut_ptr(),
                1,
                NONAME,
            ))
        }
    }
}

/// A product of lanes of more than [`EXACT`] bits, shifted to the right afterwards, of which no operand is too large.
///
/// # Safety
/// `inst` is a live instruction.
unsafe fn is_at_risk(inst: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise; operands and users are live.
    unsafe {
        LLVMGetInstructionOpcode(inst) == Opcode::LLVMMul
            && lane_bits(LLVMTypeOf(inst)) > EXACT
            && (0..2).all(|n| !is_large(LLVMGetOperand(inst, n)))
            && is_shifted(inst)
    }
}

/// Some use shifts it to the right, other than by up to [`NARROW`] bits and no further.
///
/// # Safety
/// `value` is a live instruction.
unsafe fn is_shifted(value: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise; the list of uses ends with null.
    unsafe {
        let mut next = LLVMGetFirstUse(value);
        while !next.is_null() {
            let user = LLVMGetUser(next);
            if shifts_right(user, value)
                && (!small_shift(LLVMGetOperand(user, 1)) || is_shifted_again(user))
            {
                return true;
            }
            next = LLVMGetNextUse(next);
        }
        false
    }
}

/// # Safety
/// `value` is a live instruction.
unsafe fn is_shifted_again(value: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise; the list of uses ends with null.
    unsafe {
        let mut next = LLVMGetFirstUse(value);
        while !next.is_null() {
            if shifts_right(LLVMGetUser(next), value) {
                return true;
            }
            next = LLVMGetNextUse(next);
        }
        false
    }
}

/// # Safety
/// Both are live, and `user` uses `value`.
unsafe fn shifts_right(user: LLVMValueRef, value: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        !LLVMIsAInstruction(user).is_null()
            && matches!(
                LLVMGetInstructionOpcode(user),
                Opcode::LLVMLShr | Opcode::LLVMAShr
            )
            && LLVMGetOperand(user, 0) == value
    }
}

/// The count is the same constant for all lanes, up to [`NARROW`].
///
/// # Safety
/// `count` is a live vector of integers.
unsafe fn small_shift(count: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let lanes = LLVMGetVectorSize(LLVMTypeOf(count));
        (0..lanes).all(|n| lane(count, n).is_some_and(|c| (0..=i64::from(NARROW)).contains(&c)))
    }
}

/// A lane is known to need more than [`NARROW`] bits.
///
/// # Safety
/// `value` is a live vector of integers.
unsafe fn is_large(value: LLVMValueRef) -> bool {
    // SAFETY: the caller's promise.
    unsafe { lane(value, 0).is_some_and(|c| !(-(1 << (NARROW - 1))..1 << NARROW).contains(&c)) }
}

/// A lane of a constant, as a signed number.
///
/// # Safety
/// `vector` is a live vector of integers.
unsafe fn lane(vector: LLVMValueRef, n: u32) -> Option<i64> {
    // SAFETY: the caller's promise; what is no constant has no elements.
    unsafe {
        if LLVMIsConstant(vector) == 0 || lane_bits(LLVMTypeOf(vector)) > 64 {
            return None;
        }
        let lane = LLVMGetAggregateElement(vector, n);
        let known = !lane.is_null() && !LLVMIsAConstantInt(lane).is_null();
        known.then(|| LLVMConstIntGetSExtValue(lane))
    }
}

/// What an extension extends, and how.
///
/// # Safety
/// `value` is live.
unsafe fn extended(value: LLVMValueRef) -> Option<(LLVMValueRef, Opcode)> {
    // SAFETY: the caller's promise.
    unsafe {
        if LLVMIsAInstruction(value).is_null() {
            return None;
        }
        let op = LLVMGetInstructionOpcode(value);
        matches!(op, Opcode::LLVMSExt | Opcode::LLVMZExt).then(|| (LLVMGetOperand(value, 0), op))
    }
}

/// The bits of each lane of a fixed vector of integers; 0 for another type.
///
/// # Safety
/// `ty` is a live type.
unsafe fn lane_bits(ty: LLVMTypeRef) -> u32 {
    // SAFETY: the caller's promise; each type is of the kind that its function takes.
    unsafe {
        if LLVMGetTypeKind(ty) != LLVMTypeKind::LLVMVectorTypeKind {
            return 0;
        }
        let elem = LLVMGetElementType(ty);
        match LLVMGetTypeKind(elem) {
            LLVMTypeKind::LLVMIntegerTypeKind => LLVMGetIntTypeWidth(elem),
            _ => 0,
        }
    }
}
