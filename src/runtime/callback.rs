//! The thread that runs the application's callbacks, outside all locks.
//!
//! One thread, made when it is first needed, runs callbacks in the order they came. A callback that does not return
//! within [`PATIENCE`] (one that blocks on other OpenCL work, say) does not hold up the rest: another thread takes
//! over. Invariant: no more than [`MOST_THREADS`] threads; a queued call is lost only by fork or exit.
//!
//! The specification does not say that callbacks have been called when a wait for their command returns, but programs
//! free what their callbacks use after clFinish. So a thread that has waited gives the callbacks of what has ended a
//! moment to be called ([`drain`]), unless one of them blocks.

use crate::sync::fork::{self, HeldOverFork};
use crate::sync::{Mutex, futex};
use std::cell::Cell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

type Call = Box<dyn FnOnce() + Send>;

/// How long the calls behind a running one wait before another thread runs them.
const PATIENCE: Duration = Duration::from_millis(10);

const MOST_THREADS: usize = 64;

/// Nobody waits for a callback that has run for so long: it may wait for whoever would.
const LONG_CALL: Duration = Duration::from_millis(500);

/// Nobody waits for longer than this for callbacks.
const LONG_WAIT: Duration = Duration::from_secs(1);

struct Queued {
    call: Call,
    /// Gone when the call is over, or when nobody waits for it any more.
    due: Option<Arc<Due>>,
}

/// A call that a thread is in.
struct Running {
    thread: ThreadId,
    began: Instant,
    due: Option<Arc<Due>>,
}

/// Runs `call` on the callback thread, soon. Never blocks and never runs it on this thread.
pub fn run(call: impl FnOnce() + Send + 'static) {
    DISPATCHER.push(Queued {
        call: Box::new(call),
        due: None,
    });
}

/// As [`run`], for one of the callbacks that `due` stands for: who waits for a command waits for it too.
pub(super) fn run_due(due: Arc<Due>, call: impl FnOnce() + Send + 'static) {
    DISPATCHER.push(Queued {
        call: Box::new(call),
        due: Some(due),
    });
}

/// Waits until the callbacks of events that are due have been called, but not for those that have run for longer than
/// [`LONG_CALL`], nor longer than [`LONG_WAIT`], nor on a thread of callbacks.
pub fn drain() {
    DISPATCHER.drain();
}

/// Callbacks of an event, or of its context because of it, that are due or about to be, as long as this lives: [`drain`]
/// waits for them.
pub(super) struct Due(());

impl Due {
    pub fn new() -> Arc<Due> {
        // SeqCst: before the command's end is seen, see `Event::end`.
        DISPATCHER.due.fetch_add(1, Ordering::SeqCst);
        Arc::new(Due(()))
    }
}

impl Drop for Due {
    fn drop(&mut self) {
        DISPATCHER.count_end();
    }
}

thread_local! {
    static IS_OURS: Cell<bool> = const { Cell::new(false) };
}

struct Dispatcher {
    state: Mutex<State>,
    /// Changes with every push and every end of a call; idle threads sleep on it.
    bell: AtomicU32,
    /// How many [`Due`] have been made, counted around.
    due: AtomicU32,
    /// Those of them that are gone; threads in `drain` sleep on it.
    ended: AtomicU32,
}

struct State {
    generation: u32,
    calls: VecDeque<Queued>,
    running: Vec<Running>,
    threads: usize,
    /// Threads that are not in a call.
    free: usize,
    /// When a call last began or ended.
    progress: Option<Instant>,
}

static DISPATCHER: Dispatcher = Dispatcher {
    state: Mutex::new(State {
        generation: 0,
        calls: VecDeque::new(),
        running: Vec::new(),
        threads: 0,
        free: 0,
        progress: None,
    }),
    bell: AtomicU32::new(0),
    due: AtomicU32::new(0),
    ended: AtomicU32::new(0),
};

/// The lock of the calls that are due.
pub(super) fn lock() -> &'static dyn HeldOverFork {
    &DISPATCHER.state
}

impl Dispatcher {
    fn push(&'static self, call: Queued) {
        let generation = fork::generation();
        let spawn = {
            let mut state = self.state.lock();
            if state.generation != generation {
                // A fork left the threads behind, and what they had to call belongs to the parent: not even dropped.
                state.generation = generation;
                std::mem::forget(std::mem::take(&mut state.calls));
                std::mem::forget(std::mem::take(&mut state.running));
                (state.threads, state.free) = (0, 0);
                // Relaxed, both: the child begins with one thread.
                let due = self.due.load(Ordering::Relaxed);
                self.ended.store(due, Ordering::Relaxed);
            }
            state.calls.push_back(call);
            state.may_grow()
        };
        if spawn {
            self.spawn();
        }
        self.ring();
    }

    fn ring(&self) {
        // Release: pairs with the Acquire in `thread`; who sees the new number finds the call.
        self.bell.fetch_add(1, Ordering::Release);
        futex::wake(&self.bell, 1);
    }

    fn count_end(&self) {
        // Release: pairs with the Acquire in `drain`, which returns after what the call did.
        self.ended.fetch_add(1, Ordering::Release);
        futex::wake(&self.ended, i32::MAX);
    }

    fn drain(&self) {
        // SeqCst: see `Due`; Acquire: see `count_end`.
        let due = self.due.load(Ordering::SeqCst);
        let left = |ended: u32| due.wrapping_sub(ended) as i32 > 0;
        if !left(self.ended.load(Ordering::Acquire)) || IS_OURS.get() {
            return;
        }
        let start = Instant::now();
        while start.elapsed() < LONG_WAIT {
            let ended = self.ended.load(Ordering::Acquire);
            if !left(ended) {
                return;
            }
            futex::wait(&self.ended, ended, Some(PATIENCE));
            let long: Vec<Option<Arc<Due>>> = {
                let mut state = self.state.lock();
                if state.generation != fork::generation() {
                    return;
                }
                let running = state.running.iter_mut();
                let long = running.filter(|call| call.began.elapsed() > LONG_CALL);
                long.map(|call| call.due.take()).collect()
            };
            // They count as over from here on.
            drop(long);
        }
    }

    /// The count of threads has been raised already.
    fn spawn(&'static self) {
        let made = super::thread::spawn_quiet("clotho-callback", move || self.thread());
        if !made {
            let mut state = self.state.lock();
            state.threads -= 1;
            state.free -= 1;
        }
    }

    fn thread(&'static self) {
        IS_OURS.set(true);
        loop {
            // Acquire: as in `ring`.
            let bell = self.bell.load(Ordering::Acquire);
            let (call, timeout, spawn) = self.state.lock().take();
            if spawn {
                self.spawn();
            }
            match call {
                Some(call) => {
                    // A panic is ours (callbacks are C) and must not end the thread.
                    let _ = catch_unwind(AssertUnwindSafe(call));
                    let mut state = self.state.lock();
                    state.free += 1;
                    state.progress = Some(Instant::now());
                    let me = std::thread::current().id();
                    let at = state.running.iter().position(|call| call.thread == me);
                    let over = at.map(|at| state.running.swap_remove(at));
                    drop(state);
                    drop(over);
                }
                None => futex::wait(&self.bell, bell, timeout),
            }
        }
    }
}

impl State {
    /// Whether to make one more thread: the first, or one to stand by while others are in calls.
    fn may_grow(&mut self) -> bool {
        let grow = self.free == 0 && self.threads < MOST_THREADS;
        if grow {
            self.threads += 1;
            self.free += 1;
        }
        grow
    }

    /// A call to run now, or how long to wait for one; and whether to make another thread.
    fn take(&mut self) -> (Option<Call>, Option<Duration>, bool) {
        if self.calls.is_empty() {
            return (None, None, false);
        }
        let busy = self.free < self.threads;
        let waited = self.progress.map_or(PATIENCE, |at| at.elapsed());
        if busy && waited < PATIENCE {
            return (None, Some(PATIENCE - waited), false);
        }
        let now = Instant::now();
        let call = self.calls.pop_front().map(|queued| {
            self.running.push(Running {
                thread: std::thread::current().id(),
                began: now,
                due: queued.due,
            });
            queued.call
        });
        self.free -= 1;
        self.progress = Some(now);
        let spawn = !self.calls.is_empty() && self.may_grow();
        (call, None, spawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn a_blocked_callback_does_not_hold_up_the_next() {
        let (open, gate) = mpsc::channel::<()>();
        let (done, results) = mpsc::channel();
        let first = done.clone();
        run(move || {
            let _ = gate.recv();
            let _ = first.send("blocked");
        });
        for _ in 0..5 {
            let done = done.clone();
            run(move || {
                let _ = done.send("free");
            });
        }
        for _ in 0..5 {
            assert_eq!(results.recv_timeout(Duration::from_secs(5)), Ok("free"));
        }
        open.send(()).unwrap();
        assert_eq!(results.recv_timeout(Duration::from_secs(5)), Ok("blocked"));
    }
}
