//! Work that a fork waits for: the compiler's, which takes locks that are not ours (LLVM's, once-cells).
//!
//! Invariants: a thread that is inside waits for no other that may have to come in, or leaves meanwhile ([`outside`]);
//! who forks while others are inside waits for [`PATIENCE`] at most. When that was not enough, the child can't know what
//! is locked for ever, and [`is_lost`] there.

use super::{Condvar, Mutex, fork};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a fork is held up at most.
pub const PATIENCE: Duration = Duration::from_secs(2);

struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Threads that are inside.
    inside: u32,
    /// Nobody comes in.
    closed: bool,
}

static GATE: Gate = Gate::new();

/// Whether the process was forked in the midst of work, and is the child.
static LOST: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// How often this thread has come in.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Does `work` inside the gate.
pub fn inside<R>(work: impl FnOnce() -> R) -> R {
    fork::generation();
    let _pass = Pass::new(&GATE);
    work()
}

/// Leaves the gate, if this thread is inside, does `wait`, and comes in again.
pub fn outside<R>(wait: impl FnOnce() -> R) -> R {
    struct Back(u32);
    impl Drop for Back {
        fn drop(&mut self) {
            if self.0 > 0 {
                GATE.enter();
            }
            DEPTH.set(self.0);
        }
    }
    let back = Back(DEPTH.replace(0));
    if back.0 > 0 {
        GATE.leave();
    }
    wait()
}

/// Why the compiler can't be used here, if it can't.
pub fn is_lost() -> Option<&'static str> {
    // Relaxed: set while the process has one thread.
    LOST.load(Ordering::Relaxed).then_some(
        "the process was forked in the midst of a long compilation, which can't be gone on with here: this child can't compile",
    )
}

pub(super) fn close() {
    let own = DEPTH.get().min(1);
    GATE.close(own, PATIENCE);
}

pub(super) fn open() {
    GATE.open();
}

pub(super) fn open_in_child() {
    let own = DEPTH.get().min(1);
    let others = GATE.open_alone(own);
    if others > 0 {
        // Relaxed: as in `is_lost`.
        LOST.store(true, Ordering::Relaxed);
    }
}

/// This thread is inside.
struct Pass(&'static Gate);

impl Pass {
    fn new(gate: &'static Gate) -> Pass {
        if DEPTH.get() == 0 {
            gate.enter();
        }
        DEPTH.set(DEPTH.get() + 1);
        Pass(gate)
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
        if DEPTH.get() == 0 {
            self.0.leave();
        }
    }
}

impl Gate {
    const fn new() -> Gate {
        Gate {
            state: Mutex::new(State {
                inside: 0,
                closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    fn enter(&self) {
        let mut state = self.state.lock();
        while state.closed {
            self.changed.wait(&mut state);
        }
        state.inside += 1;
    }

    fn leave(&self) {
        let closed = {
            let mut state = self.state.lock();
            state.inside -= 1;
            state.closed
        };
        if closed {
            self.changed.notify_all();
        }
    }

    /// Lets nobody in, and waits until no more than `own` are inside. The gate's own lock stays held.
    fn close(&self, own: u32, patience: Duration) {
        let end = Instant::now() + patience;
        let mut state = self.state.lock();
        state.closed = true;
        while state.inside > own {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let _ = self.changed.wait_for(&mut state, left);
        }
        std::mem::forget(state);
    }

    fn open(&self) {
        self.open_with(|_| {});
    }

    /// In the child of a fork, where `own` are inside. How many of others were.
    fn open_alone(&self, own: u32) -> u32 {
        let mut others = 0;
        self.open_with(|state| {
            others = state.inside - own;
            state.inside = own;
        });
        others
    }

    fn open_with(&self, change: impl FnOnce(&mut State)) {
        // SAFETY: `close` has left it held, for this thread or the one that it was before a fork.
        let mut state = unsafe { self.state.held() };
        change(&mut state);
        state.closed = false;
        drop(state);
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    fn gate() -> &'static Gate {
        Box::leak(Box::new(Gate::new()))
    }

    #[test]
    fn a_fork_waits_for_who_is_inside_and_others_wait_for_the_fork() {
        let gate = gate();
        let (begun, is_begun) = mpsc::channel();
        let (end, may_end) = mpsc::channel::<()>();
        let first = std::thread::spawn(move || {
            let _pass = Pass::new(gate);
            begun.send(()).unwrap();
            may_end.recv().unwrap();
        });
        is_begun.recv().unwrap();
        let forking = std::thread::spawn(move || {
            gate.close(0, Duration::from_secs(60));
            gate.open_alone(0)
        });
        end.send(()).unwrap();
        assert_eq!(forking.join().unwrap(), 0);
        first.join().unwrap();
        let _pass = Pass::new(gate);
        let _again = Pass::new(gate);
    }

    #[test]
    fn a_fork_does_not_wait_for_ever() {
        let gate = gate();
        let (begun, is_begun) = mpsc::channel();
        let (end, may_end) = mpsc::channel::<()>();
        let stuck = std::thread::spawn(move || {
            gate.enter();
            begun.send(()).unwrap();
            may_end.recv().unwrap();
        });
        is_begun.recv().unwrap();
        gate.close(0, Duration::from_millis(1));
        assert_eq!(gate.open_alone(0), 1);
        gate.enter();
        gate.leave();
        end.send(()).unwrap();
        stuck.join().unwrap();
    }

    #[test]
    fn who_waits_for_others_is_outside_meanwhile() {
        inside(|| {
            inside(|| outside(|| assert_eq!(DEPTH.get(), 0)));
            assert_eq!(DEPTH.get(), 1);
        });
        assert_eq!(DEPTH.get(), 0);
    }
}
