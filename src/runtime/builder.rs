//! Builds run on threads of their own, with the big stack that deep sources need (see `compiler::background`).

use crate::cl::{Error, Result};
use crate::compiler::background;

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
    background::spawn(job).map_err(|_| Error::OUT_OF_HOST_MEMORY)
}
