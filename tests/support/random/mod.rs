//! Random kernels, and the ways to run them that must agree.

mod expressions;
pub mod generate;
pub mod machine_code;
pub mod rng;
