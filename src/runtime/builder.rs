//! The threads that run the compiler: one a build, with the big stack that deep sources need.
//!
//! At the end of the process, builds in flight are waited for, because the static destructors that run then would
//! take LLVM away under them.

use crate::cl::{Error, Result};
use crate::compiler::STACK_SIZE;
use parking_lot::{Condvar, Mutex};
use std::cell::Cell;
use std::sync::Once;

/// Starts `job` on a thread of its own and returns.
/// # Errors
/// CL_OUT_OF_HOST_MEMORY when the system gives no thread; `job` is dropped then.
pub fn spawn(job: impl FnOnce() + Send + 'static) -> Result<()> {
    start(job).map(drop)
}

/// Runs `job` on a thread of its own and waits for it. A panic of `job` is raised again here.
/// # Errors
/// As [`spawn`].
pub fn run<R: Send + 'static>(job: impl FnOnce() -> R + Send + 'static) -> Result<R> {
    match start(job)?.join() {
        Ok(result) => Ok(result),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

fn start<R: Send + 'static>(
    job: impl FnOnce() -> R + Send + 'static,
) -> Result<std::thread::JoinHandle<R>> {
    static AT_EXIT: Once = Once::new();
    AT_EXIT.call_once(|| {
        // SAFETY: the handler takes nothing and the library is never unloaded (`-z nodelete`).
        unsafe { libc::atexit(wait_for_builds) };
    });
    let running = Running::count();
    let thread = std::thread::Builder::new()
        .name("clotho-build".into())
        .stack_size(STACK_SIZE);
    let job = move || {
        let _running = running;
        ON_BUILD_THREAD.set(true);
        job()
    };
    thread.spawn(job).map_err(|_| Error::OUT_OF_HOST_MEMORY)
}

static BUILDS: Mutex<usize> = Mutex::new(0);
static LAST_ENDED: Condvar = Condvar::new();

thread_local! {
    static ON_BUILD_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Counts a build for as long as it lives.
struct Running;

impl Running {
    fn count() -> Running {
        *BUILDS.lock() += 1;
        Running
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut builds = BUILDS.lock();
        *builds -= 1;
        if *builds == 0 {
            LAST_ENDED.notify_all();
        }
    }
}

extern "C" fn wait_for_builds() {
    // A callback that ends the process must not wait for the build that it belongs to.
    if ON_BUILD_THREAD.try_with(Cell::get).unwrap_or(true) {
        return;
    }
    let mut builds = BUILDS.lock();
    while *builds > 0 {
        LAST_ENDED.wait(&mut builds);
    }
}
