//! The OpenCL C front end: text to IR.
//!
//! In reading order: [`source`] (buffers and positions), [`diag`] (the build log), [`symbol`] and [`token`] (what the
//! parser sees), [`ast`] (the syntax tree), [`types`], [`hir`] (the typed tree that sema makes).

pub mod ast;
pub mod diag;
pub mod hir;
pub mod source;
pub mod symbol;
pub mod token;
pub mod types;
