//! The C entry points. Nothing imports this room.
//!
//! - [`table`]: every entry point once, in ICD order; the shims, the dispatch structure, lookup by name.
//! - `shim`: the panic guard and how results become C. `ptr`: pointers from C as types that can be used safely.
//! - One file a noun: what an entry point checks, in the order of the specification's rules, before it makes one call
//!   into the runtime.

mod command_buffer;
mod context;
mod device;
mod enqueue_buffer;
mod enqueue_image;
mod enqueue_kernel;
mod enqueue_sync;
mod event;
mod gl;
mod icd;
mod image;
mod kernel;
mod kernel_info;
mod memory;
mod mutable_dispatch;
mod pipe;
mod platform;
mod program;
mod program_info;
mod ptr;
mod queue;
mod region;
mod sampler;
mod semaphore;
mod shim;
mod sub_device;
mod svm;
pub mod table;
mod usm;
