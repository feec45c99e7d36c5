//! Running machine code so that it can be left at any of its instructions: after a fault, or when it takes too long.
//!
//! [`run`] enters through a few instructions of our own, which note the stack pointer. A signal handler
//! (`faults.rs`) that finds the thread's [`Guard`] lets the thread go on behind that call, as if the call had
//! returned, with a [`Fault`] as its result. Whatever ran in between is dropped where it stood.
//!
//! Invariants: between the entry and the hooks (`in_hook`) nothing runs but machine code of kernels and the functions
//! it is linked to (`codegen/helpers.rs`), which hold no lock and own no memory. A hook is never left. Each thread finds its guard by a key of POSIX threads: a
//! handler may read that, and it takes no memory to do so.

use once_cell::sync::OnceCell;
use std::cell::Cell;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering, compiler_fence};

/// What ended machine code before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// The instruction that the thread was at.
    pub pc: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// SIGSEGV: what was to be done at which address; a read may also stand for what is not known.
    Memory { address: usize, write: bool },
    /// SIGBUS at an address: memory that is mapped but not there (a file that became shorter), or a bad alignment.
    Bus { address: usize },
    /// SIGFPE.
    Arithmetic,
    /// SIGILL.
    Instruction,
    /// The watchdog's signal.
    Watchdog,
}

/// The way back of one thread, while it runs machine code.
#[derive(Default)]
pub(super) struct Guard {
    /// Where the trampoline's frame is; written by it, and 0 before and after.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    stack: Cell<usize>,
    fault: Cell<Option<Fault>>,
    in_hook: AtomicBool,
}

/// Calls `work(data)`, which must run nothing but machine code of kernels, and hooks by [`hook`]. No value of `work`'s
/// frames needs to be dropped. The error says why it did not come to its end.
///
/// # Safety
/// `data` is what `work` takes.
pub(super) unsafe fn run(
    work: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
) -> Result<(), Fault> {
    let Some(key) = key() else {
        // SAFETY: the caller's contract.
        unsafe { work(data) };
        return Ok(());
    };
    let guard = Guard::default();
    // SAFETY: the key is there; what it held belongs to this thread, and is put back below.
    let outer = unsafe { libc::pthread_getspecific(*key) };
    let here = ptr::from_ref(&guard).cast::<c_void>();
    // SAFETY: as above. The guard lives until it is taken away again. Without memory for the key's slot there is no
    // guard, and a fault is the host's.
    unsafe { libc::pthread_setspecific(*key, here) };
    // SAFETY: the caller's contract.
    let left = unsafe { trampoline::call(work, data, guard.stack.as_ptr()) };
    // SAFETY: as above.
    unsafe { libc::pthread_setspecific(*key, outer) };
    match left {
        true => Err(guard.fault.get().unwrap_or(Fault {
            kind: FaultKind::Arithmetic,
            pc: 0,
        })),
        false => Ok(()),
    }
}

/// Runs code of the runtime that machine code has called: it is not left in the middle.
pub(super) fn hook<R>(work: impl FnOnce() -> R) -> R {
    let guard = current();
    // SAFETY: the guard of this thread, which is in its `run`.
    let flag = unsafe { guard.as_ref() }.map(|guard| &guard.in_hook);
    // Relaxed, both: only this thread and its signal handlers look; the fences keep the work between them.
    if let Some(flag) = flag {
        flag.store(true, Ordering::Relaxed);
        compiler_fence(Ordering::SeqCst);
    }
    let result = work();
    if let Some(flag) = flag {
        compiler_fence(Ordering::SeqCst);
        flag.store(false, Ordering::Relaxed);
    }
    result
}

/// The guard of this thread, or null. For signal handlers too.
pub(super) fn current() -> *const Guard {
    // A handler must not make the key, only look for it.
    match KEY.get() {
        // SAFETY: the key is there.
        Some(Some(key)) => unsafe { libc::pthread_getspecific(*key) }.cast(),
        _ => ptr::null(),
    }
}

static KEY: OnceCell<Option<libc::pthread_key_t>> = OnceCell::new();

fn key() -> &'static Option<libc::pthread_key_t> {
    KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: makes a key in our variable; it has no destructor.
        let made = trampoline::IS_THERE && unsafe { libc::pthread_key_create(&mut key, None) } == 0;
        made.then_some(key)
    })
}

impl Guard {
    /// Whether the thread is in machine code, from where it may be taken away.
    pub fn may_leave(&self) -> bool {
        // Relaxed: see `hook`.
        self.stack.get() != 0 && !self.in_hook.load(Ordering::Relaxed)
    }

    /// Makes the interrupted thread, whose registers are in `context`, go on behind its guarded call. In a signal
    /// handler on that thread.
    ///
    /// # Safety
    /// `context` is what the handler got, and [`Guard::may_leave`] is true.
    pub unsafe fn leave(&self, context: *mut c_void, kind: FaultKind) {
        // SAFETY: the caller's contract.
        unsafe {
            let pc = trampoline::pc(context);
            self.fault.set(Some(Fault { kind, pc }));
            trampoline::return_from(context, self.stack.get());
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod trampoline {
    use std::ffi::c_void;

    pub const IS_THERE: bool = true;

    // The System V ABI wants rbx, rbp and r12 to r15 kept. `out` is where the call returns, with 0 in eax, and where a
    // handler sends the thread with the noted stack pointer and 1 in eax. The note is there from the first to the last
    // instruction at which that may happen, and 0 otherwise.
    std::arch::global_asm!(
        ".globl clotho_guarded_call",
        ".hidden clotho_guarded_call",
        ".type clotho_guarded_call, @function",
        "clotho_guarded_call:",
        ".cfi_startproc",
        "push rbp",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset rbp, 0",
        "push rbx",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset rbx, 0",
        "push r12",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset r12, 0",
        "push r13",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset r13, 0",
        "push r14",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset r14, 0",
        "push r15",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset r15, 0",
        "push rdx",
        ".cfi_adjust_cfa_offset 8",
        "mov [rdx], rsp",
        "mov rax, rdi",
        "mov rdi, rsi",
        "call rax",
        "xor eax, eax",
        ".globl clotho_guarded_out",
        ".hidden clotho_guarded_out",
        "clotho_guarded_out:",
        "mov rdx, [rsp]",
        "mov qword ptr [rdx], 0",
        "add rsp, 8",
        ".cfi_adjust_cfa_offset -8",
        "pop r15",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore r15",
        "pop r14",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore r14",
        "pop r13",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore r13",
        "pop r12",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore r12",
        "pop rbx",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore rbx",
        "pop rbp",
        ".cfi_adjust_cfa_offset -8",
        ".cfi_restore rbp",
        "ret",
        ".cfi_endproc",
        ".size clotho_guarded_call, . - clotho_guarded_call",
    );

    unsafe extern "C" {
        fn clotho_guarded_call(
            work: unsafe extern "C" fn(*mut c_void),
            data: *mut c_void,
            stack: *mut usize,
        ) -> u32;
        fn clotho_guarded_out();
    }

    /// Whether the call was left.
    ///
    /// # Safety
    /// As [`super::run`]; `stack` takes the stack pointer.
    pub unsafe fn call(
        work: unsafe extern "C" fn(*mut c_void),
        data: *mut c_void,
        stack: *mut usize,
    ) -> bool {
        // SAFETY: the caller's contract.
        unsafe { clotho_guarded_call(work, data, stack) != 0 }
    }

    /// The interrupted instruction.
    ///
    /// # Safety
    /// `context` is a signal handler's third argument.
    pub unsafe fn pc(context: *mut c_void) -> usize {
        // SAFETY: the caller's contract.
        let context = unsafe { &*context.cast::<libc::ucontext_t>() };
        context.uc_mcontext.gregs[libc::REG_RIP as usize] as usize
    }

    /// # Safety
    /// As [`super::Guard::leave`]; `stack` is what the trampoline of this thread noted.
    pub unsafe fn return_from(context: *mut c_void, stack: usize) {
        /// The direction flag, which the ABI wants clear.
        const DIRECTION: i64 = 1 << 10;
        // SAFETY: the caller's contract; the handler's return loads these registers.
        let context = unsafe { &mut *context.cast::<libc::ucontext_t>() };
        let registers = &mut context.uc_mcontext.gregs;
        registers[libc::REG_RSP as usize] = stack as i64;
        registers[libc::REG_RAX as usize] = 1;
        registers[libc::REG_EFL as usize] &= !DIRECTION;
        registers[libc::REG_RIP as usize] = clotho_guarded_out as *const () as i64;
    }
}

/// Machines without a trampoline of their own: machine code runs as it is, and faults are the host's.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
mod trampoline {
    use std::ffi::c_void;

    pub const IS_THERE: bool = false;

    /// # Safety
    /// As [`super::run`].
    pub unsafe fn call(
        work: unsafe extern "C" fn(*mut c_void),
        data: *mut c_void,
        _: *mut usize,
    ) -> bool {
        // SAFETY: the caller's contract.
        unsafe { work(data) };
        false
    }

    /// # Safety
    /// None.
    pub unsafe fn pc(_: *mut c_void) -> usize {
        0
    }

    /// # Safety
    /// None.
    pub unsafe fn return_from(_: *mut c_void, _: usize) {}
}
