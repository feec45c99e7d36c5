//! A lock that is one word, and a condition variable that is another.
//!
//! Source: Ulrich Drepper, "Futexes Are Tricky" (the three-state mutex). They are ours because nothing of them lives
//! outside these words. parking_lot keeps the threads that wait in a table of the whole process, by the addresses of their
//! thread-local memory: in the child of a fork the threads are gone from there, but not from the table, and glibc
//! gives their memory to the next threads. The standard library's locks would do, but for their poison.

use super::atomic::{AtomicU32, Ordering};
use super::fork::HeldOverFork;
use super::futex::{SPINS, wait, wake};
use std::cell::UnsafeCell;
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

/// For short critical sections.
pub struct Mutex<T> {
    word: AtomicU32,
    value: UnsafeCell<T>,
}

const FREE: u32 = 0;
const HELD: u32 = 1;
/// Held, and others may sleep on the word.
const CONTENDED: u32 = 2;

// SAFETY: the lock gives out the value to one thread at a time.
unsafe impl<T: Send> Send for Mutex<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Mutex<T> {}

impl<T> Mutex<T> {
    #[cfg(not(loom))]
    pub const fn new(value: T) -> Mutex<T> {
        Mutex::of(AtomicU32::new(FREE), value)
    }

    /// loom's words are made as a model runs.
    #[cfg(loom)]
    pub fn new(value: T) -> Mutex<T> {
        Mutex::of(AtomicU32::new(FREE), value)
    }

    const fn of(word: AtomicU32, value: T) -> Mutex<T> {
        Mutex {
            word,
            value: UnsafeCell::new(value),
        }
    }

    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.acquire();
        MutexGuard { lock: self }
    }

    /// The lock, if nobody has it.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        self.take().then(|| MutexGuard { lock: self })
    }

    /// The lock, if it is to be had within `time`.
    pub fn try_lock_for(&self, time: Duration) -> Option<MutexGuard<'_, T>> {
        let end = Instant::now() + time;
        if self.take() {
            return Some(MutexGuard { lock: self });
        }
        // Acquire: as in `take`. Whoever takes the lock here leaves it marked, because others may sleep too.
        while self.word.swap(CONTENDED, Ordering::Acquire) != FREE {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return None;
            }
            wait(&self.word, CONTENDED, Some(left));
        }
        Some(MutexGuard { lock: self })
    }

    /// What is in it; nobody else can have the lock.
    pub fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }

    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }

    /// The guard of a lock that is held without one.
    ///
    /// # Safety
    /// [`HeldOverFork::hold`] took it, or its guard was forgotten; nobody else lets it go.
    pub(super) unsafe fn held(&self) -> MutexGuard<'_, T> {
        MutexGuard { lock: self }
    }

    /// What is in a lock that is held without a guard.
    ///
    /// # Safety
    /// [`HeldOverFork::hold`] took it, and it is held as long as the reference lives.
    pub(super) unsafe fn peek(&self) -> &T {
        // SAFETY: the caller's contract.
        unsafe { &*self.value.get() }
    }

    fn take(&self) -> bool {
        // Acquire: sees what the last holder wrote before its Release in `release`.
        self.word
            .compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
    }

    fn acquire(&self) {
        if !self.take() {
            self.acquire_slow();
        }
    }

    #[cold]
    fn acquire_slow(&self) {
        for _ in 0..SPINS {
            // Relaxed: only a hint; the exchange is what takes the lock.
            if self.word.load(Ordering::Relaxed) == FREE && self.take() {
                return;
            }
            std::hint::spin_loop();
        }
        // Acquire: as in `take`. Whoever takes the lock here leaves it marked, because others may sleep too.
        while self.word.swap(CONTENDED, Ordering::Acquire) != FREE {
            wait(&self.word, CONTENDED, None);
        }
    }

    fn release(&self) {
        // Release: the next holder sees what was written under the lock.
        if self.word.swap(FREE, Ordering::Release) == CONTENDED {
            wake(&self.word, 1);
        }
    }
}

impl<T: Send> HeldOverFork for Mutex<T> {
    fn hold(&self) {
        self.acquire();
    }

    unsafe fn let_go(&self) {
        self.release();
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Mutex<T> {
        Mutex::new(T::default())
    }
}

pub struct MutexGuard<'a, T> {
    lock: &'a Mutex<T>,
}

// SAFETY: who shares a guard shares the value.
unsafe impl<T: Sync> Sync for MutexGuard<'_, T> {}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the guard holds the lock.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the guard holds the lock.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        self.lock.release();
    }
}

/// Where threads that have a lock wait for what others do under it.
#[derive(Default)]
pub struct Condvar {
    /// Counts calls of [`Condvar::notify_all`], around.
    calls: AtomicU32,
}

impl Condvar {
    #[cfg(not(loom))]
    pub const fn new() -> Condvar {
        Condvar {
            calls: AtomicU32::new(0),
        }
    }

    /// Gives the lock up, sleeps until [`Condvar::notify_all`], and takes it again. May also return for no reason.
    pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        self.wait_until(guard, None);
    }

    /// As [`Condvar::wait`], but no longer than `time`. Whether it is up.
    pub fn wait_for<T>(&self, guard: &mut MutexGuard<'_, T>, time: Duration) -> bool {
        let start = Instant::now();
        self.wait_until(guard, Some(time));
        start.elapsed() >= time
    }

    fn wait_until<T>(&self, guard: &mut MutexGuard<'_, T>, time: Option<Duration>) {
        // Relaxed: read under the lock under which the other side changes what is waited for, so that a call that comes
        // after that has another number.
        let calls = self.calls.load(Ordering::Relaxed);
        guard.lock.release();
        wait(&self.calls, calls, time);
        guard.lock.acquire();
    }

    /// Wakes all who wait.
    pub fn notify_all(&self) {
        // Relaxed: the lock orders what was changed.
        self.calls.fetch_add(1, Ordering::Relaxed);
        wake(&self.calls, i32::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_excludes() {
        let lock = Mutex::new(0u64);
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
    fn a_held_lock_is_not_waited_for_longer_than_asked() {
        let lock = Mutex::new(());
        let held = lock.lock();
        assert!(lock.try_lock().is_none());
        assert!(lock.try_lock_for(Duration::from_millis(2)).is_none());
        drop(held);
        assert!(lock.try_lock_for(Duration::ZERO).is_some());
    }

    #[test]
    fn who_waits_sees_what_was_done_under_the_lock() {
        let (turn, changed) = (Mutex::new(0u32), Condvar::new());
        std::thread::scope(|scope| {
            for me in 0..4 {
                let (turn, changed) = (&turn, &changed);
                scope.spawn(move || {
                    for round in 0..500 {
                        let mut now = turn.lock();
                        while *now != round * 4 + me {
                            changed.wait(&mut now);
                        }
                        *now += 1;
                        drop(now);
                        changed.notify_all();
                    }
                });
            }
        });
        assert_eq!(*turn.lock(), 2000);
    }

    #[test]
    fn a_wait_for_nothing_ends() {
        let (lock, never) = (Mutex::new(()), Condvar::new());
        let mut held = lock.lock();
        while !never.wait_for(&mut held, Duration::from_millis(1)) {}
    }
}
