//! The OpenCL C front end: text to IR.
//!
//! In reading order: [`source`] (buffers and positions), [`diag`] (the build log), [`symbol`] and [`token`] (what the
//! parser sees).

pub mod diag;
pub mod source;
pub mod symbol;
pub mod token;
