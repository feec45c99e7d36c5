//! The functions that LLVM may call from code it makes, by the names it uses.
//!
//! Invariants: machine code is linked against this list alone, never against whatever the host process exports.
//! Which there can be: block moves and `strlen` (LLVM finds both in loops); IEEE operations that the CPU lacks an instruction for (fmod always; fma, rounding
//! and half precision on old CPUs); 128-bit division. Half-precision values travel in the low 16 bits of an SSE register
//! (x86-64 psABI), which Rust has no stable type for: they are passed as the `f32` with those bits.

use std::ffi::{CStr, c_int, c_void};

use half::f16;

/// A symbol and its address in this process.
pub struct Helper {
    pub name: &'static CStr,
    pub address: usize,
}

macro_rules! helpers {
    ($($name:literal: $function:expr, $ty:ty;)*) => {
        vec![$(Helper { name: $name, address: $function as $ty as usize }),*]
    };
}

type Float1 = extern "C" fn(f32) -> f32;
type Float2 = extern "C" fn(f32, f32) -> f32;
type Float3 = extern "C" fn(f32, f32, f32) -> f32;
type Double1 = extern "C" fn(f64) -> f64;
type Double2 = extern "C" fn(f64, f64) -> f64;
type Double3 = extern "C" fn(f64, f64, f64) -> f64;
type Unsigned = extern "C" fn(u128, u128) -> u128;
type Signed = extern "C" fn(i128, i128) -> i128;
type Copy = unsafe extern "C" fn(*mut c_void, *const c_void, usize) -> *mut c_void;
type Set = unsafe extern "C" fn(*mut c_void, c_int, usize) -> *mut c_void;
type Compare = unsafe extern "C" fn(*const c_void, *const c_void, usize) -> c_int;

/// All helpers; the list is the same in every process of this build.
pub fn all() -> Vec<Helper> {
    helpers! {
        c"memcpy": libc::memcpy, Copy;
        c"memmove": libc::memmove, Copy;
        c"memset": libc::memset, Set;
        c"memcmp": libc::memcmp, Compare;
        c"bcmp": libc::memcmp, Compare;
        c"strlen": libc::strlen, unsafe extern "C" fn(*const std::ffi::c_char) -> usize;
        c"fmodf": fmodf, Float2;
        c"fmod": fmod, Double2;
        c"fmaf": fmaf, Float3;
        c"fma": fma, Double3;
        c"sqrtf": sqrtf, Float1;
        c"sqrt": sqrt, Double1;
        c"ceilf": ceilf, Float1;
        c"ceil": ceil, Double1;
        c"floorf": floorf, Float1;
        c"floor": floor, Double1;
        c"truncf": truncf, Float1;
        c"trunc": trunc, Double1;
        c"rintf": rintf, Float1;
        c"rint": rint, Double1;
        c"nearbyintf": rintf, Float1;
        c"nearbyint": rint, Double1;
        c"roundevenf": rintf, Float1;
        c"roundeven": rint, Double1;
        c"roundf": roundf, Float1;
        c"round": round, Double1;
        c"fminf": fminf, Float2;
        c"fmin": fmin, Double2;
        c"fmaxf": fmaxf, Float2;
        c"fmax": fmax, Double2;
        c"__extendhfsf2": extend_half, Float1;
        c"__gnu_h2f_ieee": half_bits_to_float, extern "C" fn(u16) -> f32;
        c"__truncsfhf2": float_to_half, Float1;
        c"__gnu_f2h_ieee": float_to_half_bits, extern "C" fn(f32) -> u16;
        c"__truncdfhf2": double_to_half, extern "C" fn(f64) -> f32;
        c"__udivti3": divide_u128, Unsigned;
        c"__umodti3": remainder_u128, Unsigned;
        c"__divti3": divide_i128, Signed;
        c"__modti3": remainder_i128, Signed;
    }
}

macro_rules! float_helpers {
    ($($name:ident($($arg:ident),*): $ty:ty = $value:expr;)*) => {
        $(extern "C" fn $name($($arg: $ty),*) -> $ty {
            $value
        })*
    };
}

float_helpers! {
    fmodf(a, b): f32 = a % b;
    fmod(a, b): f64 = a % b;
    fmaf(a, b, c): f32 = a.mul_add(b, c);
    fma(a, b, c): f64 = a.mul_add(b, c);
    sqrtf(a): f32 = a.sqrt();
    sqrt(a): f64 = a.sqrt();
    ceilf(a): f32 = a.ceil();
    ceil(a): f64 = a.ceil();
    floorf(a): f32 = a.floor();
    floor(a): f64 = a.floor();
    truncf(a): f32 = a.trunc();
    trunc(a): f64 = a.trunc();
    rintf(a): f32 = a.round_ties_even();
    rint(a): f64 = a.round_ties_even();
    roundf(a): f32 = a.round();
    round(a): f64 = a.round();
    fminf(a, b): f32 = a.min(b);
    fmin(a, b): f64 = a.min(b);
    fmaxf(a, b): f32 = a.max(b);
    fmax(a, b): f64 = a.max(b);
}

extern "C" fn half_bits_to_float(bits: u16) -> f32 {
    f16::from_bits(bits).to_f32()
}

extern "C" fn float_to_half_bits(value: f32) -> u16 {
    f16::from_f32(value).to_bits()
}

extern "C" fn extend_half(low_bits: f32) -> f32 {
    half_bits_to_float(low_bits.to_bits() as u16)
}

extern "C" fn float_to_half(value: f32) -> f32 {
    f32::from_bits(u32::from(float_to_half_bits(value)))
}

/// Through float rounded to odd, as `cast.rs` does it: `f16::from_f64` drops the low bits before it rounds.
extern "C" fn double_to_half(value: f64) -> f32 {
    let nearest = value as f32;
    let back = f64::from(nearest);
    let mut bits = nearest.to_bits();
    if back != value && !value.is_nan() {
        bits = bits.wrapping_sub(u32::from(back.abs() > value.abs())) | 1;
    }
    float_to_half(f32::from_bits(bits))
}

/// Code that divides has checked for zero; the result of a division by zero does not matter.
extern "C" fn divide_u128(a: u128, b: u128) -> u128 {
    a.checked_div(b).unwrap_or(0)
}

extern "C" fn remainder_u128(a: u128, b: u128) -> u128 {
    a.checked_rem(b).unwrap_or(0)
}

extern "C" fn divide_i128(a: i128, b: i128) -> i128 {
    a.checked_div(b).unwrap_or(0)
}

extern "C" fn remainder_i128(a: i128, b: i128) -> i128 {
    a.checked_rem(b).unwrap_or(0)
}
