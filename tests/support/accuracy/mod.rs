//! The parts of the accuracy test: what is measured, on which samples, by which kernels, against what.

pub mod functions;
pub mod kernels;
pub mod reference;
pub mod samples;
