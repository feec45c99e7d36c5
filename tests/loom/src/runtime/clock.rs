//! A clock that has gone on by half of what Clotho spins for whenever a thread looks.

use std::cell::Cell;

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(0) };
}

pub fn ticks() -> u64 {
    NOW.set(NOW.get() + 60_000);
    NOW.get()
}

pub fn nanoseconds() -> u64 {
    ticks()
}
