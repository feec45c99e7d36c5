//! As Clotho's `sync`, with words that loom watches.

pub mod atomic;
pub mod fork;
pub mod futex;
mod mutex;

pub use mutex::{Condvar, Mutex, MutexGuard};
