//! Random kernels in OpenCL C: [`gen`](r#gen) with `expr`, `stmt`, `memory` and [`tiles`] makes them, [`compare`] runs one in every
//! form, [`server`] does so in a process of its own, and [`reduce`] makes a failing one small.

pub mod compare;
mod expr;
pub mod r#gen;
mod memory;
pub mod reduce;
pub mod server;
mod stmt;
pub mod tiles;
pub mod tree;
mod types;
