//! Sleeping on a word of memory. Source: futex(2).

use super::atomic::AtomicU32;
use std::time::Duration;

/// Who waits for a word looks at it this often before sleeping.
pub const SPINS: u32 = 100;

/// Sleeps until somebody wakes `word`, or the time is up, or at once when `word` is not `expected`. May also return
/// for no reason.
pub fn wait(word: &AtomicU32, expected: u32, timeout: Option<Duration>) {
    let time = timeout.map(|t| libc::timespec {
        tv_sec: t.as_secs() as libc::time_t,
        tv_nsec: t.subsec_nanos().into(),
    });
    let time = time.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the word lives through the call; the kernel only reads it and the timeout.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, expected, time) };
}

/// Wakes up to `count` threads that sleep on `word`.
pub fn wake(word: &AtomicU32, count: i32) {
    let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the kernel uses the address as a key and does not touch the memory.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, count) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_by_time_or_by_a_changed_word() {
        let word = AtomicU32::new(1);
        wait(&word, 2, None);
        wait(&word, 1, Some(Duration::from_millis(1)));
    }
}
