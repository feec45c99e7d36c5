//! The C ABI of OpenCL: types and constants (from `cl-sys`, completed in [`v3`]), error codes, and the dispatch
//! structure that ICD loaders read. A leaf: it knows nothing of the runtime.

pub mod error;
pub mod icd;
pub mod v3;

pub use error::Error;
pub use icd::Dispatch;
// `cl-sys` also declares the entry points of libOpenCL; none of them may be called here (a test checks that the
// library has no dependency on libOpenCL).
pub use cl_sys::*;
pub use v3::*;
// By name, so that they stand before those of `cl-sys`.
pub use v3::{cl_image_desc, cl_image_format};

/// What fails, fails with an OpenCL error code.
pub type Result<T> = std::result::Result<T, Error>;
