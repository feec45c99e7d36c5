//! OpenCL's objects as plain Rust, below the C entry points and above the compiler.
//!
//! - [`object`]: what all objects share; handles, reference counts, the registry of living objects.
//! - [`platform`], [`device`], [`context`], [`memory`], [`program`], [`kernel`]: one file an object.

pub mod context;
pub mod device;
pub mod kernel;
pub mod memory;
pub mod object;
pub mod platform;
pub mod program;

pub use context::Context;
pub use device::Device;
pub use kernel::Kernel;
pub use memory::Memory;
pub use object::{Body, Handle, Object};
pub use platform::Platform;
pub use program::Program;
