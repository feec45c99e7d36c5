//! Faults in machine code of kernels: the command fails, and the process lives on.
//!
//! Handlers for SIGSEGV, SIGBUS, SIGFPE and SIGILL are installed with the first launch. A fault of a thread under a
//! [`guard`] ends its guarded call. Everything else goes to the handler that was there before, as if ours
//! were not: its flags decide how it is called, and a default action is put back and happens when the instruction
//! runs again. A host that installs handlers after us has them. `CLOTHO_FAULTS=0` installs none.
//!
//! Invariant: what runs in a handler calls nothing but functions that are safe there (signal-safety(7)).

use super::guard::{self, FaultKind};
use once_cell::sync::{Lazy, OnceCell};
use std::ffi::{c_int, c_void};
use std::mem::{MaybeUninit, zeroed};
use std::ptr;

/// The signals of faults.
const SIGNALS: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];

/// Bytes of a worker's stack for handlers: registers of AVX-512 and AMX, and the host's own handler.
const STACK: usize = 128 << 10;

/// What was there before us, by the order of [`SIGNALS`].
static BEFORE: [OnceCell<libc::sigaction>; SIGNALS.len()] = [const { OnceCell::new() }; 4];

/// Makes sure that the handlers are there, unless they are not wanted.
pub(super) fn install() {
    static DONE: Lazy<()> = Lazy::new(|| {
        if std::env::var("CLOTHO_FAULTS").is_ok_and(|v| v == "0") {
            return;
        }
        for (signal, before) in SIGNALS.into_iter().zip(&BEFORE) {
            let Some(old) = set_handler(signal, None) else {
                continue;
            };
            // The handler reads it: it must be there first.
            let _ = before.set(old);
            set_handler(signal, Some(on_fault));
        }
    });
    Lazy::force(&DONE);
}

/// A handler of signals, as of SA_SIGINFO.
pub(super) type Handler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);

/// Installs a handler, or only asks; the answer is what was there before.
pub(super) fn set_handler(signal: c_int, handler: Option<Handler>) -> Option<libc::sigaction> {
    let mut old = MaybeUninit::uninit();
    // SAFETY: a structure of plain fields, all set; `sigaction` fills `old` where it returns 0.
    unsafe {
        let mut new: libc::sigaction = zeroed();
        let new = handler.map(|handler| {
            new.sa_sigaction = handler as *const () as usize;
            // On the thread's own stack for signals if it has one: the fault may be a stack's end.
            new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
            libc::sigemptyset(&mut new.sa_mask);
            ptr::from_ref(&new)
        });
        let done = libc::sigaction(signal, new.unwrap_or(ptr::null()), old.as_mut_ptr());
        (done == 0).then(|| old.assume_init())
    }
}

extern "C" fn on_fault(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes both; the address is there for signals that it raises itself (a positive code).
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    // SAFETY: the guard of this thread lives as long as it is the current one.
    if let Some(guard) = unsafe { guard::current().as_ref() }
        && code > 0
        && guard.may_leave()
    {
        let kind = match signal {
            libc::SIGSEGV => FaultKind::Memory {
                address,
                // SAFETY: as above.
                write: unsafe { was_write(context) },
            },
            libc::SIGBUS => FaultKind::Bus { address },
            libc::SIGFPE => FaultKind::Arithmetic,
            _ => FaultKind::Instruction,
        };
        // SAFETY: this is the handler, on the thread of the guard.
        return unsafe { guard.leave(context, kind) };
    }
    hand_on(signal, code, info, context);
}

/// Does what would have been done without us.
fn hand_on(signal: c_int, code: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let at = SIGNALS.iter().position(|&known| known == signal);
    let Some(before) = at.and_then(|at| BEFORE[at].get()) else {
        return;
    };
    // SAFETY: what the host installed is called as it wanted to be. `sigaction` and `raise` are safe in handlers.
    unsafe {
        match before.sa_sigaction {
            libc::SIG_IGN if code <= 0 => {}
            libc::SIG_DFL | libc::SIG_IGN => {
                libc::sigaction(signal, before, ptr::null_mut());
                // A fault comes again by itself; what somebody has sent does not. It is blocked until we return.
                if code <= 0 {
                    libc::raise(signal);
                }
            }
            handler if before.sa_flags & libc::SA_SIGINFO != 0 => {
                let handler: Handler = std::mem::transmute(handler);
                handler(signal, info, context);
            }
            handler => {
                let handler: extern "C" fn(c_int) = std::mem::transmute(handler);
                handler(signal);
            }
        }
    }
}

/// Whether a page fault came from a write.
///
/// # Safety
/// `context` is a signal handler's third argument.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
unsafe fn was_write(context: *mut c_void) -> bool {
    /// W/R of the page-fault error code (Intel SDM 3A, 4.7).
    const WRITE: i64 = 1 << 1;
    // SAFETY: the caller's contract.
    let context = unsafe { &*context.cast::<libc::ucontext_t>() };
    context.uc_mcontext.gregs[libc::REG_ERR as usize] & WRITE != 0
}

/// # Safety
/// None.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
unsafe fn was_write(_: *mut c_void) -> bool {
    false
}

/// A stack for the handlers of this thread, as long as this is.
pub(super) struct HandlerStack(*mut c_void);

impl HandlerStack {
    /// None where the thread has one, or where there is no memory: then a kernel that runs out of stack is the end.
    pub fn new() -> Option<HandlerStack> {
        // SAFETY: asks for this thread's stack, maps new memory, and names it.
        unsafe {
            let mut known: libc::stack_t = zeroed();
            libc::sigaltstack(ptr::null(), &mut known);
            if known.ss_flags & libc::SS_DISABLE == 0 {
                return None;
            }
            let start = libc::mmap(
                ptr::null_mut(),
                STACK,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK,
                -1,
                0,
            );
            if start == libc::MAP_FAILED {
                return None;
            }
            let stack = libc::stack_t {
                ss_sp: start,
                ss_flags: 0,
                ss_size: STACK,
            };
            libc::sigaltstack(&stack, ptr::null_mut());
            Some(HandlerStack(start))
        }
    }
}

impl Drop for HandlerStack {
    fn drop(&mut self) {
        // SAFETY: no handler runs on it: this is the thread itself. It is ours to unmap.
        unsafe {
            let none = libc::stack_t {
                ss_sp: ptr::null_mut(),
                ss_flags: libc::SS_DISABLE,
                ss_size: 0,
            };
            libc::sigaltstack(&none, ptr::null_mut());
            libc::munmap(self.0, STACK);
        }
    }
}
