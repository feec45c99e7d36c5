//! What a person can see of a running process: events as lines (`CLOTHO_LOG`), and a timeline (`CLOTHO_TRACE`).
//!
//! Every room may tell of what it does; this one imports none. Invariants: where nobody looks, telling costs one load
//! and one branch, and makes no text. No lock of the caller's is needed, and nothing is called out.

pub mod log;
pub mod trace;

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

/// Says on standard error what has gone wrong, where nobody else is to be told; `clotho: ` stands before it.
pub fn complain(text: &str) {
    // One write, so that lines of several threads do not mix. Nobody to tell when standard error is closed.
    let _ = std::io::stderr().write_all(format!("clotho: {text}\n").as_bytes());
}

/// What an environment variable says, if it is there and not empty. If it says what `parse` does not take, that is complained of, the
/// first time that `told` is asked with.
pub fn setting<T>(
    name: &str,
    takes: &str,
    told: &AtomicBool,
    parse: impl FnOnce(&str) -> Option<T>,
) -> Option<T> {
    let text = std::env::var_os(name).filter(|text| !text.is_empty())?;
    let value = text.to_str().and_then(parse);
    // Relaxed: only who comes first matters.
    if value.is_none() && !told.swap(true, Ordering::Relaxed) {
        let text = text.to_string_lossy();
        complain(&format!("{name} is '{text}': it takes {takes}"));
    }
    value
}

/// Nanoseconds of CLOCK_MONOTONIC.
pub fn now() -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the structure is ours; CLOCK_MONOTONIC always exists on Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
