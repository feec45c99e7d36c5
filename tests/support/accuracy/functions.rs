//! The functions that are measured, with their bounds in ulps (OpenCL C 3.0, "Relative Error as ULPs", full profile).

use super::kernels::Precision;

/// The shape of a function's arguments and results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// T f(T)
    One,
    /// T f(T, T)
    Two,
    /// T f(T, int)
    Power,
    /// T f(T, T *)
    OnePointer,
    /// T f(T, int *)
    OneInt,
    /// T f(T, T, int *)
    TwoInt,
    /// int f(T)
    ToInt,
    /// T f(uint or ulong)
    FromBits,
}

pub struct Function {
    pub name: &'static str,
    pub shape: Shape,
    /// In ulps; `f64::MAX` allows any finite error, but no other kind of special value.
    single: f64,
    double: f64,
    /// The half_ and native_ functions, of float alone.
    only_single: bool,
    /// The magnitudes of the arguments of type T that are measured.
    pub domain: (f64, f64),
}

impl Function {
    /// `None` if there is no such function of that precision.
    pub fn bound(&self, precision: Precision) -> Option<f64> {
        match precision {
            Precision::Single => Some(self.single),
            _ if self.only_single => None,
            Precision::Double => Some(self.double),
            Precision::Half => Some(self.half()),
        }
    }

    /// What is exact or rounded once is so in every precision; most others have the same bound in half.
    fn half(&self) -> f64 {
        match self.name {
            "divide" | "rsqrt" => 1.0,
            "sqrt" => 1.5,
            "tan" => 2.5,
            "erf" | "erfc" | "pow" | "pown" | "powr" | "rootn" | "tgamma" => 4.0,
            _ if self.single <= ROUNDED || self.single == UNDEFINED => self.single,
            _ => 2.0,
        }
    }

    const fn within(self, bound: f64) -> Self {
        Self {
            single: bound,
            ..self
        }
    }

    /// The function that a half_ or native_ form stands for.
    pub fn exact_name(&self) -> &'static str {
        let name = self.name;
        let name = name.strip_prefix("half_").unwrap_or(name);
        name.strip_prefix("native_").unwrap_or(name)
    }
}

const EVERYTHING: (f64, f64) = (0.0, f64::INFINITY);

const fn function(name: &'static str, shape: Shape, bound: f64) -> Function {
    Function {
        name,
        shape,
        single: bound,
        double: bound,
        only_single: false,
        domain: EVERYTHING,
    }
}

/// Where the bounds of the two precisions differ.
const fn bounds(name: &'static str, shape: Shape, single: f64, double: f64) -> Function {
    Function {
        name,
        shape,
        single,
        double,
        only_single: false,
        domain: EVERYTHING,
    }
}

const fn half(name: &'static str, shape: Shape, domain: (f64, f64)) -> Function {
    Function {
        name,
        shape,
        single: 8192.0,
        double: 0.0,
        only_single: true,
        domain,
    }
}

/// "Correctly rounded": at most half an ulp, as far as the reference's own rounding lets one see.
const ROUNDED: f64 = 0.500001;
/// "Undefined" in the specification.
const UNDEFINED: f64 = f64::MAX;
/// The sines with half_ need not serve larger arguments (6.15.2).
const CIRCULAR: (f64, f64) = (0.0, 65536.0);
/// The native_ functions are implementation-defined; this is where ours shall be as good as half_ ones.
const NATIVE: (f64, f64) = (9e-4, 80.0);

/// With `-cl-unsafe-math-optimizations` or `-cl-fast-relaxed-math`: sin and cos need be within 2^-11 on [-pi, pi] only,
/// exp and exp2 within 3 + floor(2 |x|) ulps, exp10 may be exp2(x log2(10)), whose error is not bounded.
pub const RELAXED: &[Function] = &[
    relaxed("cos", (0.0, std::f64::consts::PI), 4.0),
    // A zero's sign is not kept.
    relaxed("sin", (1e-30, std::f64::consts::PI), 4.0),
    relaxed("exp", (0.0, 1.0), 3.0),
    relaxed("exp", (1.0, 2.0), 5.0),
    relaxed("exp", (2.0, 4.0), 7.0),
    relaxed("exp", (4.0, 8.0), 11.0),
    relaxed("exp", (8.0, 16.0), 19.0),
    relaxed("exp", (16.0, 32.0), 35.0),
    relaxed("exp", (32.0, 64.0), 67.0),
    relaxed("exp", (64.0, 86.0), 131.0),
    relaxed("exp2", (0.0, 126.0), 3.0),
    relaxed("exp10", (0.0, 37.0), 8192.0),
];

/// With `-cl-fp32-correctly-rounded-divide-sqrt`.
pub const CORRECTLY_ROUNDED: &[Function] = &[
    half("divide", Two, EVERYTHING).within(ROUNDED),
    half("sqrt", One, EVERYTHING).within(ROUNDED),
];

const fn relaxed(name: &'static str, domain: (f64, f64), bound: f64) -> Function {
    half(name, One, domain).within(bound)
}

use Shape::{FromBits, One, OneInt, OnePointer, Power, ToInt, Two, TwoInt};

pub const FUNCTIONS: &[Function] = &[
    function("acos", One, 4.0),
    function("acosh", One, 4.0),
    function("acospi", One, 5.0),
    function("asin", One, 4.0),
    function("asinh", One, 4.0),
    function("asinpi", One, 5.0),
    function("atan", One, 5.0),
    function("atan2", Two, 6.0),
    function("atan2pi", Two, 6.0),
    function("atanh", One, 5.0),
    function("atanpi", One, 5.0),
    function("cbrt", One, 2.0),
    function("ceil", One, 0.0),
    function("copysign", Two, 0.0),
    function("cos", One, 4.0),
    function("cosh", One, 4.0),
    function("cospi", One, 4.0),
    function("degrees", One, 2.0),
    bounds("divide", Two, 2.5, ROUNDED),
    function("erf", One, 16.0),
    function("erfc", One, 16.0),
    function("exp", One, 3.0),
    function("exp10", One, 3.0),
    function("exp2", One, 3.0),
    function("expm1", One, 3.0),
    function("fabs", One, 0.0),
    function("fdim", Two, ROUNDED),
    function("floor", One, 0.0),
    function("fmax", Two, 0.0),
    function("fmin", Two, 0.0),
    function("fmod", Two, 0.0),
    function("fract", OnePointer, ROUNDED),
    function("frexp", OneInt, 0.0),
    function("hypot", Two, 4.0),
    function("ilogb", ToInt, 0.0),
    function("ldexp", Power, ROUNDED),
    function("lgamma", One, UNDEFINED),
    function("lgamma_r", OneInt, UNDEFINED),
    function("log", One, 3.0),
    function("log10", One, 3.0),
    function("log1p", One, 2.0),
    function("log2", One, 3.0),
    function("logb", One, 0.0),
    function("maxmag", Two, 0.0),
    function("minmag", Two, 0.0),
    function("modf", OnePointer, 0.0),
    function("nan", FromBits, 0.0),
    function("nextafter", Two, 0.0),
    function("pow", Two, 16.0),
    function("pown", Power, 16.0),
    function("powr", Two, 16.0),
    function("radians", One, 2.0),
    function("remainder", Two, 0.0),
    function("remquo", TwoInt, 0.0),
    function("rint", One, 0.0),
    function("rootn", Power, 16.0),
    function("round", One, 0.0),
    function("rsqrt", One, 2.0),
    function("sign", One, 0.0),
    function("sin", One, 4.0),
    function("sincos", OnePointer, 4.0),
    function("sinh", One, 4.0),
    function("sinpi", One, 4.0),
    bounds("sqrt", One, 3.0, ROUNDED),
    function("step", Two, 0.0),
    function("tan", One, 5.0),
    function("tanh", One, 5.0),
    function("tanpi", One, 6.0),
    function("tgamma", One, 16.0),
    function("trunc", One, 0.0),
    half("half_cos", One, CIRCULAR),
    half("half_divide", Two, EVERYTHING),
    half("half_exp", One, EVERYTHING),
    half("half_exp10", One, EVERYTHING),
    half("half_exp2", One, EVERYTHING),
    half("half_log", One, EVERYTHING),
    half("half_log10", One, EVERYTHING),
    half("half_log2", One, EVERYTHING),
    half("half_powr", Two, EVERYTHING),
    half("half_recip", One, EVERYTHING),
    half("half_rsqrt", One, EVERYTHING),
    half("half_sin", One, CIRCULAR),
    half("half_sqrt", One, EVERYTHING),
    half("half_tan", One, CIRCULAR),
    half("native_cos", One, NATIVE),
    half("native_divide", Two, NATIVE),
    half("native_exp", One, NATIVE),
    half("native_exp10", One, (9e-4, 37.0)),
    half("native_exp2", One, NATIVE),
    half("native_log", One, NATIVE),
    half("native_log10", One, NATIVE),
    half("native_log2", One, NATIVE),
    Function {
        single: UNDEFINED,
        ..half("native_powr", Two, (0.5, 2.0))
    },
    half("native_recip", One, NATIVE),
    half("native_rsqrt", One, NATIVE),
    half("native_sin", One, NATIVE),
    half("native_sqrt", One, NATIVE),
    half("native_tan", One, NATIVE),
];
