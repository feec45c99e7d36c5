//! OpenCL's objects as plain Rust, below the C entry points and above the compiler.
//!
//! - [`object`]: what all objects share; handles, reference counts, the registry of living objects.
//! - [`platform`], [`device`], [`context`], [`memory`], [`program`], [`kernel`], [`queue`], [`event`]: one file an
//!   object.
//! - [`svm`]: memory that host and kernels share by address. `storage`, `pages`: where memory comes from.
//! - [`machine`], [`topology`], [`identity`]: what the CPU and its memory are, and what it is called.
//! - [`partition`]: how devices are divided. [`builder`], [`binary`]: builds of programs, and their binaries.
//! - [`semaphore`]: dependencies between commands by name. [`command_buffer`]: commands enqueued again and again.
//! - [`command`], [`native`], [`transfer`], `stream`, [`launch`], `cost`, `tailoring`, [`local_size`], [`printf`]: what commands do.
//! - [`device_pool`], [`pool`], `board`, `execute`, `crew`, `thread`, [`arena`]: the threads that do it, and the memory
//!   they do it in.
//! - `hooks`, `guard`, `faults`, `watchdog`: what machine code calls, how it is left, and why.
//! - `telling`: what log and timeline get to know.
//! - [`callback`]: the thread that calls the application back.
//! - [`affinity`], [`clock`]: what the operating system gives.

pub mod affinity;
pub mod arena;
pub mod binary;
mod board;
pub mod builder;
pub mod callback;
pub mod children;
pub mod clock;
pub mod command;
pub mod command_buffer;
pub mod context;
mod cost;
mod crew;
pub mod device;
pub mod device_pool;
pub mod event;
mod execute;
mod faults;
mod guard;
mod headroom;
mod hooks;
pub mod identity;
pub mod image;
pub mod kernel;
pub mod launch;
pub mod local_size;
pub mod machine;
pub mod memory;
pub mod native;
pub mod object;
mod pages;
pub mod partition;
pub mod pipe;
pub mod platform;
pub mod pool;
pub mod printf;
pub mod program;
pub mod queue;
pub mod sampler;
pub mod semaphore;
mod storage;
mod stream;
pub mod svm;
mod tailoring;
mod telling;
mod texel;
mod thread;
pub mod topology;
pub mod transfer;
mod watchdog;

pub use context::Context;
pub use device::Device;
pub use event::Event;
pub use kernel::Kernel;
pub use memory::Memory;
pub use object::{Body, Handle, Object};
pub use platform::Platform;
pub use program::Program;
pub use queue::Queue;
pub use sampler::Sampler;

#[cfg(test)]
mod tests;
