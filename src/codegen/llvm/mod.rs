//! A thin layer over LLVM's C interface: one context with one module and one instruction builder.
//!
//! Invariants: every [`Val`], [`Ty`] and [`Bb`] that is given to an [`Llvm`] came from the same one and dies with it
//! (they never leave `codegen`, and each compilation has one `Llvm`); the caller passes operands of the types that
//! LLVM's language reference asks for, which [`Llvm::verify`] checks afterwards. So wherever a comment says
//! `SAFETY: head of file`, the handles are live and of the right kind. Source: LLVM 22, llvm-c/Core.h.

mod debug;
mod inst;
mod products;

pub use debug::{
    DW_ATE_BOOLEAN, DW_ATE_FLOAT, DW_ATE_SIGNED, DW_ATE_SIGNED_CHAR, DW_ATE_UNSIGNED,
    DW_ATE_UNSIGNED_CHAR, DebugBuilder,
};

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

/// What a module holds: the blocks of its largest function, the instructions of its longest block, and of all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    pub blocks: usize,
    pub block_insts: usize,
    pub insts: usize,
}

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

    pub fn size(&self) -> Size {
        let mut size = Size::default();
        // SAFETY: head of file; the lists end with null.
        unsafe {
            let mut function = LLVMGetFirstFunction(self.module);
            while !function.is_null() {
                let mut blocks = 0;
                let mut block = LLVMGetFirstBasicBlock(function);
                while !block.is_null() {
                    let mut insts = 0;
                    let mut inst = LLVMGetFirstInstruction(block);
                    while !inst.is_null() {
                        insts += 1;
                        inst = LLVMGetNextInstruction(inst);
                    }
                    blocks += 1;
                    size.insts += insts;
                    size.block_insts = size.block_insts.max(insts);
                    block = LLVMGetNextBasicBlock(block);
                }
                size.blocks = size.blocks.max(blocks);
                function = LLVMGetNextFunction(function);
            }
        }
        size
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

    /// Memory that is somewhere else, under a symbol's name.
    pub fn extern_global(&self, name: &CStr, ty: Ty, align: u32) -> Val {
        // SAFETY: head of file.
        unsafe {
            let global = LLVMAddGlobal(self.module, ty.0, name.as_ptr());
            LLVMSetAlignment(global, align);
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
