//! What is defined before the program's first line: the language's macros, limits and constants (OpenCL C
//! specification: "Preprocessor Directives and Macros", "Math Constants", "Floating-point Macros", "Integer
//! Functions", "Synchronization Functions", "Samplers"), and the macros of `-D`.
//!
//! The macros are made as text, which the preprocessor reads like any other, so a diagnostic can show it.

use super::super::options::{FrontOptions, Target, Version};
use super::super::source::Loc;
use super::Preprocessor;
use std::fmt::Write;
use std::sync::Arc;

/// The name of the buffer in diagnostics.
pub const NAME: &str = "<built-in>";

/// Clang's extension of the language by bit-fields, which OpenCL C does not have (6.11.c).
pub const BIT_FIELDS: &str = "__cl_clang_bitfields";

/// Defined in every program.
const ALWAYS: &[(&str, &str)] = &[
    ("__CLOTHO__", "1"),
    (BIT_FIELDS, "1"),
    ("__STDC__", "1"),
    ("__STDC_VERSION__", "199901L"),
    ("CL_VERSION_1_0", "100"),
    ("CL_VERSION_1_1", "110"),
    ("CL_VERSION_1_2", "120"),
    ("CL_VERSION_2_0", "200"),
    ("CL_VERSION_3_0", "300"),
    ("__ENDIAN_LITTLE__", "1"),
    (
        "__kernel_exec(X, typen)",
        "__kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))",
    ),
    (
        "kernel_exec(X, typen)",
        "__kernel __attribute__((work_group_size_hint(X, 1, 1))) __attribute__((vec_type_hint(typen)))",
    ),
    ("NULL", "((void*)0)"),
    ("CHAR_BIT", "8"),
    ("CHAR_MAX", "SCHAR_MAX"),
    ("CHAR_MIN", "SCHAR_MIN"),
    ("INT_MAX", "2147483647"),
    ("INT_MIN", "(-2147483647 - 1)"),
    ("LONG_MAX", "0x7fffffffffffffffL"),
    ("LONG_MIN", "(-0x7fffffffffffffffL - 1)"),
    ("SCHAR_MAX", "127"),
    ("SCHAR_MIN", "(-127 - 1)"),
    ("SHRT_MAX", "32767"),
    ("SHRT_MIN", "(-32767 - 1)"),
    ("UCHAR_MAX", "255"),
    ("USHRT_MAX", "65535"),
    ("UINT_MAX", "0xffffffff"),
    ("ULONG_MAX", "0xffffffffffffffffUL"),
    ("FLT_DIG", "6"),
    ("FLT_MANT_DIG", "24"),
    ("FLT_MAX_10_EXP", "+38"),
    ("FLT_MAX_EXP", "+128"),
    ("FLT_MIN_10_EXP", "-37"),
    ("FLT_MIN_EXP", "-125"),
    ("FLT_RADIX", "2"),
    ("FLT_MAX", "0x1.fffffep127f"),
    ("FLT_MIN", "0x1.0p-126f"),
    ("FLT_EPSILON", "0x1.0p-23f"),
    ("FP_ILOGB0", "INT_MIN"),
    ("FP_ILOGBNAN", "INT_MAX"),
    ("MAXFLOAT", "0x1.fffffep127f"),
    // Twice a power of two: constant evaluation needs nothing but a product.
    ("HUGE_VALF", "(0x1.0p127f * 2.0f)"),
    ("INFINITY", "(0x1.0p127f * 2.0f)"),
    ("NAN", "as_float(0x7fc00000)"),
    // The values are ours to choose, and clang's, so that a program that has them as numbers works too.
    ("CLK_LOCAL_MEM_FENCE", "0x1"),
    ("CLK_GLOBAL_MEM_FENCE", "0x2"),
];

/// Defined in programs of OpenCL C 2.0 and later.
const SINCE_CL20: &[(&str, &str)] = &[
    ("CLK_IMAGE_MEM_FENCE", "0x4"),
    ("ATOMIC_VAR_INIT(value)", "(value)"),
    ("ATOMIC_FLAG_INIT", "0"),
    ("CLK_NULL_QUEUE", "((queue_t)0)"),
    ("CLK_NULL_EVENT", "((clk_event_t)0)"),
    ("CLK_ENQUEUE_FLAGS_NO_WAIT", "0x0"),
    ("CLK_ENQUEUE_FLAGS_WAIT_KERNEL", "0x1"),
    ("CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP", "0x2"),
    ("CLK_PROFILING_COMMAND_EXEC_TIME", "0x1"),
    ("CLK_SUCCESS", "0"),
    ("CLK_ENQUEUE_FAILURE", "(-101)"),
    ("CLK_INVALID_QUEUE", "(-102)"),
    ("CLK_INVALID_NDRANGE", "(-160)"),
    ("CLK_INVALID_EVENT_WAIT_LIST", "(-57)"),
    ("CLK_DEVICE_QUEUE_FULL", "(-161)"),
    ("CLK_INVALID_ARG_SIZE", "(-51)"),
    ("CLK_EVENT_ALLOCATION_FAILURE", "(-100)"),
    ("CLK_OUT_OF_RESOURCES", "(-5)"),
    ("CL_COMPLETE", "0x0"),
    ("CL_RUNNING", "0x1"),
    ("CL_SUBMITTED", "0x2"),
    ("CLK_NULL_RESERVE_ID", "((reserve_id_t)0)"),
];

/// Defined if the device has doubles.
const DOUBLE: &[(&str, &str)] = &[
    ("DBL_DIG", "15"),
    ("DBL_MANT_DIG", "53"),
    ("DBL_MAX_10_EXP", "+308"),
    ("DBL_MAX_EXP", "+1024"),
    ("DBL_MIN_10_EXP", "-307"),
    ("DBL_MIN_EXP", "-1021"),
    ("DBL_RADIX", "2"),
    ("DBL_MAX", "0x1.fffffffffffffp1023"),
    ("DBL_MIN", "0x1.0p-1022"),
    ("DBL_EPSILON", "0x1.0p-52"),
    ("HUGE_VAL", "(0x1.0p1023 * 2.0)"),
];

/// Defined if the device has half arithmetic (cl_khr_fp16).
const HALF: &[(&str, &str)] = &[
    ("HALF_DIG", "3"),
    ("HALF_MANT_DIG", "11"),
    ("HALF_MAX_10_EXP", "+4"),
    ("HALF_MAX_EXP", "+16"),
    ("HALF_MIN_10_EXP", "-4"),
    ("HALF_MIN_EXP", "-13"),
    ("HALF_RADIX", "2"),
    ("HALF_MAX", "0x1.ffcp15h"),
    ("HALF_MIN", "0x1.0p-14h"),
    ("HALF_EPSILON", "0x1.0p-10h"),
];

/// Names without the suffix of the type (`_F`, none, `_H`), and values to more places than a double holds.
const MATH: &[(&str, &str)] = &[
    ("M_E", "2.71828182845904523536"),
    ("M_LOG2E", "1.44269504088896340736"),
    ("M_LOG10E", "0.43429448190325182765"),
    ("M_LN2", "0.69314718055994530942"),
    ("M_LN10", "2.30258509299404568402"),
    ("M_PI", "3.14159265358979323846"),
    ("M_PI_2", "1.57079632679489661923"),
    ("M_PI_4", "0.78539816339744830962"),
    ("M_1_PI", "0.31830988618379067154"),
    ("M_2_PI", "0.63661977236758134308"),
    ("M_2_SQRTPI", "1.12837916709551257390"),
    ("M_SQRT2", "1.41421356237309504880"),
    ("M_SQRT1_2", "0.70710678118654752440"),
];

/// Defined if the device has images; the channel values are the API's.
const IMAGES: &[(&str, &str)] = &[
    ("__IMAGE_SUPPORT__", "1"),
    ("CLK_ADDRESS_NONE", "0"),
    ("CLK_ADDRESS_CLAMP_TO_EDGE", "2"),
    ("CLK_ADDRESS_CLAMP", "4"),
    ("CLK_ADDRESS_REPEAT", "6"),
    ("CLK_ADDRESS_MIRRORED_REPEAT", "8"),
    ("CLK_NORMALIZED_COORDS_FALSE", "0"),
    ("CLK_NORMALIZED_COORDS_TRUE", "1"),
    ("CLK_FILTER_NEAREST", "0x10"),
    ("CLK_FILTER_LINEAR", "0x20"),
    ("CLK_SNORM_INT8", "0x10D0"),
    ("CLK_SNORM_INT16", "0x10D1"),
    ("CLK_UNORM_INT8", "0x10D2"),
    ("CLK_UNORM_INT16", "0x10D3"),
    ("CLK_UNORM_SHORT_565", "0x10D4"),
    ("CLK_UNORM_SHORT_555", "0x10D5"),
    ("CLK_UNORM_INT_101010", "0x10D6"),
    ("CLK_SIGNED_INT8", "0x10D7"),
    ("CLK_SIGNED_INT16", "0x10D8"),
    ("CLK_SIGNED_INT32", "0x10D9"),
    ("CLK_UNSIGNED_INT8", "0x10DA"),
    ("CLK_UNSIGNED_INT16", "0x10DB"),
    ("CLK_UNSIGNED_INT32", "0x10DC"),
    ("CLK_HALF_FLOAT", "0x10DD"),
    ("CLK_FLOAT", "0x10DE"),
    ("CLK_R", "0x10B0"),
    ("CLK_A", "0x10B1"),
    ("CLK_RG", "0x10B2"),
    ("CLK_RA", "0x10B3"),
    ("CLK_RGB", "0x10B4"),
    ("CLK_RGBA", "0x10B5"),
    ("CLK_BGRA", "0x10B6"),
    ("CLK_ARGB", "0x10B7"),
    ("CLK_INTENSITY", "0x10B8"),
    ("CLK_LUMINANCE", "0x10B9"),
    ("CLK_Rx", "0x10BA"),
    ("CLK_RGx", "0x10BB"),
    ("CLK_RGBx", "0x10BC"),
    ("CLK_DEPTH", "0x10BD"),
    ("CLK_sRGBA", "0x10C1"),
    ("CLK_sBGRA", "0x10C2"),
    ("CLK_ABGR", "0x10C3"),
    ("CLK_UNORM_INT_101010_2", "0x10E0"),
];

/// The text that defines the language's macros for this device and these options.
pub fn built_in(options: &FrontOptions, target: &Target) -> Arc<str> {
    let mut text = String::new();
    let has = |extension: &str| target.extensions.contains(&extension);
    let has_double = has("cl_khr_fp64") || target.features.contains(&"__opencl_c_fp64");
    let has_half = has("cl_khr_fp16");
    let is_cl20 = options.version > Version::Cl12;

    define_all(&mut text, ALWAYS);
    define(
        &mut text,
        "__OPENCL_VERSION__",
        &target.device_version.to_string(),
    );
    define(
        &mut text,
        "__OPENCL_C_VERSION__",
        &options.version.number().to_string(),
    );
    define_math(&mut text, "_F", "f");
    if is_cl20 {
        define_all(&mut text, SINCE_CL20);
        for feature in target.features {
            define(&mut text, feature, "1");
        }
    }
    if has_double {
        define_all(&mut text, DOUBLE);
        define_math(&mut text, "", "");
    }
    if has_half {
        define_all(&mut text, HALF);
        define_math(&mut text, "_H", "h");
    }
    if target.images {
        define_all(&mut text, IMAGES);
    }
    for extension in target.extensions {
        define(&mut text, extension, "1");
    }
    if target.fast_fma {
        define(&mut text, "FP_FAST_FMAF", "1");
        if has_double {
            define(&mut text, "FP_FAST_FMA", "1");
        }
    }
    if target.fast_half_fma && has_half {
        define(&mut text, "FP_FAST_FMA_HALF", "1");
    }
    if options.math.fast_relaxed {
        define(&mut text, "__FAST_RELAXED_MATH__", "1");
    }
    text.into()
}

/// The text that defines the macros of `-D`.
pub fn command_line(options: &FrontOptions) -> Arc<str> {
    let mut text = String::new();
    for definition in &options.definitions {
        define(&mut text, &definition.name, &definition.body);
    }
    text.into()
}

impl Preprocessor<'_> {
    /// Whether a macro defined at this place is one of the language's.
    pub(super) fn is_predefined(&self, loc: Loc) -> bool {
        self.session
            .sources
            .position(loc)
            .is_some_and(|position| &*position.file == NAME)
    }
}

fn define(text: &mut String, name: &str, body: &str) {
    let _ = writeln!(text, "#define {name} {body}");
}

fn define_all(text: &mut String, table: &[(&str, &str)]) {
    for (name, body) in table {
        define(text, name, body);
    }
}

fn define_math(text: &mut String, name_suffix: &str, value_suffix: &str) {
    for (name, value) in MATH {
        let _ = writeln!(text, "#define {name}{name_suffix} {value}{value_suffix}");
    }
}
