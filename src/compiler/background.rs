//! The threads of the compiler: one for each build, and a few that make machine code behind the application's back.
//!
//! Invariants: code is made in the order in which it was asked for, but what a thread waits for comes first. The process
//! may end at any time: nothing of LLVM is taken down under a thread that still compiles (`codegen/at_exit.rs`). The
//! child of a fork has none of its parent's threads; it makes a crew of its own. A fork waits for what is being made. No lock is held while code is made, and
//! no job waits for another.

use super::STACK_SIZE;
use super::cell::Job;
use crate::codegen;
use crate::sync::{Condvar, Mutex, gate};
use once_cell::sync::Lazy;
use std::collections::VecDeque;
use std::io;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long a thread without work stays.
const IDLE: Duration = Duration::from_secs(2);

/// The threads that make code in one process.
struct Crew {
    process: u32,
    state: Mutex<State>,
    /// There is work.
    work: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Weak<dyn Job>>,
    workers: usize,
    idle: usize,
}

impl State {
    /// Where a job waits for its turn, if it does.
    fn place(&self, job: &Arc<dyn Job>) -> Option<usize> {
        let same = |other: &Weak<dyn Job>| ptr::addr_eq(other.as_ptr(), Arc::as_ptr(job));
        self.jobs.iter().position(same)
    }
}

/// Runs `job` on a thread of its own with the stack that the compiler needs.
/// # Errors
/// When the system gives no thread; `job` is dropped then.
pub fn spawn<R: Send + 'static>(
    job: impl FnOnce() -> R + Send + 'static,
) -> io::Result<JoinHandle<R>> {
    let thread = std::thread::Builder::new()
        .name("clotho-build".into())
        .stack_size(STACK_SIZE);
    quietly(|| thread.spawn(job))
}

/// Has code made, in this order. The calling thread needs a stack of [`STACK_SIZE`] bytes, because it makes the code
/// itself when the system gives no thread.
pub(super) fn enqueue(jobs: Vec<Arc<dyn Job>>) {
    let crew = crew();
    crew.state
        .lock()
        .jobs
        .extend(jobs.iter().map(Arc::downgrade));
    if !crew.staff() {
        for job in jobs {
            make(crew, &job);
        }
    }
}

/// Has code made that nobody needs, when all else is made; never, when the system gives no thread. It may be offered again and again.
pub(super) fn offer(job: &Arc<dyn Job>) {
    if !job.is_free() {
        return;
    }
    let crew = crew();
    {
        let mut state = crew.state.lock();
        if state.place(job).is_some() {
            return;
        }
        state.jobs.push_back(Arc::downgrade(job));
    }
    crew.staff();
}

/// Somebody waits for this: it is made before all else.
pub(super) fn hurry(job: Arc<dyn Job>) {
    let crew = crew();
    {
        let mut state = crew.state.lock();
        let at = state.place(&job);
        let known = at.and_then(|at| state.jobs.remove(at));
        // It may have been given to nobody, or just been taken by somebody who finds that out.
        let known = known.unwrap_or_else(|| Arc::downgrade(&job));
        state.jobs.push_front(known);
    }
    if !crew.staff() {
        job.fail("no thread for the compiler".into());
    }
}

fn make(crew: &'static Crew, job: &Arc<dyn Job>) {
    if let Some(reason) = gate::is_lost() {
        return job.fail(reason.into());
    }
    let stuck = job.clone();
    let fatal = move |text| {
        stuck.fail(text);
        crew.replace();
    };
    gate::inside(|| {
        if let Some(work) = job.clone().claim() {
            codegen::guarded(fatal, work);
        }
    });
}

impl Crew {
    /// Sees to it that there are threads for the work that there is. False when there is none at all.
    fn staff(&'static self) -> bool {
        static CPUS: Lazy<usize> =
            Lazy::new(|| std::thread::available_parallelism().map_or(1, usize::from));
        let starting = {
            let mut state = self.state.lock();
            let wanted = state.jobs.len().saturating_sub(state.idle);
            let starting = wanted.min(CPUS.saturating_sub(state.workers));
            state.workers += starting;
            starting
        };
        self.work.notify_all();
        for _ in 0..starting {
            if spawn(move || self.serve()).is_err() {
                self.state.lock().workers -= 1;
            }
        }
        self.state.lock().workers > 0
    }

    /// A worker is lost: LLVM gave up on its thread.
    fn replace(&'static self) {
        let more = {
            let mut state = self.state.lock();
            let more = !state.jobs.is_empty();
            if !more {
                state.workers = state.workers.saturating_sub(1);
            }
            more
        };
        if more && spawn(move || self.serve()).is_err() {
            let mut state = self.state.lock();
            state.workers = state.workers.saturating_sub(1);
        }
    }

    /// What a worker does.
    fn serve(&'static self) {
        yield_to_others();
        while let Some(job) = self.next() {
            // Programs that have been released need no code.
            if let Some(job) = job.upgrade() {
                make(self, &job);
            }
        }
    }

    fn next(&self) -> Option<Weak<dyn Job>> {
        let mut state = self.state.lock();
        loop {
            if let Some(job) = state.jobs.pop_front() {
                return Some(job);
            }
            state.idle += 1;
            let timed_out = self.work.wait_for(&mut state, IDLE);
            state.idle -= 1;
            if timed_out && state.jobs.is_empty() {
                state.workers -= 1;
                return None;
            }
        }
    }
}

/// The crew of this process.
fn crew() -> &'static Crew {
    static CURRENT: AtomicPtr<Crew> = AtomicPtr::new(ptr::null_mut());
    let process = std::process::id();
    // Acquire: pairs with the release below, so that who finds a crew sees all of it.
    let found = CURRENT.load(Ordering::Acquire);
    // SAFETY: what was stored is leaked, so that it lives for ever.
    if let Some(crew) = unsafe { found.as_ref() }
        && crew.process == process
    {
        return crew;
    }
    let made = Box::into_raw(Box::new(Crew {
        process,
        state: Mutex::default(),
        work: Condvar::new(),
    }));
    // AcqRel and Acquire: as for the load.
    match CURRENT.compare_exchange(found, made, Ordering::AcqRel, Ordering::Acquire) {
        // SAFETY: leaked, by whoever stored it.
        Ok(_) => unsafe { &*made },
        // SAFETY: ours is known to nobody else; theirs is leaked.
        Err(theirs) => unsafe {
            drop(Box::from_raw(made));
            &*theirs
        },
    }
}

/// Makes a thread that the application's signals don't reach: it inherits the mask that is set while `make` runs. What a
/// fault in the thread itself raises, and what profilers use, goes through.
pub fn quietly<R>(make: impl FnOnce() -> R) -> R {
    let own = [
        libc::SIGSEGV,
        libc::SIGBUS,
        libc::SIGFPE,
        libc::SIGILL,
        libc::SIGTRAP,
        libc::SIGABRT,
        libc::SIGPROF,
    ];
    // SAFETY: sets of signals are plain bits, and ours.
    let before = unsafe {
        let mut blocked: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut blocked);
        for signal in own {
            libc::sigdelset(&mut blocked, signal);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &blocked, &mut before);
        before
    };
    let made = make();
    // SAFETY: the mask is the one from above.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut()) };
    made
}

/// Asks the scheduler not to let this thread take a CPU away from threads that wake up.
fn yield_to_others() {
    // SAFETY: concerns this thread only; where it is refused, nothing changes.
    unsafe {
        if libc::sched_getscheduler(0) == libc::SCHED_OTHER {
            let none: libc::sched_param = std::mem::zeroed();
            libc::sched_setscheduler(0, libc::SCHED_BATCH, &none);
        }
    }
}
