//! What the run tests are made of: the file format ([`runfile`]), its expressions ([`expr`]), the executors
//! ([`executor`] and one file for each), the comparison ([`check`]) and the crash-proof test loop ([`suite`]).
//! `tests/run/README.md` describes the format for those who write tests.

pub mod check;
pub mod executor;
pub mod expr;
pub mod interp;
pub mod machine_code;
pub mod opencl;
pub mod runfile;
pub mod suite;
