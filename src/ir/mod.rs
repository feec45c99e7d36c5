//! The SSA intermediate representation: what the front ends make and the back end takes.
//!
//! Functions of basic blocks with parameters (no phi nodes), typed instructions, pointers that carry their address
//! space, and barriers and work-group collectives as terminators.

pub mod abi;
mod atomic;
pub mod bases;
pub mod builder;
pub mod cfg;
pub mod collective;
pub mod debug;
pub mod deferred;
mod device;
pub mod dom;
pub mod entities;
pub mod eval;
pub mod function;
pub mod inst;
pub mod interp;
pub mod loops;
pub mod meet;
pub mod module;
pub mod names;
pub mod parse;
pub mod print;
pub mod types;
mod uses;
pub mod verify;

pub use builder::Builder;
pub use device::DeviceOp;
pub use entities::{Block, FuncId, GlobalId, Inst, LocalId, LoopId, Value};
pub use function::{
    BLOCK_PREFIX, DEFAULT_SUB_GROUP_SIZE, Function, KernelAttrs, LIBRARY_FILE, LocalVar,
    ParamAttrs, SUB_GROUP_SIZES, SrcLoc, Unroll, ValueDef,
};
pub use inst::*;
pub use module::{Global, Linkage, Module};
pub use parse::{ParseError, parse_function, parse_module};
pub use types::{AddrSpace, Elem, Type};
pub use verify::{VerifyError, verify};

#[cfg(test)]
mod flow_tests;
