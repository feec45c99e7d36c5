//! The SSA intermediate representation.

pub mod abi;
