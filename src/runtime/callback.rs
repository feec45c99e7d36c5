//! The thread that runs the application's callbacks, outside all locks.
//!
//! One thread, made when it is first needed, runs callbacks in the order they came. A callback that does not return
//! within [`PATIENCE`] (one that blocks on other OpenCL work, say) does not hold up the rest: another thread takes
//! over. Invariant: no more than [`MOST_THREADS`] threads; a queued call is lost only by fork or exit.

use super::fork;
use super::futex::{self, Lock};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

type Call = Box<dyn FnOnce() + Send>;

/// How long the calls behind a running one wait before another thread runs them.
const PATIENCE: Duration = Duration::from_millis(10);

const MOST_THREADS: usize = 64;

/// Runs `call` on the callback thread, soon. Never blocks and never runs it on this thread.
pub fn run(call: impl FnOnce() + Send + 'static) {
    DISPATCHER.push(Box::new(call));
}

struct Dispatcher {
    state: Lock<State>,
    /// Changes with every push and every end of a call; idle threads sleep on it.
    bell: AtomicU32,
}

struct State {
    generation: u32,
    calls: VecDeque<Call>,
    threads: usize,
    /// Threads that are not in a call.
    free: usize,
    /// When a call last began or ended.
    progress: Option<Instant>,
}

static DISPATCHER: Dispatcher = Dispatcher {
    state: Lock::new(State {
        generation: 0,
        calls: VecDeque::new(),
        threads: 0,
        free: 0,
        progress: None,
    }),
    bell: AtomicU32::new(0),
};

impl Dispatcher {
    fn push(&'static self, call: Call) {
        let generation = fork::generation();
        let spawn = {
            let mut state = self.state.lock();
            if state.generation != generation {
                // A fork left the threads behind, and what they had to call belongs to the parent: not even dropped.
                state.generation = generation;
                std::mem::forget(std::mem::take(&mut state.calls));
                (state.threads, state.free) = (0, 0);
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
        let call = self.calls.pop_front();
        self.free -= 1;
        self.progress = Some(Instant::now());
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
