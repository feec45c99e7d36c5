//! A thin layer over LLVM's C interface: one context with one module and one instruction builder.
//!
//! Invariants: every [`Val`], [`Ty`] and [`Bb`] that is given to an [`Llvm`] came from the same one and dies with it
//! (they never leave `codegen`, and each compilation has one `Llvm`); the caller passes operands of the types that
//! LLVM's language reference asks for, which [`Llvm::verify`] checks afterwards. So wherever a comment says
//! `SAFETY: head of file`, the handles are live and of the right kind. Source: LLVM 22, llvm-c/Core.h.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use inkwell::llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::*;
pub use inkwell::llvm_sys::{
    LLVMAtomicOrdering as Ordering, LLVMAtomicRMWBinOp as RmwOp, LLVMIntPredicate as IntPredicate,
    LLVMLinkage as Linkage, LLVMOpcode as Opcode, LLVMRealPredicate as RealPredicate,
};
use inkwell::llvm_sys::{LLVMDiagnosticSeverity, LLVMUnnamedAddr};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Val(LLVMValueRef);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ty(LLVMTypeRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bb(LLVMBasicBlockRef);

/// A metadata node.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Md(LLVMMetadataRef);

/// An attribute's place: on the function or on a parameter.
#[derive(Clone, Copy)]
pub enum Place {
    Function,
    Param(u32),
}

/// LLVM's fast-math flags, as bits of the C interface.
pub type FastMath = u32;

pub struct Llvm {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    builder: LLVMBuilderRef,
    /// What LLVM complained of; at a stable address, because LLVM keeps a pointer to it.
    errors: Box<RefCell<Vec<String>>>,
    intrinsics: RefCell<HashMap<(&'static str, Ty), Intrinsic>>,
    kinds: RefCell<HashMap<&'static str, u32>>,
}

/// A declared intrinsic and its function type.
type Intrinsic = (Val, Ty);

/// An empty name: values are numbered when the module is printed.
const NONAME: *const c_char = c"".as_ptr();

extern "C" fn on_diagnostic(info: LLVMDiagnosticInfoRef, errors: *mut c_void) {
    // SAFETY: LLVM passes a live diagnostic, and the pointer that `Llvm::new` gave, which lives as long as the context.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) == LLVMDiagnosticSeverity::LLVMDSError {
            let text = message(LLVMGetDiagInfoDescription(info));
            (*errors.cast::<RefCell<Vec<String>>>())
                .borrow_mut()
                .push(text);
        }
    }
}

/// Takes over a string that LLVM allocated.
///
/// # Safety
/// `text` is null or a message that LLVM says is to be freed with `LLVMDisposeMessage`, and is not used afterwards.
pub unsafe fn message(text: *mut c_char) -> String {
    if text.is_null() {
        return "unknown error".into();
    }
    // SAFETY: the caller's promise; LLVM's strings are NUL-terminated.
    unsafe {
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        owned
    }
}

/// A C string of `text`, cut at its first NUL.
pub fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).expect("cut at the first NUL")
}

impl Llvm {
    /// `names`: keep the names of values and blocks, for people who read the module.
    pub fn new(module_name: &str, names: bool) -> Self {
        let errors: Box<RefCell<Vec<String>>> = Box::default();
        let name = c_string(module_name);
        // SAFETY: fresh handles; the handler's argument is boxed and outlives the context (see `drop`).
        unsafe {
            let context = LLVMContextCreate();
            LLVMContextSetDiscardValueNames(context, i32::from(!names));
            let arg: *const RefCell<Vec<String>> = &*errors;
            LLVMContextSetDiagnosticHandler(context, Some(on_diagnostic), arg as *mut c_void);
            let module = LLVMModuleCreateWithNameInContext(name.as_ptr(), context);
            let builder = LLVMCreateBuilderInContext(context);
            Self {
                context,
                module,
                builder,
                errors,
                intrinsics: RefCell::default(),
                kinds: RefCell::default(),
            }
        }
    }

    pub fn module(&self) -> LLVMModuleRef {
        self.module
    }

    /// Checks the module; the message names every fault.
    pub fn verify(&self) -> Result<(), String> {
        let mut text = ptr::null_mut();
        // SAFETY: head of file; LLVM always sets the message, also on success.
        unsafe {
            let bad = LLVMVerifyModule(
                self.module,
                LLVMVerifierFailureAction::LLVMReturnStatusAction,
                &mut text,
            ) != 0;
            let text = message(text);
            if bad { Err(text) } else { Ok(()) }
        }
    }

    /// The errors that LLVM reported since the context was made.
    pub fn take_errors(&self) -> Result<(), String> {
        let errors = self.errors.take();
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors.join("\n"))
        }
    }

    /// The module as text.
    pub fn print(&self) -> String {
        // SAFETY: head of file.
        unsafe { message(LLVMPrintModuleToString(self.module)) }
    }

    // Types.

    pub fn void(&self) -> Ty {
        // SAFETY: head of file.
        Ty(unsafe { LLVMVoidTypeInContext(self.context) })
    }

    pub fn int(&self, bits: u32) -> Ty {
        // SAFETY: head of file.
        Ty(unsafe { LLVMIntTypeInContext(self.context, bits) })
    }

    /// IEEE binary16, 32 or 64.
    pub fn float(&self, bits: u32) -> Ty {
        // SAFETY: head of file.
        Ty(unsafe {
            match bits {
                16 => LLVMHalfTypeInContext(self.context),
                32 => LLVMFloatTypeInContext(self.context),
                _ => LLVMDoubleTypeInContext(self.context),
            }
        })
    }

    pub fn ptr(&self) -> Ty {
        // SAFETY: head of file.
        Ty(unsafe { LLVMPointerTypeInContext(self.context, 0) })
    }

    /// `elem` itself for one lane.
    pub fn vector(&self, elem: Ty, lanes: u32) -> Ty {
        if lanes == 1 {
            return elem;
        }
        // SAFETY: head of file.
        Ty(unsafe { LLVMVectorType(elem.0, lanes) })
    }

    pub fn array(&self, elem: Ty, count: u64) -> Ty {
        // SAFETY: head of file.
        Ty(unsafe { LLVMArrayType2(elem.0, count) })
    }

    pub fn fn_type(&self, ret: Ty, params: &[Ty]) -> Ty {
        let mut params: Vec<LLVMTypeRef> = params.iter().map(|t| t.0).collect();
        // SAFETY: head of file; LLVM copies the list.
        Ty(unsafe { LLVMFunctionType(ret.0, params.as_mut_ptr(), params.len() as u32, 0) })
    }

    pub fn type_of(&self, value: Val) -> Ty {
        // SAFETY: head of file.
        Ty(unsafe { LLVMTypeOf(value.0) })
    }

    // Constants.

    /// `bits` cut to the width of `ty`, an integer type.
    pub fn const_int(&self, ty: Ty, bits: u64) -> Val {
        // SAFETY: head of file. LLVM 22 wants the bits to fit, so they are cut here.
        unsafe {
            let width = LLVMGetIntTypeWidth(ty.0);
            let bits = if width < 64 {
                bits & ((1 << width) - 1)
            } else {
                bits
            };
            Val(LLVMConstInt(ty.0, bits, 0))
        }
    }

    pub fn const_float_bits(&self, ty: Ty, bits: u64) -> Val {
        // SAFETY: head of file; LLVM reads one word for types of up to 64 bits.
        Val(unsafe { LLVMConstFPFromBits(ty.0, &bits) })
    }

    pub fn const_int_to_ptr(&self, value: Val) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMConstIntToPtr(value.0, self.ptr().0) })
    }

    pub fn const_vector(&self, elems: &[Val]) -> Val {
        let mut elems: Vec<LLVMValueRef> = elems.iter().map(|v| v.0).collect();
        // SAFETY: head of file; LLVM copies the list.
        Val(unsafe { LLVMConstVector(elems.as_mut_ptr(), elems.len() as u32) })
    }

    pub fn const_bytes(&self, bytes: &[u8]) -> Val {
        // SAFETY: head of file; LLVM copies the bytes.
        Val(unsafe {
            LLVMConstStringInContext2(self.context, bytes.as_ptr().cast(), bytes.len(), 1)
        })
    }

    pub fn const_packed_struct(&self, fields: &[Val]) -> Val {
        let mut fields: Vec<LLVMValueRef> = fields.iter().map(|v| v.0).collect();
        // SAFETY: head of file; LLVM copies the list.
        Val(unsafe {
            LLVMConstStructInContext(self.context, fields.as_mut_ptr(), fields.len() as u32, 1)
        })
    }

    /// A constant address `base + offset` bytes.
    pub fn const_ptr_add(&self, base: Val, offset: i64) -> Val {
        let mut index = self.const_int(self.int(64), offset as u64).0;
        // SAFETY: head of file.
        Val(unsafe { LLVMConstGEP2(self.int(8).0, base.0, &mut index, 1) })
    }

    pub fn null(&self, ty: Ty) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMConstNull(ty.0) })
    }

    pub fn poison(&self, ty: Ty) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMGetPoison(ty.0) })
    }

    // Globals and functions.

    /// `content` is only for its type until [`Llvm::set_initializer`].
    pub fn add_global(&self, name: &str, ty: Ty, constant: bool, align: u32) -> Val {
        let name = c_string(name);
        // SAFETY: head of file.
        unsafe {
            let global = LLVMAddGlobal(self.module, ty.0, name.as_ptr());
            LLVMSetLinkage(global, Linkage::LLVMInternalLinkage);
            LLVMSetGlobalConstant(global, i32::from(constant));
            LLVMSetAlignment(global, align);
            if constant {
                LLVMSetUnnamedAddress(global, LLVMUnnamedAddr::LLVMNoUnnamedAddr);
            }
            Val(global)
        }
    }

    pub fn set_initializer(&self, global: Val, content: Val) {
        // SAFETY: head of file.
        unsafe { LLVMSetInitializer(global.0, content.0) }
    }

    pub fn add_function(&self, name: &str, ty: Ty, linkage: Linkage) -> Val {
        let name = c_string(name);
        // SAFETY: head of file.
        unsafe {
            let function = LLVMAddFunction(self.module, name.as_ptr(), ty.0);
            LLVMSetLinkage(function, linkage);
            Val(function)
        }
    }

    /// LLVM's `fastcc`: for functions that only this module calls.
    pub fn set_fast_call(&self, function: Val) {
        // SAFETY: head of file; 8 is llvm::CallingConv::Fast.
        unsafe { LLVMSetFunctionCallConv(function.0, 8) }
    }

    pub fn param(&self, function: Val, n: u32) -> Val {
        // SAFETY: head of file.
        Val(unsafe { LLVMGetParam(function.0, n) })
    }

    /// An enum attribute by name; `value` 0 for those without one.
    pub fn attribute(&self, function: Val, place: Place, name: &str, value: u64) {
        // SAFETY: head of file.
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            debug_assert!(kind != 0, "no attribute {name}");
            let attribute = LLVMCreateEnumAttribute(self.context, kind, value);
            let index = match place {
                Place::Function => u32::MAX,
                Place::Param(n) => n + 1,
            };
            LLVMAddAttributeAtIndex(function.0, index, attribute);
        }
    }

    // Blocks and the builder's place.

    pub fn add_block(&self, function: Val, name: &str) -> Bb {
        let name = c_string(name);
        // SAFETY: head of file.
        Bb(unsafe { LLVMAppendBasicBlockInContext(self.context, function.0, name.as_ptr()) })
    }

    pub fn at_end(&self, block: Bb) {
        // SAFETY: head of file.
        unsafe { LLVMPositionBuilderAtEnd(self.builder, block.0) }
    }

    pub fn current_block(&self) -> Bb {
        // SAFETY: head of file; the builder always stands in a block here.
        Bb(unsafe { LLVMGetInsertBlock(self.builder) })
    }

    // Instructions. Names are as in the language reference.

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

    pub fn md_node(&self, operands: &[Md]) -> Md {
        let mut operands: Vec<LLVMMetadataRef> = operands.iter().map(|m| m.0).collect();
        // SAFETY: head of file; LLVM copies the list.
        Md(unsafe { LLVMMDNodeInContext2(self.context, operands.as_mut_ptr(), operands.len()) })
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

impl Drop for Llvm {
    fn drop(&mut self) {
        // SAFETY: the three are live and die here, the context last; `errors` dies after it.
        unsafe {
            LLVMDisposeBuilder(self.builder);
            LLVMDisposeModule(self.module);
            LLVMContextDispose(self.context);
        }
    }
}
