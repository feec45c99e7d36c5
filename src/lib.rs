//! Clotho: an OpenCL platform for CPUs, as one shared library for the system's ICD loader.
//!
//! The map of the house, in reading order (imports run one way, top to bottom; `tests/tidy.rs` enforces it):
//!
//! - [`cl`]: the C ABI's types, constants, error codes, and the ICD dispatch structure.
//! - [`api`]: the `extern "C"` entry points; nothing imports it.
//! - [`runtime`]: platform, device, context, queue, event, memory, program, kernel; pool and launch.
//! - [`compiler`]: source and options to a program: the pipeline as one readable list.
//! - [`front`]: OpenCL C text to IR.
//! - [`builtins`]: the OpenCL C library, in OpenCL C, and its table of signatures.
//! - [`opt`]: IR to better IR, one pass a file.
//! - [`workgroup`]: from one work-item to a whole work-group.
//! - [`codegen`]: IR to LLVM to machine code.
//! - [`ir`]: the SSA form that all of them share, with printer, parser, verifier and interpreter.
//! - [`observe`]: what a person can see of a running process: log and timeline.
//! - [`sync`]: locks, and what becomes of them when the process is forked.
//! - [`reserve`]: the allocator, and what it has left when the system gives no memory.

pub mod api;
pub mod builtins;
pub mod cl;
pub mod codegen;
pub mod compiler;
pub mod front;
pub mod ir;
pub mod observe;
pub mod opt;
pub mod reserve;
pub mod runtime;
pub mod sync;
pub mod workgroup;

#[global_allocator]
static ALLOCATOR: reserve::Allocator = reserve::Allocator;
