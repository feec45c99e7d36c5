//! The host as LLVM's target: passes over a module, then machine code.
//!
//! Invariants: LLVM is set up once; each module is worked on by a thread of its own, because LLVM ends the process on
//! errors that it holds for fatal unless the handler does not return. Our handler hands the message to whoever waits
//! and stops the thread for good: its stack and its module are lost, the process is not.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::sync::OnceLock;
use std::sync::mpsc::{SyncSender, sync_channel};

use inkwell::llvm_sys::core::{LLVMDisposeMemoryBuffer, LLVMGetBufferSize, LLVMGetBufferStart};
use inkwell::llvm_sys::core::{LLVMSetDataLayout, LLVMSetTarget};
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use inkwell::llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use inkwell::llvm_sys::target::{
    LLVM_InitializeNativeAsmPrinter, LLVM_InitializeNativeTarget, LLVMCopyStringRepOfTargetData,
    LLVMDisposeTargetData,
};
use inkwell::llvm_sys::target_machine::*;
use inkwell::llvm_sys::transforms::pass_builder::*;

use super::Options;
use super::effort::{self, Effort};
use super::llvm::{Llvm, c_string, message};

/// What becomes of the module.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Output {
    Object,
    Assembly,
    OptimizedLlvm,
    Llvm,
}

/// LLVM's recursion over deep expressions and control flow fits in this; pages that are not touched cost nothing.
const STACK: usize = 64 << 20;

type Answer = SyncSender<Result<Vec<u8>, String>>;

thread_local! {
    /// Where this thread's result is waited for.
    static WAITING: RefCell<Option<Answer>> = const { RefCell::new(None) };
}

/// A module on its way to the thread that works on it.
struct Sent(Llvm);

// SAFETY: an `Llvm` owns its context whole, and only one thread at a time has it.
unsafe impl Send for Sent {}

extern "C" fn on_fatal(reason: *const c_char) {
    // SAFETY: LLVM passes a NUL-terminated string.
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy();
    let waiting = WAITING.with(|w| w.take());
    if let Some(waiting) = waiting {
        // A full channel or a receiver that has gone leaves nobody to tell.
        let _ = waiting.try_send(Err(format!("LLVM: {reason}")));
        loop {
            std::thread::park();
        }
    }
}

/// Sets LLVM up, once.
pub fn initialize() -> Result<(), String> {
    static DONE: OnceLock<bool> = OnceLock::new();
    let ok = DONE.get_or_init(|| {
        // SAFETY: called once, before any other use of LLVM in this process's copy of it.
        unsafe {
            LLVMInstallFatalErrorHandler(Some(on_fatal));
            LLVM_InitializeNativeTarget() == 0 && LLVM_InitializeNativeAsmPrinter() == 0
        }
    });
    if *ok {
        Ok(())
    } else {
        Err("LLVM has no back end for this machine".into())
    }
}

/// What CPUID (and the operating system) let this process use, in LLVM's form: `+sse2,-avx512f,...`.
pub fn host_features() -> &'static str {
    static FEATURES: OnceLock<String> = OnceLock::new();
    FEATURES.get_or_init(|| {
        // SAFETY: the string is ours to free.
        unsafe { message(LLVMGetHostCPUFeatures()) }
    })
}

fn features(options: &Options) -> &str {
    match &options.features {
        Some(features) => features,
        None => host_features(),
    }
}

/// Whether code for `options` may use a feature.
pub fn has_feature(options: &Options, name: &str) -> bool {
    features(options)
        .split(',')
        .any(|f| f.strip_prefix('+') == Some(name))
}

/// Checks the module, optimises it, and gives what `output` asks for.
pub fn run(llvm: Llvm, options: &Options, output: Output) -> Result<Vec<u8>, String> {
    initialize()?;
    let options = options.clone();
    let sent = Sent(llvm);
    let (sender, receiver) = sync_channel(1);
    let thread_sender = sender.clone();
    let work = move || {
        let sent = sent;
        WAITING.with(|w| *w.borrow_mut() = Some(thread_sender.clone()));
        let result = work(&sent.0, &options, output);
        drop(sent);
        // The receiver waits below; the channel has room.
        let _ = thread_sender.send(result);
    };
    drop(sender);
    std::thread::Builder::new()
        .name("clotho-llvm".into())
        .stack_size(STACK)
        .spawn(work)
        .map_err(|e| format!("no thread for LLVM: {e}"))?;
    receiver
        .recv()
        .unwrap_or_else(|_| Err("LLVM's thread ended early".into()))
}

fn work(llvm: &Llvm, options: &Options, output: Output) -> Result<Vec<u8>, String> {
    llvm.verify()?;
    if output == Output::Llvm {
        return Ok(llvm.print().into_bytes());
    }
    let effort = effort::for_passes(options.optimize, llvm.size());
    let machine = Machine::new(options, effort)?;
    machine.describe(llvm);
    machine.optimize(llvm, effort)?;
    llvm.take_errors()?;
    let machine = match effort::for_code(options.optimize, llvm.size()) {
        same if same == effort => machine,
        other => Machine::new(options, other)?,
    };
    let bytes = match output {
        Output::Object => machine.emit(llvm, LLVMCodeGenFileType::LLVMObjectFile)?,
        Output::Assembly => machine.emit(llvm, LLVMCodeGenFileType::LLVMAssemblyFile)?,
        Output::OptimizedLlvm | Output::Llvm => llvm.print().into_bytes(),
    };
    llvm.take_errors()?;
    Ok(bytes)
}

/// Takes an error of LLVM's apart; null is success.
///
/// # Safety
/// `error` is null or a live error, which this call consumes.
pub unsafe fn check(error: LLVMErrorRef) -> Result<(), String> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: the caller's promise; the message is copied before it is freed.
    unsafe {
        let text = LLVMGetErrorMessage(error);
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeErrorMessage(text);
        Err(owned)
    }
}

/// The passes of [`Effort::Little`].
const LITTLE: &CStr =
    c"function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg,\
early-cse<memssa>,reassociate,bdce,dse,adce,simplifycfg,instcombine<no-verify-fixpoint>)";

/// Not shared between threads: LLVM's target machines keep caches.
struct Machine {
    machine: LLVMTargetMachineRef,
    triple: CString,
}

impl Machine {
    fn new(options: &Options, effort: Effort) -> Result<Self, String> {
        let features = c_string(features(options));
        let level = match effort {
            Effort::None => LLVMCodeGenOptLevel::LLVMCodeGenLevelNone,
            Effort::Little | Effort::Some => LLVMCodeGenOptLevel::LLVMCodeGenLevelLess,
            Effort::Full => LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
        };
        // SAFETY: fresh handles; strings outlive the calls, which copy them.
        unsafe {
            let text = LLVMGetDefaultTargetTriple();
            let triple = CStr::from_ptr(text).to_owned();
            drop(message(text));
            let mut target = ptr::null_mut();
            let mut error = ptr::null_mut();
            if LLVMGetTargetFromTriple(triple.as_ptr(), &mut target, &mut error) != 0 {
                return Err(message(error));
            }
            let machine = LLVMCreateTargetMachine(
                target,
                triple.as_ptr(),
                GENERIC_CPU.as_ptr(),
                features.as_ptr(),
                level,
                LLVMRelocMode::LLVMRelocPIC,
                LLVMCodeModel::LLVMCodeModelSmall,
            );
            if machine.is_null() {
                return Err("LLVM makes no target machine".into());
            }
            Ok(Self { machine, triple })
        }
    }

    /// Gives the module the machine's triple and data layout.
    fn describe(&self, llvm: &Llvm) {
        // SAFETY: live handles; the layout's string is freed after its use.
        unsafe {
            LLVMSetTarget(llvm.module(), self.triple.as_ptr());
            let data = LLVMCreateTargetDataLayout(self.machine);
            let layout = LLVMCopyStringRepOfTargetData(data);
            LLVMSetDataLayout(llvm.module(), layout);
            drop(message(layout));
            LLVMDisposeTargetData(data);
        }
    }

    fn optimize(&self, llvm: &Llvm, effort: Effort) -> Result<(), String> {
        let passes = match effort {
            Effort::None => c"default<O0>",
            Effort::Little => LITTLE,
            Effort::Some => c"default<O1>",
            Effort::Full => c"default<O2>",
        };
        // SAFETY: live handles; the pass options are freed after the run.
        unsafe {
            let pass_options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(llvm.module(), passes.as_ptr(), self.machine, pass_options);
            LLVMDisposePassBuilderOptions(pass_options);
            check(error)
        }
    }

    fn emit(&self, llvm: &Llvm, kind: LLVMCodeGenFileType) -> Result<Vec<u8>, String> {
        // SAFETY: live handles; the buffer is copied before it is freed, the message is ours on failure.
        unsafe {
            let mut error = ptr::null_mut();
            let mut buffer = ptr::null_mut();
            let failed = LLVMTargetMachineEmitToMemoryBuffer(
                self.machine,
                llvm.module(),
                kind,
                &mut error,
                &mut buffer,
            );
            if failed != 0 {
                return Err(message(error));
            }
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            Ok(bytes)
        }
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // SAFETY: live, and used no more.
        unsafe { LLVMDisposeTargetMachine(self.machine) }
    }
}

/// The baseline that the features are added to.
#[cfg(target_arch = "x86_64")]
const GENERIC_CPU: &CStr = c"x86-64";
#[cfg(not(target_arch = "x86_64"))]
const GENERIC_CPU: &CStr = c"generic";
