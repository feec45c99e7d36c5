//! `CLOTHO_WATCHDOG=seconds`: kernels that run for longer are ended, and their command fails.
//!
//! Threads that run machine code are listed while they do. One thread looks at the list and sends a signal to those
//! whose command began too long ago, again and again until they have left it: the handler can only take them out of
//! machine code ([`guard`]), not out of a hook.
//!
//! Invariants: a thread is on the list only while it is in [`watch`], so that no signal goes to a thread that is gone;
//! signals are sent under the list's lock. The signal is SIGRTMAX - 3, of which the host must not have a handler.
//! After a fork the child has a watchdog of its own.

use super::clock;
use super::faults::{self, set_handler};
use super::guard::{self, Fault, FaultKind};
use super::thread::spawn_quiet;
use crate::observe;
use crate::sync::Mutex;
use crate::sync::fork::{self, HeldOverFork};
use once_cell::sync::Lazy;
use std::ffi::{c_int, c_void};
use std::mem::zeroed;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// When a command began to run machine code, in nanoseconds; 0 before that.
#[derive(Default)]
pub(super) struct Begin(AtomicU64);

/// How often the list is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// Longer limits are mistakes.
const LONGEST: f64 = 1e9;

struct Watched {
    thread: libc::pthread_t,
    /// Nanoseconds.
    end: u64,
}

#[derive(Default)]
struct List {
    generation: Option<u32>,
    watched: Vec<Watched>,
}

static LIST: Mutex<List> = Mutex::new(List {
    generation: None,
    watched: Vec::new(),
});

/// The lock of the list of threads that are watched.
pub(super) fn lock() -> &'static dyn HeldOverFork {
    &LIST
}

/// Nanoseconds that a kernel may run; none without limit.
static LIMIT: Lazy<Option<u64>> = Lazy::new(|| {
    let limit = parse(&std::env::var("CLOTHO_WATCHDOG").ok()?);
    let text = match limit {
        Ok(0) => return None,
        Ok(_) if set_handler(signal(), None)?.sa_sigaction != libc::SIG_DFL => {
            "CLOTHO_WATCHDOG: the application has a handler for its signal"
        }
        Ok(limit) => {
            set_handler(signal(), Some(on_signal));
            return Some(limit);
        }
        Err(text) => text,
    };
    observe::complain(text);
    None
});

/// Nanoseconds; 0 without limit.
fn parse(seconds: &str) -> Result<u64, &'static str> {
    match seconds.trim().parse::<f64>() {
        _ if seconds.is_empty() => Ok(0),
        Ok(seconds) if (0.0..LONGEST).contains(&seconds) => Ok((seconds * 1e9) as u64),
        _ => Err("CLOTHO_WATCHDOG takes a number of seconds, up to 1e9"),
    }
}

/// The limit, if there is one.
pub(super) fn limit() -> Option<Duration> {
    LIMIT.map(Duration::from_nanos)
}

/// Runs machine code of a command: [`guard::run`], which the watchdog may end as well.
///
/// # Safety
/// As `guard::run`.
pub(super) unsafe fn run(
    begin: &Begin,
    work: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
) -> Result<(), Fault> {
    faults::install();
    match *LIMIT {
        // SAFETY: the caller's contract.
        None => unsafe { guard::run(work, data) },
        Some(limit) => {
            let watched = watch(begin.get().saturating_add(limit));
            // SAFETY: the caller's contract.
            let result = unsafe { guard::run(work, data) };
            drop(watched);
            result
        }
    }
}

impl Begin {
    /// The time of the first call.
    fn get(&self) -> u64 {
        let now = clock::nanoseconds().max(1);
        // Relaxed, both: one number, from whichever thread comes first.
        match self
            .0
            .compare_exchange(0, now, Ordering::Relaxed, Ordering::Relaxed)
        {
            Ok(_) => now,
            Err(first) => first,
        }
    }
}

/// This thread, on the list.
struct Entry {
    thread: libc::pthread_t,
    /// Whether the signal was blocked before.
    blocked: bool,
}

fn watch(end: u64) -> Entry {
    // SAFETY: asks who we are; sets of signals are plain bits, and ours.
    let (thread, blocked) = unsafe {
        let mut own: libc::sigset_t = zeroed();
        let mut before: libc::sigset_t = zeroed();
        libc::sigemptyset(&mut own);
        libc::sigaddset(&mut own, signal());
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &own, &mut before);
        (
            libc::pthread_self(),
            libc::sigismember(&before, signal()) == 1,
        )
    };
    let generation = fork::generation();
    let start = {
        let mut list = LIST.lock();
        let start = list.generation != Some(generation);
        if start {
            // The parent's threads are not here.
            list.watched.clear();
            list.generation = Some(generation);
        }
        list.watched.push(Watched { thread, end });
        start
    };
    if start {
        // Without a thread nobody is watched; the kernel runs as it is.
        spawn_quiet("clotho-watchdog", move || look(generation));
    }
    Entry { thread, blocked }
}

impl Drop for Entry {
    fn drop(&mut self) {
        {
            let mut list = LIST.lock();
            // SAFETY: compares two numbers of threads.
            let same = |w: &Watched| unsafe { libc::pthread_equal(w.thread, self.thread) != 0 };
            if let Some(at) = list.watched.iter().rposition(same) {
                list.watched.swap_remove(at);
            }
        }
        if self.blocked {
            // SAFETY: as in `watch`.
            unsafe {
                let mut own: libc::sigset_t = zeroed();
                libc::sigemptyset(&mut own);
                libc::sigaddset(&mut own, signal());
                libc::pthread_sigmask(libc::SIG_BLOCK, &own, ptr::null_mut());
            }
        }
    }
}

/// The watchdog's life.
fn look(generation: u32) {
    loop {
        std::thread::sleep(LOOK);
        let now = clock::nanoseconds();
        let list = LIST.lock();
        if list.generation != Some(generation) {
            return;
        }
        for late in list.watched.iter().filter(|watched| watched.end < now) {
            // SAFETY: a thread on the list is there; it can't leave the list, and so can't end, under the lock.
            unsafe { libc::pthread_kill(late.thread, signal()) };
        }
    }
}

fn signal() -> c_int {
    libc::SIGRTMAX() - 3
}

extern "C" fn on_signal(_: c_int, _: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the guard of this thread lives as long as it is the current one; this is its handler.
    unsafe {
        if let Some(guard) = guard::current().as_ref()
            && guard.may_leave()
        {
            guard.leave(context, FaultKind::Watchdog);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn limits_are_seconds_and_nothing_else_is_taken_for_one() {
        assert_eq!(parse("2"), Ok(2_000_000_000));
        assert_eq!(parse(" 0.25 "), Ok(250_000_000));
        assert_eq!(parse("0"), Ok(0));
        assert_eq!(parse(""), Ok(0));
        for wrong in ["soon", "2s", "-1", "nan", "inf", "1e10"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
