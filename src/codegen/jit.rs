//! Brings an object into this process: LLVM's ORC, with JITLink as its linker.
//!
//! Invariants: each object has a session and a symbol table of its own, in a bare library that links to nothing but
//! [`super::helpers`]; dropping a [`Loaded`] frees its code and data. Nothing runs at load time: our objects have no
//! initialisers. Source: llvm-c/Orc.h, llvm-c/LLJIT.h.

use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::Mutex;

use inkwell::llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy;
use inkwell::llvm_sys::error::LLVMErrorRef;
use inkwell::llvm_sys::orc2::lljit::*;
use inkwell::llvm_sys::orc2::*;

use super::helpers;
use super::llvm::c_string;
use super::module::GROUP_PREFIX;
use super::target::{check, initialize};
use crate::ir::abi::GroupFn;

/// Machine code in this process, alive as long as this is.
pub struct Loaded {
    jit: LLVMOrcLLJITRef,
    library: LLVMOrcJITDylibRef,
    /// What the session complained of outside of a call's own result; boxed, because the session keeps its address.
    reported: Box<Mutex<Vec<String>>>,
}

// SAFETY: ORC guards its session with a lock of its own, so lookups may come from several threads; the rest is
// touched when it is made and when it is dropped.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

extern "C" fn on_error(reported: *mut c_void, error: LLVMErrorRef) {
    // SAFETY: the session passes a live error, and the pointer that `load` gave, which outlives the session.
    unsafe {
        if let Err(text) = check(error)
            && let Ok(mut list) = (*reported.cast::<Mutex<Vec<String>>>()).lock()
        {
            list.push(text);
        }
    }
}

/// Loads an object that [`super::emit`] made. Errors: bytes that are not such an object.
pub fn load(object: &[u8]) -> Result<Loaded, String> {
    initialize()?;
    // SAFETY: live handles, in the order in which ORC's interface wants them; `library` belongs to the session of
    // `jit`. The calls that define symbols and add the object take over what they are given.
    unsafe {
        let mut jit = ptr::null_mut();
        check(LLVMOrcCreateLLJIT(&mut jit, ptr::null_mut()))?;
        let session = LLVMOrcLLJITGetExecutionSession(jit);
        let reported: Box<Mutex<Vec<String>>> = Box::default();
        let list: *const Mutex<Vec<String>> = &*reported;
        LLVMOrcExecutionSessionSetErrorReporter(session, on_error, list as *mut c_void);
        let library = LLVMOrcExecutionSessionCreateBareJITDylib(session, c"kernels".as_ptr());
        let loaded = Loaded {
            jit,
            library,
            reported,
        };
        let mut symbols: Vec<LLVMOrcCSymbolMapPair> = helpers::all()
            .iter()
            .map(|helper| LLVMOrcCSymbolMapPair {
                Name: LLVMOrcExecutionSessionIntern(session, helper.name.as_ptr()),
                Sym: absolute(helper.address),
            })
            .collect();
        let unit = LLVMOrcAbsoluteSymbols(symbols.as_mut_ptr(), symbols.len());
        check(LLVMOrcJITDylibDefine(library, unit))?;
        let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
            object.as_ptr().cast(),
            object.len(),
            c"kernels".as_ptr(),
        );
        check(LLVMOrcLLJITAddObjectFile(jit, library, buffer))?;
        Ok(loaded)
    }
}

fn absolute(address: usize) -> LLVMJITEvaluatedSymbol {
    use LLVMJITSymbolGenericFlags::*;
    let flags = LLVMJITSymbolGenericFlagsExported as u8 | LLVMJITSymbolGenericFlagsCallable as u8;
    LLVMJITEvaluatedSymbol {
        Address: address as u64,
        Flags: LLVMJITSymbolFlags {
            GenericFlags: flags,
            TargetFlags: 0,
        },
    }
}

extern "C" fn on_found(
    error: LLVMErrorRef,
    result: LLVMOrcCSymbolMapPairs,
    count: usize,
    out: *mut c_void,
) {
    // SAFETY: `lookup` waits below with `out` alive; a lookup of one symbol that succeeds gives one pair.
    unsafe {
        let out = &mut *out.cast::<Result<u64, String>>();
        *out = match check(error) {
            Ok(()) if count == 1 => Ok((*result).Sym.Address),
            Ok(()) => Err("the symbol has no address".into()),
            Err(text) => Err(text),
        };
    }
}

impl Loaded {
    /// The function of the kernel `name`. The first lookup links the object, so an error can be the link's. The function
    /// may be called only while `self` lives.
    pub fn lookup(&self, name: &str) -> Result<GroupFn, String> {
        let symbol = c_string(&format!("{GROUP_PREFIX}{name}"));
        let address = self.address(&symbol)?;
        // SAFETY: symbols with this prefix are group functions, by `module::lower`.
        Ok(unsafe { std::mem::transmute::<usize, GroupFn>(address as usize) })
    }

    fn address(&self, symbol: &CStr) -> Result<u64, String> {
        let mut found: Result<u64, String> = Err("no answer from the linker".into());
        // SAFETY: live handles; the session has no threads of its own, so that the answer comes before the call returns.
        // The lookup takes over the reference to the name.
        unsafe {
            let session = LLVMOrcLLJITGetExecutionSession(self.jit);
            let mut order = LLVMOrcCJITDylibSearchOrderElement {
                JD: self.library,
                JDLookupFlags:
                    LLVMOrcJITDylibLookupFlags::LLVMOrcJITDylibLookupFlagsMatchExportedSymbolsOnly,
            };
            let mut wanted = LLVMOrcCLookupSetElement {
                Name: LLVMOrcExecutionSessionIntern(session, symbol.as_ptr()),
                LookupFlags: LLVMOrcSymbolLookupFlags::LLVMOrcSymbolLookupFlagsRequiredSymbol,
            };
            let out: *mut Result<u64, String> = &mut found;
            LLVMOrcExecutionSessionLookup(
                session,
                LLVMOrcLookupKind::LLVMOrcLookupKindStatic,
                &mut order,
                1,
                &mut wanted,
                1,
                on_found,
                out.cast(),
            );
        }
        found.map_err(|error| self.explain(error))
    }

    /// The error, with what the session reported before it.
    fn explain(&self, error: String) -> String {
        let mut lines = self
            .reported
            .lock()
            .map(|mut list| std::mem::take(&mut *list))
            .unwrap_or_default();
        lines.push(error);
        lines.join("\n")
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // SAFETY: live, and used no more; an error at the end leaves nothing to do.
        let _ = unsafe { check(LLVMOrcDisposeLLJIT(self.jit)) };
    }
}
