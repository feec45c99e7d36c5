//! Which process this is, counted in forks: threads do not survive fork(2), so what owns threads compares generations.
//!
//! Invariant: the child's handler does nothing but one atomic add (it runs in a process where any lock may be held).

use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

static GENERATION: AtomicU32 = AtomicU32::new(0);
static REGISTERED: Once = Once::new();

/// Changes in the child of a fork. The first call must come before the first thread is made.
pub fn generation() -> u32 {
    REGISTERED.call_once(|| {
        // SAFETY: the handler is async-signal-safe, and the library is never unloaded (-z nodelete).
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    });
    // Relaxed: the child starts with one thread, which wrote the number itself.
    GENERATION.load(Ordering::Relaxed)
}

extern "C" fn in_child() {
    // Relaxed: as above.
    GENERATION.fetch_add(1, Ordering::Relaxed);
}
