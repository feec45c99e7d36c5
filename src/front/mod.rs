//! The OpenCL C front end: text to IR.
//!
//! In reading order: [`options`] (build options), [`session`] (what the stages share), [`source`] (buffers and
//! positions), [`diag`] (the build log), [`warn`] (warnings by name), [`symbol`] and [`token`] (what the parser sees); from text to tokens:
//! [`lex`], [`pp`], [`float`], [`num`], [`literal`], [`token_dump`];
//! then [`ast`] (the syntax tree), [`parse`], [`dump`] (the tree as text), [`image`] and [`types`], [`hir`] (the typed tree that sema makes).

pub mod ast;
pub mod diag;
pub mod dump;
pub mod float;
pub mod hir;
pub mod image;
pub mod lex;
pub mod literal;
pub mod lower;
pub mod num;
pub mod options;
pub mod parse;
pub mod pp;
pub mod predefined;
mod punctuator;
pub mod sema;
pub mod session;
pub mod source;
mod spelling;
pub mod symbol;
pub mod token;
pub mod token_dump;
pub mod types;
pub mod walk;
pub mod warn;
