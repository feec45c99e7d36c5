//! What the run tests are made of: the file format ([`runfile`]), its expressions ([`expr`]), the executors
//! ([`executor`], one file for each, and [`by_name`]) and the comparison ([`check`]). `suite.rs` is the crash-proof test
//! loop.
//! `tests/run/README.md` describes the format for those who write tests.

pub mod by_name;
pub mod check;
pub mod executor;
pub mod expr;
pub mod image;
pub mod interp;
pub mod machine_code;
pub mod opencl;
pub mod runfile;
