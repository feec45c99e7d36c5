//! The texts of the library's bodies, embedded in the binary.
//!
//! Each text is OpenCL C 3.0 with `__attribute__((overloadable))` functions, one family a file; a function may call
//! any other of the library. The compiler lowers a text once in a process, when something of it is first used.

/// Name (for messages) and text of each family.
pub const FAMILIES: &[(&str, &str)] = &[
    ("async.cl", include_str!("async.cl")),
    ("common.cl", include_str!("common.cl")),
    ("geometric.cl", include_str!("geometric.cl")),
    ("integer.cl", include_str!("integer.cl")),
];
