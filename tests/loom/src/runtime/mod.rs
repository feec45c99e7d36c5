//! The part of Clotho's `runtime` that decides who runs what and when.

mod affinity;
mod arena;
mod board;
mod callback;
mod clock;
pub mod command;
pub mod context;
mod crew;
pub mod device;
pub mod device_pool;
pub mod event;
mod execute;
mod faults;
pub mod models;
pub mod object;
pub mod pool;
pub mod queue;
mod telling;
mod thread;

pub use object::{Handle, Object};
