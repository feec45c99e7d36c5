//! Sleeping on a word of memory, and a lock made of it.
//!
//! Sources: futex(2); Ulrich Drepper, "Futexes Are Tricky" (the three-state mutex). The pool uses these instead of
//! parking_lot because nothing here lives outside the word itself: a fork in another thread can't leave a global
//! parking table locked in the child.

use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

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

/// A lock that is one word, for short critical sections.
pub struct Lock<T> {
    word: AtomicU32,
    value: UnsafeCell<T>,
}

const FREE: u32 = 0;
const HELD: u32 = 1;
/// Held, and others may sleep on the word.
const CONTENDED: u32 = 2;

/// Looks at a held lock this often before sleeping.
const SPINS: u32 = 100;

// SAFETY: the lock gives out the value to one thread at a time.
unsafe impl<T: Send> Send for Lock<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Lock<T> {}

impl<T> Lock<T> {
    pub const fn new(value: T) -> Lock<T> {
        Lock {
            word: AtomicU32::new(FREE),
            value: UnsafeCell::new(value),
        }
    }

    pub fn lock(&self) -> Guard<'_, T> {
        // Acquire: sees what the last holder wrote before its Release in `Guard::drop`.
        let free = self
            .word
            .compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed);
        if free.is_err() {
            self.lock_slow();
        }
        Guard { lock: self }
    }

    #[cold]
    fn lock_slow(&self) {
        for _ in 0..SPINS {
            // Relaxed: only a hint; the exchange below is what takes the lock.
            if self.word.load(Ordering::Relaxed) == FREE {
                // Acquire: as in `lock`.
                let free =
                    self.word
                        .compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed);
                if free.is_ok() {
                    return;
                }
            }
            std::hint::spin_loop();
        }
        // Acquire: as in `lock`. Whoever takes the lock here leaves it marked, because others may sleep too.
        while self.word.swap(CONTENDED, Ordering::Acquire) != FREE {
            wait(&self.word, CONTENDED, None);
        }
    }
}

impl<T: Default> Default for Lock<T> {
    fn default() -> Lock<T> {
        Lock::new(T::default())
    }
}

pub struct Guard<'a, T> {
    lock: &'a Lock<T>,
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the guard holds the lock.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the guard holds the lock.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        // Release: the next holder sees what was written under the lock.
        if self.lock.word.swap(FREE, Ordering::Release) == CONTENDED {
            wake(&self.lock.word, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_excludes() {
        let lock = Lock::new(0u64);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..50_000 {
                        let mut value = lock.lock();
                        *value += 1;
                    }
                });
            }
        });
        assert_eq!(*lock.lock(), 200_000);
    }

    #[test]
    fn a_wait_ends_by_time_or_by_a_changed_word() {
        let word = AtomicU32::new(1);
        wait(&word, 2, None);
        wait(&word, 1, Some(Duration::from_millis(1)));
    }
}
