//! Thread-local variables of modelled threads, which are no threads of the system.

use std::cell::Cell;

pub struct Local<T: 'static>(pub &'static loom::thread::LocalKey<Cell<T>>);

// SAFETY: models run on one thread of the system.
unsafe impl<T> Sync for Local<T> {}

impl<T: Copy> Local<T> {
    pub fn get(&self) -> T {
        self.0.with(Cell::get)
    }

    pub fn set(&self, value: T) {
        self.0.with(|cell| cell.set(value));
    }
}
