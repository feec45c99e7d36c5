//! The host as LLVM's target: passes over a module, then machine code.
//!
//! Invariants: LLVM is set up once; a module is worked on under [`guarded`] only, because LLVM ends the process on
//! errors that it holds for fatal unless the handler does not return. Our handler hands the message to whoever waits
//! and stops the thread for good: its stack and its module are lost, the process is not.

use once_cell::sync::OnceCell;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

use inkwell::llvm_sys::core::{LLVMDisposeMemoryBuffer, LLVMGetBufferSize, LLVMGetBufferStart};
use inkwell::llvm_sys::core::{LLVMSetDataLayout, LLVMSetTarget};
use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMErrorRef, LLVMGetErrorMessage};
use inkwell::llvm_sys::error_handling::LLVMInstallFatalErrorHandler;
use inkwell::llvm_sys::support::LLVMParseCommandLineOptions;
use inkwell::llvm_sys::target::{
    LLVM_InitializeNativeAsmPrinter, LLVM_InitializeNativeTarget, LLVMCopyStringRepOfTargetData,
    LLVMDisposeTargetData,
};
use inkwell::llvm_sys::target_machine::*;
use inkwell::llvm_sys::transforms::pass_builder::*;

use super::Options;
use super::effort::{self, Effort};
use super::late_init;
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

/// What came of a module, and how long the passes and the rest took.
pub struct Done {
    pub bytes: Vec<u8>,
    pub passes: Duration,
    pub code: Duration,
}

type OnFatal = Box<dyn FnOnce(String)>;

thread_local! {
    /// Whom to tell when LLVM gives up on this thread.
    static ON_FATAL: RefCell<Option<OnFatal>> = const { RefCell::new(None) };
}

/// A module on its way to the thread that works on it.
struct Sent(Llvm);

// SAFETY: an `Llvm` owns its context whole, and only one thread at a time has it.
unsafe impl Send for Sent {}

extern "C" fn on_fatal(reason: *const c_char) {
    // SAFETY: LLVM passes a NUL-terminated string.
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy();
    let told = ON_FATAL.with(|f| f.take());
    if let Some(told) = told {
        told(format!("LLVM: {reason}"));
        loop {
            std::thread::park();
        }
    }
}

/// Does `work` on this thread. Should LLVM give up in it, `fatal` gets the message and the thread stops for good.
pub fn guarded<R>(fatal: impl FnOnce(String) + 'static, work: impl FnOnce() -> R) -> R {
    /// Also when `work` panics.
    struct Reset;
    impl Drop for Reset {
        fn drop(&mut self) {
            ON_FATAL.with(|f| f.take());
        }
    }
    ON_FATAL.with(|f| f.replace(Some(Box::new(fatal))));
    let _reset = Reset;
    work()
}

fn is_guarded() -> bool {
    ON_FATAL.with(|f| f.borrow().is_some())
}

/// Sets LLVM up, once.
pub fn initialize() -> Result<(), String> {
    static DONE: OnceCell<bool> = OnceCell::new();
    let ok = DONE.get_or_init(|| {
        late_init::run();
        // SAFETY: called once, before any other use of LLVM in this process's copy of it.
        unsafe {
            LLVMInstallFatalErrorHandler(Some(on_fatal));
            set_flags();
            LLVM_InitializeNativeTarget() == 0 && LLVM_InitializeNativeAsmPrinter() == 0
        }
    });
    if *ok {
        Ok(())
    } else {
        Err("LLVM has no back end for this machine".into())
    }
}

/// What LLVM's interface has no other way to say. These flags are those of our copy of LLVM alone.
///
/// No loop strength reduction: a group function is many nested loops, most of which run a few times, and their induction
/// variables are in shape when they get here. The pass took a third of the time for machine code of such functions (15
/// of 48 ms in the 30-line kernels of the build benchmark), and what it puts before the loops costs more than it saves in them:
/// sgemm runs 1.3 times and nbody 1.4 times as fast without it, convolve and sgemm_float4 0.9 to 0.95 times.
fn set_flags() {
    let flags = [c"clotho".as_ptr(), c"-disable-lsr".as_ptr()];
    // SAFETY: called once, before LLVM is used; the strings live for ever.
    unsafe { LLVMParseCommandLineOptions(flags.len() as i32, flags.as_ptr(), ptr::null()) };
}

/// What CPUID (and the operating system) let this process use, in LLVM's form: `+sse2,-avx512f,...`.
pub fn host_features() -> &'static str {
    static FEATURES: OnceCell<String> = OnceCell::new();
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

/// Checks the module, optimises it, and gives what `output` asks for: on this thread if it is [`guarded`], else on one
/// made for it. `wide`: see [`Effort::Wide`].
pub fn run(llvm: Llvm, options: &Options, output: Output, wide: bool) -> Result<Done, String> {
    if !crate::reserve::has(crate::reserve::FOR_BUILDS) {
        return Err("out of memory".into());
    }
    initialize()?;
    if is_guarded() {
        return work(&llvm, options, output, wide);
    }
    let options = options.clone();
    let sent = Sent(llvm);
    let (sender, receiver) = sync_channel(1);
    let fatal = sender.clone();
    let work = move || {
        let sent = sent;
        // The receiver waits below, and the channel has room for the one message that is sent.
        let told = move |text| drop(fatal.try_send(Err(text)));
        let result = guarded(told, || work(&sent.0, &options, output, wide));
        drop(sent);
        let _ = sender.send(result);
    };
    std::thread::Builder::new()
        .name("clotho-llvm".into())
        .stack_size(STACK)
        .spawn(work)
        .map_err(|e| format!("no thread for LLVM: {e}"))?;
    receiver
        .recv()
        .unwrap_or_else(|_| Err("LLVM's thread ended early".into()))
}

fn work(llvm: &Llvm, options: &Options, output: Output, wide: bool) -> Result<Done, String> {
    let start = Instant::now();
    llvm.verify()?;
    if output == Output::Llvm {
        return Ok(Done {
            bytes: llvm.print().into_bytes(),
            passes: Duration::ZERO,
            code: Duration::ZERO,
        });
    }
    let effort = effort::for_passes(options.optimize, llvm.size(), wide);
    let machine = Machine::new(options, effort)?;
    machine.describe(llvm);
    machine.optimize(llvm, effort)?;
    llvm.guard_products();
    llvm.take_errors()?;
    let optimized = Instant::now();
    let machine = match effort::for_code(options.optimize, llvm.size()) {
        same if same == effort => machine,
        Effort::Full if effort == Effort::Wide => machine,
        other => Machine::new(options, other)?,
    };
    let bytes = match output {
        Output::Object => machine.emit(llvm, LLVMCodeGenFileType::LLVMObjectFile)?,
        Output::Assembly => machine.emit(llvm, LLVMCodeGenFileType::LLVMAssemblyFile)?,
        Output::OptimizedLlvm | Output::Llvm => llvm.print().into_bytes(),
    };
    llvm.take_errors()?;
    Ok(Done {
        bytes,
        passes: optimized - start,
        code: optimized.elapsed(),
    })
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

/// The passes of [`Effort::Some`]: what `default<O1>` does to one function, with instcombine twice, not six times.
/// Measured on hashcat's kernels for SHA-512: half the time of O1, and code of the same size within 4%.
const SOME: &CStr = c"ipsccp,cgscc(function-attrs),function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
instcombine<no-verify-fixpoint>,simplifycfg,\
loop-mssa(loop-instsimplify,loop-simplifycfg,licm<allowspeculation>,loop-rotate,licm<allowspeculation>),simplifycfg,\
loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),sroa<preserve-cfg>,early-cse<memssa>,bdce,dse,adce,simplifycfg,\
instcombine<no-verify-fixpoint>,div-rem-pairs,simplifycfg)";

/// The passes of [`Effort::Wide`]: those of `default<O2>` that do something for such code, in its order. Measured on
/// tiled matrix products, reductions, n-body and convolutions: 0.4 times the time of O2. The vectorisers would work on
/// the loops over what is left of a row, which run a few times, and double the code. Those left out (instcombine at two places,
/// loop-idiom, adce, loop-sink, loop-unroll) take a sixth of the time, and without them the machine code of no kernel of the benches
/// differs, nor that of the tests but where a loop became a call of memset.
const WIDE: &CStr = c"function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
instcombine<no-verify-fixpoint>,simplifycfg,\
loop-mssa(loop-instsimplify,loop-simplifycfg,licm<allowspeculation>,loop-rotate,licm<allowspeculation>,\
simple-loop-unswitch),simplifycfg,\
loop(indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,vector-combine,gvn,bdce,\
instcombine<no-verify-fixpoint>,correlated-propagation,dse,loop-mssa(licm<allowspeculation>),simplifycfg,\
instcombine<no-verify-fixpoint>,loop-mssa(licm<allowspeculation>),instsimplify,div-rem-pairs,simplifycfg)";

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
            Effort::Full | Effort::Wide => LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
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
            Effort::Some => SOME,
            Effort::Full => c"default<O2>",
            Effort::Wide => WIDE,
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
