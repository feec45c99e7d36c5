//! The texts of the library's bodies, embedded in the binary.
//!
//! Each text is OpenCL C 3.0 with `__attribute__((overloadable))` functions, one family a file; a function may call
//! any other of the library. The compiler lowers a text once in a process, when something of it is first used.

/// Name (for messages) and text of each family.
pub const FAMILIES: &[(&str, &str)] = &[
    ("async.cl", include_str!("async.cl")),
    ("bits.cl", include_str!("bits.cl")),
    ("common.cl", include_str!("common.cl")),
    ("geometric.cl", include_str!("geometric.cl")),
    ("half.cl", include_str!("half.cl")),
    ("image_access.cl", include_str!("image_access.cl")),
    ("image_srgb.cl", include_str!("image_srgb.cl")),
    ("image_texel.cl", include_str!("image_texel.cl")),
    ("integer.cl", include_str!("integer.cl")),
    ("pipe.cl", include_str!("pipe.cl")),
    ("math_exp.cl", include_str!("math_exp.cl")),
    ("math_log.cl", include_str!("math_log.cl")),
    ("math_trig.cl", include_str!("math_trig.cl")),
    ("math_pow.cl", include_str!("math_pow.cl")),
    ("math_root.cl", include_str!("math_root.cl")),
    ("math_invtrig.cl", include_str!("math_invtrig.cl")),
    ("math_misc.cl", include_str!("math_misc.cl")),
    ("math_native.cl", include_str!("math_native.cl")),
    ("math_hyper.cl", include_str!("math_hyper.cl")),
    ("math_trigpi.cl", include_str!("math_trigpi.cl")),
    ("math_error.cl", include_str!("math_error.cl")),
    ("math_gamma.cl", include_str!("math_gamma.cl")),
];
