//! fork(2), seen from a library with threads: none of them are in the child, where what they were at stays as it was.
//!
//! Invariants: what owns threads compares [`generation`]s and makes new ones. Locks that belong to no object and that our
//! threads take ([`hold_over`]) are held by the thread that forks while it does, so that nobody else has them in the child; work
//! behind the [`gate`](super::gate) is waited for. The handlers call nothing that allocates. Source: pthread_atfork(3).

use super::{Mutex, gate};
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

/// A lock that can be held over a fork.
pub trait HeldOverFork: Sync {
    fn hold(&self);

    /// # Safety
    /// It is held by [`HeldOverFork::hold`]: of this thread, or in the child of a fork, of the thread that this one was.
    unsafe fn let_go(&self);
}

static GENERATION: AtomicU32 = AtomicU32::new(0);
static REGISTERED: Once = Once::new();

/// Locks in the order in which they are taken. Its own is taken first, so that one thread at a time is at a fork.
static HELD: Mutex<Vec<&'static dyn HeldOverFork>> = Mutex::new(Vec::new());

/// Changes in the child of a fork. The first call must come before the first thread is made.
pub fn generation() -> u32 {
    REGISTERED.call_once(|| {
        // SAFETY: the library is never unloaded (-z nodelete).
        unsafe { libc::pthread_atfork(Some(before), Some(in_parent), Some(in_child)) };
    });
    // Relaxed: the child starts with one thread, which wrote the number itself.
    GENERATION.load(Ordering::Relaxed)
}

/// Has these locks held over forks. Whoever holds one of them takes another only if that comes later here.
pub fn hold_over(locks: impl IntoIterator<Item = &'static dyn HeldOverFork>) {
    generation();
    HELD.lock().extend(locks);
}

extern "C" fn before() {
    HELD.hold();
    gate::close();
    // SAFETY: this thread holds the lock, and makes no reference that outlives the call.
    for lock in unsafe { HELD.peek() } {
        lock.hold();
    }
}

extern "C" fn in_parent() {
    let_go();
    gate::open();
    // SAFETY: `before` holds it.
    unsafe { HELD.let_go() };
}

extern "C" fn in_child() {
    // Relaxed: as in `generation`.
    GENERATION.fetch_add(1, Ordering::Relaxed);
    let_go();
    gate::open_in_child();
    // SAFETY: `before` holds it.
    unsafe { HELD.let_go() };
}

fn let_go() {
    // SAFETY: `before` holds all of them, and the lock of the list; this is the thread that did, or its copy.
    for lock in unsafe { HELD.peek() }.iter().rev() {
        // SAFETY: as above.
        unsafe { lock.let_go() };
    }
}
