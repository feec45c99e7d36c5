//! What threads share, made so that the child of a fork can go on with it.
//!
//! - [`futex`]: sleeping on a word.
//! - [`Mutex`], [`Condvar`]: nothing of them outside their words.
//! - [`fork`]: which process this is, and which locks are held over a fork.
//! - [`gate`]: work that a fork waits for.

pub mod fork;
pub mod futex;
pub mod gate;
mod mutex;

pub use mutex::{Condvar, Mutex, MutexGuard};
