//! Brings an object into this process: LLVM's ORC, with JITLink as its linker.
//!
//! Invariants: a process has one session, which is never taken down (only a spare one that nobody has used); each object has a symbol table of its own, in a
//! bare library that links to nothing but [`super::helpers`] and the program's variables. Dropping a [`Loaded`] frees its code and data and gives
//! the library back for the next object, because ORC has no way to take one down. Nothing runs at load time: our
//! objects have no initialisers. The child of a fork makes its own session (a thread that is gone may have held the
//! lock of the old one) and leaves its parent's code where it is. Source: llvm-c/Orc.h, llvm-c/LLJIT.h.

use once_cell::sync::OnceCell;
use std::ffi::{CStr, c_void};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};

use inkwell::llvm_sys::core::LLVMCreateMemoryBufferWithMemoryRangeCopy;
use inkwell::llvm_sys::error::LLVMErrorRef;
use inkwell::llvm_sys::orc2::lljit::*;
use inkwell::llvm_sys::orc2::*;

use super::data::{self, Data};
use super::gdb::{self, Registered};
use super::helpers;
use super::llvm::c_string;
use super::module::GROUP_PREFIX;
use super::target::{check, initialize};
use crate::ir::abi::GroupFn;
use crate::sync::Mutex;

/// Machine code in this process, alive as long as this is.
pub struct Loaded {
    linker: &'static Linker,
    library: LLVMOrcJITDylibRef,
    /// The variables that the code knows the address of.
    data: Option<Arc<Data>>,
    /// As debuggers know it.
    registered: OnceCell<Registered>,
}

// SAFETY: ORC guards its session with a lock of its own, so lookups may come from several threads; the rest is
// touched when it is made and when it is dropped.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

/// The session of one process.
struct Linker {
    process: u32,
    jit: LLVMOrcLLJITRef,
    /// What the session complained of outside of a call's own result.
    reported: Mutex<Vec<String>>,
    libraries: Mutex<Libraries>,
    /// Of the list for debuggers.
    debuggers: Mutex<()>,
}

// SAFETY: as for `Loaded`; the handles of libraries are used by one `Loaded` at a time.
unsafe impl Send for Linker {}
// SAFETY: as above.
unsafe impl Sync for Linker {}

#[derive(Default)]
struct Libraries {
    made: usize,
    free: Vec<LLVMOrcJITDylibRef>,
}

/// The session of this process, made when it is first needed.
fn linker() -> Result<&'static Linker, String> {
    static CURRENT: AtomicPtr<Linker> = AtomicPtr::new(ptr::null_mut());
    // Acquire: pairs with the release below, so that who finds a linker sees all of it.
    let found = CURRENT.load(Ordering::Acquire);
    // SAFETY: what was stored is leaked, so that it lives for ever.
    if let Some(linker) = unsafe { found.as_ref() }
        && linker.process == std::process::id()
    {
        return Ok(linker);
    }
    let made = Box::into_raw(Box::new(Linker::new()?));
    // SAFETY: as above: it is leaked. The reporter gets the address that the linker keeps.
    unsafe {
        let session = LLVMOrcLLJITGetExecutionSession((*made).jit);
        let reported = &raw const (*made).reported;
        LLVMOrcExecutionSessionSetErrorReporter(session, on_error, reported as *mut c_void);
    }
    // AcqRel and Acquire: as for the load.
    match CURRENT.compare_exchange(found, made, Ordering::AcqRel, Ordering::Acquire) {
        // SAFETY: leaked, by whoever stored it.
        Ok(_) => Ok(unsafe { &*made }),
        Err(theirs) => {
            // SAFETY: another thread was first, so that nobody but this one knows the spare session.
            unsafe {
                let spare = Box::from_raw(made);
                check(LLVMOrcDisposeLLJIT(spare.jit))?;
                Ok(&*theirs)
            }
        }
    }
}

impl Linker {
    fn new() -> Result<Linker, String> {
        initialize()?;
        let mut jit = ptr::null_mut();
        // SAFETY: a null builder stands for the default one.
        unsafe { check(LLVMOrcCreateLLJIT(&mut jit, ptr::null_mut()))? };
        Ok(Linker {
            process: std::process::id(),
            jit,
            reported: Mutex::default(),
            libraries: Mutex::default(),
            debuggers: Mutex::default(),
        })
    }

    fn session(&self) -> LLVMOrcExecutionSessionRef {
        // SAFETY: live.
        unsafe { LLVMOrcLLJITGetExecutionSession(self.jit) }
    }

    /// An empty library: one that was given back, or a new one.
    fn library(&self) -> LLVMOrcJITDylibRef {
        let number = {
            let mut libraries = self.libraries.lock();
            if let Some(free) = libraries.free.pop() {
                return free;
            }
            libraries.made += 1;
            libraries.made
        };
        let name = c_string(&format!("kernels.{number}"));
        // SAFETY: live session; the name is new in it.
        unsafe { LLVMOrcExecutionSessionCreateBareJITDylib(self.session(), name.as_ptr()) }
    }
}

extern "C" fn on_error(reported: *mut c_void, error: LLVMErrorRef) {
    // SAFETY: the session passes a live error, and the pointer that `linker` gave, which lives for ever.
    unsafe {
        if let Err(text) = check(error) {
            (*reported.cast::<Mutex<Vec<String>>>()).lock().push(text);
        }
    }
}

/// Loads an object that [`super::emit`] made of a module without variables in global memory. Errors: bytes that are
/// not such an object.
pub fn load(object: &[u8]) -> Result<Loaded, String> {
    load_with(object, None)
}

/// As [`load`], with the program's variables.
pub fn load_with(object: &[u8], data: Option<Arc<Data>>) -> Result<Loaded, String> {
    let linker = linker()?;
    let (jit, session) = (linker.jit, linker.session());
    let loaded = Loaded {
        linker,
        library: linker.library(),
        data,
        registered: OnceCell::new(),
    };
    // SAFETY: live handles, in the order in which ORC's interface wants them; the library belongs to the session of
    // `jit`. The calls that define symbols and add the object take over what they are given.
    unsafe {
        let mut symbols: Vec<LLVMOrcCSymbolMapPair> = helpers::all()
            .iter()
            .map(|helper| (helper.name, helper.address))
            .chain(
                loaded
                    .data
                    .iter()
                    .map(|data| (data::SYMBOL, data.address())),
            )
            .map(|(name, address)| LLVMOrcCSymbolMapPair {
                Name: LLVMOrcExecutionSessionIntern(session, name.as_ptr()),
                Sym: absolute(address),
            })
            .collect();
        let unit = LLVMOrcAbsoluteSymbols(symbols.as_mut_ptr(), symbols.len());
        check(LLVMOrcJITDylibDefine(loaded.library, unit))?;
        let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
            object.as_ptr().cast(),
            object.len(),
            c"kernels".as_ptr(),
        );
        check(LLVMOrcLLJITAddObjectFile(jit, loaded.library, buffer))?;
    }
    Ok(loaded)
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
    // SAFETY: `address` gave the sender away to this one call; a lookup of one symbol that succeeds gives one pair.
    unsafe {
        let out = Box::from_raw(out.cast::<SyncSender<Result<u64, String>>>());
        let found = match check(error) {
            Ok(()) if count == 1 => Ok((*result).Sym.Address),
            Ok(()) => Err("the symbol has no address".into()),
            Err(text) => Err(text),
        };
        // The channel has room.
        let _ = out.send(found);
    }
}

impl Loaded {
    /// The function of the kernel `name`. The first lookup links the object, so an error can be the link's. The function
    /// may be called only while `self` lives.
    pub fn lookup(&self, name: &str) -> Result<GroupFn, String> {
        let symbol = c_string(&format!("{GROUP_PREFIX}{name}"));
        let address = self.address(&symbol)?;
        // LLVM leaves nothing of a function that stores to null whatever happens, and JITLink gives nothing no address.
        if address == 0 {
            return Err(format!(
                "'{name}' has no code, because what it does is always undefined"
            ));
        }
        // SAFETY: symbols with this prefix are group functions, by `module::lower`.
        Ok(unsafe { std::mem::transmute::<usize, GroupFn>(address as usize) })
    }

    /// Tells debuggers of the code, which was loaded from `object` and has its function of `kernel` at `entry`. Without debug
    /// information there is nothing to tell.
    pub fn announce(&self, object: &[u8], kernel: &str, entry: GroupFn) {
        if let Some(registered) = gdb::register(&self.linker.debuggers, object, kernel, entry) {
            let _ = self.registered.set(registered);
        }
    }

    fn address(&self, symbol: &CStr) -> Result<u64, String> {
        // Any thread that looks something up may link what another one waits for.
        let (sender, receiver) = sync_channel(1);
        // SAFETY: live handles. The lookup takes over the reference to the name, and calls `on_found` once.
        unsafe {
            let session = self.linker.session();
            let mut order = LLVMOrcCJITDylibSearchOrderElement {
                JD: self.library,
                JDLookupFlags:
                    LLVMOrcJITDylibLookupFlags::LLVMOrcJITDylibLookupFlagsMatchExportedSymbolsOnly,
            };
            let mut wanted = LLVMOrcCLookupSetElement {
                Name: LLVMOrcExecutionSessionIntern(session, symbol.as_ptr()),
                LookupFlags: LLVMOrcSymbolLookupFlags::LLVMOrcSymbolLookupFlagsRequiredSymbol,
            };
            let out: *mut SyncSender<Result<u64, String>> = Box::into_raw(Box::new(sender));
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
        let found = receiver.recv();
        let found = found.unwrap_or_else(|_| Err("no answer from the linker".into()));
        found.map_err(|error| self.explain(error))
    }

    /// The error, with what the session reported before it.
    fn explain(&self, error: String) -> String {
        let mut lines = std::mem::take(&mut *self.linker.reported.lock());
        lines.push(error);
        lines.join("\n")
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        let registered = self.registered.take();
        if self.linker.process != std::process::id() {
            // It stays in the list, whose lock nobody may hold any more.
            std::mem::forget(registered);
            return;
        }
        if let Some(registered) = registered {
            gdb::unregister(&self.linker.debuggers, registered);
        }
        let session = self.linker.session();
        // SAFETY: live, and used no more. A library that can't be emptied is not used again.
        unsafe {
            if check(LLVMOrcJITDylibClear(self.library)).is_ok() {
                self.linker.libraries.lock().free.push(self.library);
            }
            let names = LLVMOrcExecutionSessionGetSymbolStringPool(session);
            LLVMOrcSymbolStringPoolClearDeadEntries(names);
        }
    }
}
