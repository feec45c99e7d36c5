//! Instructions, at the builder's place, with their flags and metadata. Names are as in LLVM's language reference.
//!
//! Invariants: as in [`super`]; `SAFETY: head of file` means that file's.

use inkwell::llvm_sys::LLVMInlineAsmDialect;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
use inkwell::llvm_sys::prelude::*;

use super::{
    Bb, FastMath, IntPredicate, Llvm, Md, NONAME, Opcode, Ordering, RealPredicate, RmwOp, Ty, Val,
};

impl Llvm {
    pub fn binary(&self, op: Opcode, a: Val, b: Val) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildBinOp(self.builder, op, a.0, b.0, NONAME) })
    }

    pub fn fneg(&self, a: Val) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildFNeg(self.builder, a.0, NONAME) })
    }

    pub fn icmp(&self, cc: IntPredicate, a: Val, b: Val) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildICmp(self.builder, cc, a.0, b.0, NONAME) })
    }

    pub fn fcmp(&self, cc: RealPredicate, a: Val, b: Val) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildFCmp(self.builder, cc, a.0, b.0, NONAME) })
    }

    pub fn select(&self, cond: Val, then: Val, els: Val) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildSelect(self.builder, cond.0, then.0, els.0, NONAME) })
    }

    pub fn cast(&self, op: Opcode, a: Val, to: Ty) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildCast(self.builder, op, a.0, to.0, NONAME) })
    }

    pub fn freeze(&self, a: Val) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildFreeze(self.builder, a.0, NONAME) })
    }

    pub fn extract(&self, vec: Val, lane: Val) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildExtractElement(self.builder, vec.0, lane.0, NONAME) })
    }

    pub fn insert(&self, vec: Val, scalar: Val, lane: Val) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildInsertElement(self.builder, vec.0, scalar.0, lane.0, NONAME) })
    }

    /// `None` in the mask is a lane that nobody reads.
    pub fn shuffle(&self, a: Val, b: Val, mask: &[Option<u32>]) -> Val {
        let i32_ty = self.int(32);
        let mask: Vec<Val> = mask
            .iter()
            .map(|lane| match lane {
                Some(n) => self.const_int(i32_ty, u64::from(*n)),
                None => self.poison(i32_ty),
            })
            .collect();
        let mask = self.const_vector(&mask);
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildShuffleVector(self.builder, a.0, b.0, mask.0, NONAME) })
    }

    pub fn extract_value(&self, aggregate: Val, n: u32) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildExtractValue(self.builder, aggregate.0, n, NONAME) })
    }

    pub fn alloca(&self, ty: Ty, align: u32) -> Val {
        // SAFETY: head of file.
        unsafe {
            let slot = LLVMBuildAlloca(self.builder, ty.0, NONAME);
            LLVMSetAlignment(slot, align);
            Val(slot)
        }
    }

    pub fn load(&self, ty: Ty, ptr: Val, align: u32) -> Val {
        // SAFETY: head of file.
        unsafe {
            let load = LLVMBuildLoad2(self.builder, ty.0, ptr.0, NONAME);
            LLVMSetAlignment(load, align);
            Val(load)
        }
    }

    pub fn store(&self, value: Val, ptr: Val, align: u32) -> Val {
        // SAFETY: head of file.
        unsafe {
            let store = LLVMBuildStore(self.builder, value.0, ptr.0);
            LLVMSetAlignment(store, align);
            Val(store)
        }
    }

    pub fn set_volatile(&self, access: Val) {
        // SAFETY: head of file.
        unsafe { LLVMSetVolatile(access.0, 1) }
    }

    /// Makes a load or store atomic.
    pub fn set_atomic(&self, access: Val, order: Ordering, scope: u32) {
        // SAFETY: head of file.
        unsafe {
            LLVMSetOrdering(access.0, order);
            LLVMSetAtomicSyncScopeID(access.0, scope);
        }
    }

    /// `ptr + offset` bytes; no promise about where that leads.
    pub fn ptr_add(&self, ptr: Val, offset: Val) -> Val {
        let mut index = offset.0;
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildGEP2(self.builder, self.int(8).0, ptr.0, &mut index, 1, NONAME) })
    }

    /// `ptr + index * scale` bytes; the index is sign-extended.
    pub fn ptr_scaled(&self, ptr: Val, index: Val, scale: u32) -> Val {
        let mut index = index.0;
        let unit = self.array(self.int(8), u64::from(scale));
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildGEP2(self.builder, unit.0, ptr.0, &mut index, 1, NONAME) })
    }

    /// `ptr + offset` bytes, inside the object that `ptr` leads to.
    pub fn field(&self, ptr: Val, offset: u64) -> Val {
        let mut index = self.const_int(self.int(64), offset).0;
        // SAFETY: head of file.
        Val(unsafe {
            LLVMBuildInBoundsGEP2(self.builder, self.int(8).0, ptr.0, &mut index, 1, NONAME)
        })
    }

    pub fn memcpy(&self, dst: Val, src: Val, size: u64, align: u32) {
        let size = self.const_int(self.int(64), size);
        // SAFETY: head of file; `align` is a power of two.
        unsafe {
            LLVMBuildMemCpy(self.builder, dst.0, align, src.0, align, size.0);
        }
    }

    pub fn memset(&self, dst: Val, byte: Val, size: u64, align: u32) {
        let size = self.const_int(self.int(64), size);
        // SAFETY: head of file; `align` is a power of two.
        unsafe {
            LLVMBuildMemSet(self.builder, dst.0, byte.0, size.0, align);
        }
    }

    pub fn rmw(&self, op: RmwOp, ptr: Val, value: Val, order: Ordering, scope: u32) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildAtomicRMWSyncScope(self.builder, op, ptr.0, value.0, order, scope) })
    }

    /// The result is a pair: the old value, and whether it was the expected one. `orders`: on success, on failure.
    pub fn cmpxchg(
        &self,
        ptr: Val,
        expected: Val,
        new: Val,
        orders: (Ordering, Ordering),
        scope: u32,
    ) -> Val {
        // SAFETY: head of file.
        Val(unsafe {
            LLVMBuildAtomicCmpXchgSyncScope(
                self.builder,
                ptr.0,
                expected.0,
                new.0,
                orders.0,
                orders.1,
                scope,
            )
        })
    }

    pub fn fence(&self, order: Ordering, scope: u32) {
        // SAFETY: head of file.
        unsafe {
            LLVMBuildFenceSyncScope(self.builder, order, scope, NONAME);
        }
    }

    /// LLVM's number for a synchronisation scope: `""` is the system, `"singlethread"` the thread.
    pub fn sync_scope(&self, name: &str) -> u32 {
        // SAFETY: head of file.
        unsafe { LLVMGetSyncScopeID(self.context, name.as_ptr().cast(), name.len()) }
    }

    pub fn call(&self, ty: Ty, function: Val, args: &[Val]) -> Val {
        let mut args: Vec<LLVMValueRef> = args.iter().map(|v| v.0).collect();
        // SAFETY: head of file; LLVM copies the list.
        Val(unsafe {
            LLVMBuildCall2(
                self.builder,
                ty.0,
                function.0,
                args.as_mut_ptr(),
                args.len() as u32,
                NONAME,
            )
        })
    }

    pub fn set_fast_call_site(&self, call: Val) {
        // SAFETY: head of file; 8 is llvm::CallingConv::Fast.
        unsafe { LLVMSetInstructionCallConv(call.0, 8) }
    }

    /// Calls an intrinsic that is overloaded on `ty` alone.
    pub fn intrinsic(&self, name: &'static str, ty: Ty, args: &[Val]) -> Val {
        let known = self.intrinsics.borrow().get(&(name, ty)).copied();
        let (function, fn_ty) = known.unwrap_or_else(|| {
            // SAFETY: head of file.
            let made = unsafe {
                let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
                debug_assert!(id != 0, "no intrinsic {name}");
                let mut over = ty.0;
                (
                    Val(LLVMGetIntrinsicDeclaration(self.module, id, &mut over, 1)),
                    Ty(LLVMIntrinsicGetType(self.context, id, &mut over, 1)),
                )
            };
            self.intrinsics.borrow_mut().insert((name, ty), made);
            made
        });
        self.call(fn_ty, function, args)
    }

    /// Calls an intrinsic that is overloaded on several types.
    pub fn intrinsic_of(&self, name: &'static str, over: &[Ty], args: &[Val]) -> Val {
        let mut over: Vec<LLVMTypeRef> = over.iter().map(|t| t.0).collect();
        // SAFETY: head of file; LLVM copies the list.
        let (function, ty) = unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            debug_assert!(id != 0, "no intrinsic {name}");
            let (types, count) = (over.as_mut_ptr(), over.len());
            (
                Val(LLVMGetIntrinsicDeclaration(self.module, id, types, count)),
                Ty(LLVMIntrinsicGetType(self.context, id, types, count)),
            )
        };
        self.call(ty, function, args)
    }

    /// What the n-th argument of a call is aligned to, in bytes.
    pub fn set_param_align(&self, call: Val, n: u32, align: u32) {
        // SAFETY: head of file; index 0 is the result.
        unsafe { LLVMSetInstrParamAlignment(call.0, n + 1, align.max(1)) }
    }

    pub fn phi(&self, ty: Ty) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMBuildPhi(self.builder, ty.0, NONAME) })
    }

    pub fn add_incoming(&self, phi: Val, value: Val, from: Bb) {
        let (mut value, mut from) = (value.0, from.0);
        // SAFETY: head of file; one pair.
        unsafe { LLVMAddIncoming(phi.0, &mut value, &mut from, 1) }
    }

    pub fn br(&self, to: Bb) {
        // SAFETY: head of file.
        unsafe {
            LLVMBuildBr(self.builder, to.0);
        }
    }

    pub fn cond_br(&self, cond: Val, then: Bb, els: Bb) {
        // SAFETY: head of file.
        unsafe {
            LLVMBuildCondBr(self.builder, cond.0, then.0, els.0);
        }
    }

    pub fn switch(&self, value: Val, cases: &[(Val, Bb)], default: Bb) {
        // SAFETY: head of file.
        unsafe {
            let switch = LLVMBuildSwitch(self.builder, value.0, default.0, cases.len() as u32);
            for (case, to) in cases {
                LLVMAddCase(switch, case.0, to.0);
            }
        }
    }

    pub fn ret(&self, value: Option<Val>) {
        // SAFETY: head of file.
        unsafe {
            match value {
                Some(value) => LLVMBuildRet(self.builder, value.0),
                None => LLVMBuildRetVoid(self.builder),
            };
        }
    }

    // Flags and metadata of instructions.

    /// The builder folds what is constant: then there is no instruction to mark.
    fn is_inst(&self, value: Val) -> bool {
        // SAFETY: head of file.
        unsafe { !LLVMIsAInstruction(value.0).is_null() }
    }

    pub fn is_const(&self, value: Val) -> bool {
        // SAFETY: head of file.
        unsafe { LLVMIsConstant(value.0) != 0 }
    }

    /// The bits of a constant integer of 64 bits at most.
    pub fn as_const_int(&self, value: Val) -> Option<u64> {
        // SAFETY: head of file; the second call is for what the first has found to be one.
        unsafe {
            let constant = LLVMIsAConstantInt(value.0);
            (!constant.is_null()).then(|| LLVMConstIntGetZExtValue(constant))
        }
    }

    /// The same integer, of which LLVM does not see where it comes from. No instruction.
    pub fn opaque(&self, value: Val) -> Val {
        const FROM_REGISTER_TO_ITSELF: &str = "=r,0";
        let ty = self.type_of(value);
        let signature = self.fn_type(ty, &[ty]);
        // SAFETY: head of file; an empty text in LLVM's own dialect, which neither writes nor throws.
        let nothing = Val(unsafe {
            LLVMGetInlineAsm(
                signature.0,
                c"".as_ptr(),
                0,
                FROM_REGISTER_TO_ITSELF.as_ptr().cast(),
                FROM_REGISTER_TO_ITSELF.len(),
                0,
                0,
                LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
                0,
            )
        });
        self.call(signature, nothing, &[value])
    }

    /// Gives the flags to a floating-point instruction and hands it back; others stay as they are.
    pub fn with_fast_math(&self, value: Val, flags: FastMath) -> Val {
        // SAFETY: head of file; only instructions that may have the flags get them.
        unsafe {
            if flags != 0 && self.is_inst(value) && LLVMCanValueUseFastMathFlags(value.0) != 0 {
                LLVMSetFastMathFlags(value.0, flags);
            }
        }
        value
    }

    /// Names an instruction's result; other values keep the names they have.
    pub fn set_name(&self, value: Val, name: &str) {
        if self.is_inst(value) {
            // SAFETY: head of file.
            unsafe { LLVMSetValueName2(value.0, name.as_ptr().cast(), name.len()) }
        }
    }

    pub fn md_string(&self, text: &str) -> Md {
        // SAFETY: head of file.
        Md(unsafe { LLVMMDStringInContext2(self.context, text.as_ptr().cast(), text.len()) })
    }

    pub fn md_int(&self, value: u64) -> Md {
        // SAFETY: head of file.
        Md(unsafe { LLVMValueAsMetadata(self.const_int(self.int(64), value).0) })
    }

    pub fn md_int32(&self, value: u32) -> Md {
        // SAFETY: head of file.
        Md(unsafe { LLVMValueAsMetadata(self.const_int(self.int(32), value.into()).0) })
    }

    pub fn md_node(&self, operands: &[Md]) -> Md {
        let mut operands: Vec<LLVMMetadataRef> = operands.iter().map(|m| m.0).collect();
        // SAFETY: head of file; LLVM copies the list.
        Md(unsafe { LLVMMDNodeInContext2(self.context, operands.as_mut_ptr(), operands.len()) })
    }

    /// The name of a loop, with properties by their names.
    pub fn loop_node(&self, properties: &[(&str, Option<u64>)]) -> Md {
        let property = |&(name, value): &(&str, Option<u64>)| {
            let name = self.md_string(name);
            let value = value.map(|n| self.md_int(n));
            self.md_node(&[&[name], value.as_slice()].concat())
        };
        let properties: Vec<Md> = properties.iter().map(property).collect();
        // SAFETY: head of file. A loop's node is its own first operand; replacing the temporary node frees it.
        unsafe {
            let own = LLVMTemporaryMDNode(self.context, std::ptr::null_mut(), 0);
            let node = self.md_node(&[&[Md(own)], &properties[..]].concat());
            LLVMMetadataReplaceAllUsesWith(own, node.0);
            node
        }
    }

    /// Gives metadata to the terminator of a block that has one.
    pub fn mark_terminator(&self, block: Bb, kind: &'static str, node: Md) {
        // SAFETY: head of file.
        let terminator = unsafe { LLVMGetBasicBlockTerminator(block.0) };
        self.set_metadata(Val(terminator), kind, node);
    }

    pub fn set_metadata(&self, inst: Val, kind: &'static str, node: Md) {
        if !self.is_inst(inst) {
            return;
        }
        // SAFETY: head of file.
        unsafe {
            let kind = *self.kinds.borrow_mut().entry(kind).or_insert_with(|| {
                LLVMGetMDKindIDInContext(self.context, kind.as_ptr().cast(), kind.len() as u32)
            });
            LLVMSetMetadata(inst.0, kind, LLVMMetadataAsValue(self.context, node.0));
        }
    }
}
