//! Making threads that live in the application's process without getting in its way.

/// Stack of a thread in bytes.
const STACK: usize = 16 << 20;

/// Makes a detached thread that the application's signals don't reach. Whether it could be made.
pub fn spawn_quiet(name: &str, work: impl FnOnce() + Send + 'static) -> bool {
    // SAFETY: sets of signals are plain bits, and ours; the thread inherits the mask that is set while it is made.
    let before = unsafe {
        let mut blocked: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut blocked);
        // What a fault in the thread itself raises, and what profilers use, goes through.
        for signal in [
            libc::SIGSEGV,
            libc::SIGBUS,
            libc::SIGFPE,
            libc::SIGILL,
            libc::SIGTRAP,
            libc::SIGABRT,
            libc::SIGPROF,
        ] {
            libc::sigdelset(&mut blocked, signal);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &blocked, &mut before);
        before
    };
    let thread = std::thread::Builder::new()
        .name(name.to_string())
        .stack_size(STACK);
    let made = thread.spawn(work).is_ok();
    // SAFETY: the mask is the one from above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut()) };
    made
}
