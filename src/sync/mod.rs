//! What threads share, made so that the child of a fork can go on with it.
//!
//! - [`atomic`]: the standard library's. What has models in tests/loom takes it from here, where loom puts its own.
//! - [`futex`]: sleeping on a word.
//! - [`Mutex`], [`Condvar`]: nothing of them outside their words.
//! - [`fork`]: which process this is, and which locks are held over a fork.
//! - [`gate`]: work that a fork waits for.

pub mod fork;
pub mod futex;
pub mod gate;
mod mutex;

pub use std::sync::atomic;

pub use mutex::{Condvar, Mutex, MutexGuard};
