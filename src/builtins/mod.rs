//! The OpenCL C library: its functions' signatures in one table, and their bodies in OpenCL C.

/// An index into the table of builtin functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct BuiltinId(pub u16);
