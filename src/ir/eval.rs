//! What each operator computes, on one lane given by its bits: the meaning of the IR, used by the interpreter and by
//! constant folding.
//!
//! Invariants: bits come in and go out zero-extended to 64; nothing traps or panics. Where `inst.rs` leaves a value
//! unspecified this file gives one choice: x / 0 is 0, MIN / -1 is MIN, out-of-range float-to-int saturates.
//! Sources: IEEE 754-2008 for the floating-point operators; OpenCL C 3.0, 6.4 and 6.15.3 for the integer ones.

use half::f16;

use super::inst::{AtomicOp, BinaryOp, CastOp, FloatCC, IntCC, TernaryOp, UnaryOp};
use super::types::Elem;

/// The low bits that an element of this type has.
pub fn mask(elem: Elem) -> u64 {
    u64::MAX >> (64 - elem.bits())
}

/// The integer that the bits mean when signed.
pub fn signed(elem: Elem, bits: u64) -> i64 {
    let unused = 64 - elem.bits();
    ((bits << unused) as i64) >> unused
}

/// The exact value of a floating-point element.
pub fn to_f64(elem: Elem, bits: u64) -> f64 {
    match elem {
        Elem::F16 => f64::from(half_of(bits).to_f32()),
        Elem::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// `x` rounded once, to nearest even.
pub fn from_f64(elem: Elem, x: f64) -> u64 {
    match elem {
        Elem::F16 => half_bits(odd_f32(x)),
        Elem::F32 => u64::from((x as f32).to_bits()),
        _ => x.to_bits(),
    }
}

pub fn unary(op: UnaryOp, elem: Elem, a: u64) -> u64 {
    let width = elem.bits();
    match op {
        UnaryOp::Neg => a.wrapping_neg() & mask(elem),
        UnaryOp::Not => !a & mask(elem),
        UnaryOp::Clz => u64::from((a << (64 - width)).leading_zeros().min(width)),
        UnaryOp::Ctz => u64::from(a.trailing_zeros().min(width)),
        UnaryOp::Popcount => u64::from(a.count_ones()),
        UnaryOp::BitReverse => a.reverse_bits() >> (64 - width),
        UnaryOp::FNeg => a ^ sign_bit(elem),
        UnaryOp::FAbs => a & !sign_bit(elem),
        UnaryOp::Sqrt => float1(elem, a, f32::sqrt, f64::sqrt),
        UnaryOp::Ceil => float1(elem, a, f32::ceil, f64::ceil),
        UnaryOp::Floor => float1(elem, a, f32::floor, f64::floor),
        UnaryOp::Trunc => float1(elem, a, f32::trunc, f64::trunc),
        UnaryOp::Rint => float1(elem, a, f32::round_ties_even, f64::round_ties_even),
        UnaryOp::Round => float1(elem, a, f32::round, f64::round),
        UnaryOp::RecipEstimate => float1(elem, a, |x| 1.0 / x, |x| 1.0 / x),
        UnaryOp::FMantissa => from_f64(elem, parts(elem, a).0),
        UnaryOp::FExponent => from_f64(elem, parts(elem, a).1),
        UnaryOp::FSignificand => from_f64(elem, octave(elem, a).0),
        UnaryOp::FLogb => from_f64(elem, octave(elem, a).1),
        UnaryOp::RsqrtEstimate => float1(elem, a, |x| 1.0 / x.sqrt(), |x| 1.0 / x.sqrt()),
    }
}

pub fn binary(op: BinaryOp, elem: Elem, a: u64, b: u64) -> u64 {
    let width = elem.bits();
    let m = mask(elem);
    let s = |bits: u64| signed(elem, bits);
    // Widths are powers of two.
    let count = (b & u64::from(width - 1)) as u32;
    match op {
        BinaryOp::Add => a.wrapping_add(b) & m,
        BinaryOp::Sub => a.wrapping_sub(b) & m,
        BinaryOp::Mul => a.wrapping_mul(b) & m,
        BinaryOp::SDiv if b == 0 => 0,
        BinaryOp::SDiv => s(a).wrapping_div(s(b)) as u64 & m,
        BinaryOp::UDiv => a.checked_div(b).unwrap_or(0),
        BinaryOp::SRem if b == 0 => 0,
        BinaryOp::SRem => s(a).wrapping_rem(s(b)) as u64 & m,
        BinaryOp::URem => a.checked_rem(b).unwrap_or(0),
        BinaryOp::Shl => (a << count) & m,
        BinaryOp::LShr => a >> count,
        BinaryOp::AShr => (s(a) >> count) as u64 & m,
        BinaryOp::Rotl if count == 0 => a,
        BinaryOp::Rotl => ((a << count) | (a >> (width - count))) & m,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::SMin => s(a).min(s(b)) as u64 & m,
        BinaryOp::SMax => s(a).max(s(b)) as u64 & m,
        BinaryOp::UMin => a.min(b),
        BinaryOp::UMax => a.max(b),
        BinaryOp::SMulHi => {
            let product = i128::from(s(a)) * i128::from(s(b));
            (product >> width) as u64 & m
        }
        BinaryOp::UMulHi => {
            let product = u128::from(a) * u128::from(b);
            (product >> width) as u64 & m
        }
        BinaryOp::SAddSat => clamp_signed(elem, i128::from(s(a)) + i128::from(s(b))),
        BinaryOp::SSubSat => clamp_signed(elem, i128::from(s(a)) - i128::from(s(b))),
        BinaryOp::UAddSat => a.saturating_add(b).min(m),
        BinaryOp::USubSat => a.saturating_sub(b),
        BinaryOp::FAdd => float2(elem, a, b, |x, y| x + y, |x, y| x + y),
        BinaryOp::FSub => float2(elem, a, b, |x, y| x - y, |x, y| x - y),
        BinaryOp::FMul => float2(elem, a, b, |x, y| x * y, |x, y| x * y),
        BinaryOp::FDiv => float2(elem, a, b, |x, y| x / y, |x, y| x / y),
        BinaryOp::FRem => float2(elem, a, b, |x, y| x % y, |x, y| x % y),
        BinaryOp::FMin => float2(elem, a, b, f32::min, f64::min),
        BinaryOp::FMax => float2(elem, a, b, f32::max, f64::max),
        BinaryOp::CopySign => (a & !sign_bit(elem)) | (b & sign_bit(elem)),
        BinaryOp::FScale => {
            let (x, k) = (to_f64(elem, a), to_f64(elem, b).floor() as i32);
            let half = k >> 1;
            from_f64(elem, x * 2f64.powi(half) * 2f64.powi(k - half))
        }
    }
}

/// Both operators round once; `MulAdd` may, and does what hardware with fused multiply-add does.
pub fn ternary(op: TernaryOp, elem: Elem, a: u64, b: u64, c: u64) -> u64 {
    let (TernaryOp::Fma | TernaryOp::MulAdd) = op;
    match elem {
        Elem::F32 => {
            let x = f32::from_bits(a as u32);
            let y = x.mul_add(f32::from_bits(b as u32), f32::from_bits(c as u32));
            u64::from(y.to_bits())
        }
        Elem::F16 => {
            // The product is exact in f64; the sum is rounded to odd, so that rounding again is harmless.
            let product = to_f64(elem, a) * to_f64(elem, b);
            from_f64(elem, odd_sum(product, to_f64(elem, c)))
        }
        _ => f64::from_bits(a)
            .mul_add(f64::from_bits(b), f64::from_bits(c))
            .to_bits(),
    }
}

pub fn icmp(cc: IntCC, elem: Elem, a: u64, b: u64) -> bool {
    let s = |bits: u64| signed(elem, bits);
    match cc {
        IntCC::Eq => a == b,
        IntCC::Ne => a != b,
        IntCC::Slt => s(a) < s(b),
        IntCC::Sle => s(a) <= s(b),
        IntCC::Sgt => s(a) > s(b),
        IntCC::Sge => s(a) >= s(b),
        IntCC::Ult => a < b,
        IntCC::Ule => a <= b,
        IntCC::Ugt => a > b,
        IntCC::Uge => a >= b,
    }
}

pub fn fcmp(cc: FloatCC, elem: Elem, a: u64, b: u64) -> bool {
    let (x, y) = (to_f64(elem, a), to_f64(elem, b));
    let unordered = x.is_nan() || y.is_nan();
    match cc {
        FloatCC::Oeq => x == y,
        FloatCC::One => !unordered && x != y,
        FloatCC::Olt => x < y,
        FloatCC::Ole => x <= y,
        FloatCC::Ogt => x > y,
        FloatCC::Oge => x >= y,
        FloatCC::Ord => !unordered,
        FloatCC::Ueq => unordered || x == y,
        FloatCC::Une => x != y,
        FloatCC::Ult => unordered || x < y,
        FloatCC::Ule => unordered || x <= y,
        FloatCC::Ugt => unordered || x > y,
        FloatCC::Uge => unordered || x >= y,
        FloatCC::Uno => unordered,
    }
}

/// One lane of a cast; a `Bitcast` must have equally wide elements here.
pub fn cast(op: CastOp, from: Elem, to: Elem, a: u64) -> u64 {
    match op {
        CastOp::Trunc | CastOp::PtrToInt => a & mask(to),
        CastOp::ZExt | CastOp::IntToPtr | CastOp::Bitcast | CastOp::AddrSpaceCast => a,
        CastOp::SExt => signed(from, a) as u64 & mask(to),
        CastOp::FpTrunc | CastOp::FpExt => from_f64(to, to_f64(from, a)),
        CastOp::FpToSi => {
            // Saturates to 64 bits, then to the width; NaN is 0.
            let max = (mask(to) >> 1) as i64;
            (to_f64(from, a) as i64).clamp(!max, max) as u64 & mask(to)
        }
        CastOp::FpToUi => (to_f64(from, a) as u64).min(mask(to)),
        CastOp::SiToFp => {
            let x = signed(from, a);
            match to {
                Elem::F32 => u64::from((x as f32).to_bits()),
                // Where f64 is not exact, f16 is infinite.
                _ => from_f64(to, x as f64),
            }
        }
        CastOp::UiToFp => match to {
            Elem::F32 => u64::from((a as f32).to_bits()),
            _ => from_f64(to, a as f64),
        },
    }
}

/// The new value that an atomic leaves in memory.
pub fn atomic(op: AtomicOp, elem: Elem, old: u64, value: u64) -> u64 {
    match op.binary() {
        Some(op) => binary(op, elem, old, value),
        None => value,
    }
}

fn sign_bit(elem: Elem) -> u64 {
    1 << (elem.bits() - 1)
}

fn half_of(bits: u64) -> f16 {
    f16::from_bits(bits as u16)
}

fn half_bits(x: f32) -> u64 {
    u64::from(f16::from_f32(x).to_bits())
}

/// Half goes through float: sums, products, quotients and roots of 11-bit numbers survive rounding to 24 bits and
/// then to 11 (Figueroa, "When is double rounding innocuous?", 1995).
fn float1(elem: Elem, a: u64, single: fn(f32) -> f32, double: fn(f64) -> f64) -> u64 {
    match elem {
        Elem::F16 => half_bits(single(half_of(a).to_f32())),
        Elem::F32 => u64::from(single(f32::from_bits(a as u32)).to_bits()),
        _ => double(f64::from_bits(a)).to_bits(),
    }
}

fn float2(
    elem: Elem,
    a: u64,
    b: u64,
    single: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
) -> u64 {
    match elem {
        Elem::F16 => half_bits(single(half_of(a).to_f32(), half_of(b).to_f32())),
        Elem::F32 => {
            let y = single(f32::from_bits(a as u32), f32::from_bits(b as u32));
            u64::from(y.to_bits())
        }
        _ => double(f64::from_bits(a), f64::from_bits(b)).to_bits(),
    }
}

/// x as m * 2^e, 3/4 <= m < 3/2, with the special values of `inst.rs`.
fn parts(elem: Elem, a: u64) -> (f64, f64) {
    let x = to_f64(elem, a);
    if x == 0.0 {
        return (1.0, f64::NEG_INFINITY);
    }
    if x.is_nan() || x < 0.0 {
        return (f64::NAN, f64::NAN);
    }
    if x == f64::INFINITY {
        return (1.0, x);
    }
    let subnormal = x < f64::MIN_POSITIVE;
    let bits = if subnormal { x * 2f64.powi(54) } else { x }.to_bits();
    let e = (bits.wrapping_sub(0.75f64.to_bits()) as i64) >> 52;
    let m = f64::from_bits(bits.wrapping_sub((e << 52) as u64));
    (m, e as f64 - if subnormal { 54.0 } else { 0.0 })
}

/// |x| as m * 2^e, 1 <= m < 2, with the special values of `inst.rs`.
fn octave(elem: Elem, a: u64) -> (f64, f64) {
    let (m, e) = parts(elem, a & !sign_bit(elem));
    if m < 1.0 { (2.0 * m, e - 1.0) } else { (m, e) }
}

fn clamp_signed(elem: Elem, x: i128) -> u64 {
    let max = i128::from(mask(elem) >> 1);
    x.clamp(-max - 1, max) as u64 & mask(elem)
}

/// `x` rounded to odd: when inexact, to the neighbour whose last bit is set. Rounding that to half is as good as
/// rounding `x` (Boldo and Melquiond, 2008).
fn odd_f32(x: f64) -> f32 {
    let near = x as f32;
    let back = f64::from(near);
    if x.is_nan() || back == x || near.to_bits() & 1 == 1 {
        return near;
    }
    let away = x.abs() > back.abs();
    let bits = near.to_bits();
    f32::from_bits(if away { bits + 1 } else { bits - 1 })
}

/// `x + y` rounded to odd, by Knuth's exact error of a sum.
fn odd_sum(x: f64, y: f64) -> f64 {
    let sum = x + y;
    let y_part = sum - x;
    let error = (x - (sum - y_part)) + (y - y_part);
    let bits = sum.to_bits();
    if !sum.is_finite() || error == 0.0 || error.is_nan() || bits & 1 == 1 {
        return sum;
    }
    let away = (error > 0.0) == (sum > 0.0);
    f64::from_bits(if away { bits + 1 } else { bits - 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half(x: f32) -> u64 {
        half_bits(x)
    }

    #[test]
    fn integer_division_never_traps() {
        for (op, min_by_minus_1) in [(BinaryOp::SDiv, 0x80), (BinaryOp::SRem, 0)] {
            assert_eq!(binary(op, Elem::I8, 7, 0), 0);
            assert_eq!(binary(op, Elem::I8, 0x80, 0xff), min_by_minus_1);
        }
        assert_eq!(
            binary(BinaryOp::SDiv, Elem::I64, 1 << 63, u64::MAX),
            1 << 63
        );
        assert_eq!(binary(BinaryOp::UDiv, Elem::I32, 7, 0), 0);
        assert_eq!(binary(BinaryOp::URem, Elem::I32, 7, 0), 0);
        assert_eq!(binary(BinaryOp::SDiv, Elem::I8, 0xf9, 2), 0xfd);
    }

    #[test]
    fn shift_counts_are_taken_modulo_the_width() {
        assert_eq!(binary(BinaryOp::Shl, Elem::I8, 1, 9), 2);
        assert_eq!(binary(BinaryOp::LShr, Elem::I32, 4, 33), 2);
        assert_eq!(binary(BinaryOp::AShr, Elem::I16, 0x8000, 31), 0xffff);
        assert_eq!(binary(BinaryOp::Rotl, Elem::I8, 0x81, 9), 3);
        assert_eq!(binary(BinaryOp::Rotl, Elem::I64, 5, 64), 5);
    }

    #[test]
    fn high_products_and_saturation_at_every_width() {
        assert_eq!(binary(BinaryOp::SMulHi, Elem::I8, 0x80, 0x80), 0x40);
        assert_eq!(binary(BinaryOp::SMulHi, Elem::I8, 0xff, 1), 0xff);
        assert_eq!(
            binary(BinaryOp::UMulHi, Elem::I64, u64::MAX, u64::MAX),
            u64::MAX - 1
        );
        assert_eq!(binary(BinaryOp::SAddSat, Elem::I8, 0x7f, 1), 0x7f);
        assert_eq!(binary(BinaryOp::SSubSat, Elem::I64, 1 << 63, 1), 1 << 63);
        assert_eq!(binary(BinaryOp::UAddSat, Elem::I64, u64::MAX, 9), u64::MAX);
        assert_eq!(binary(BinaryOp::UAddSat, Elem::I16, 0xffff, 9), 0xffff);
        assert_eq!(binary(BinaryOp::USubSat, Elem::I16, 3, 9), 0);
    }

    #[test]
    fn counts_of_zero_are_the_width() {
        assert_eq!(unary(UnaryOp::Clz, Elem::I8, 0), 8);
        assert_eq!(unary(UnaryOp::Ctz, Elem::I16, 0), 16);
        assert_eq!(unary(UnaryOp::Clz, Elem::I32, 1), 31);
        assert_eq!(unary(UnaryOp::BitReverse, Elem::I8, 1), 0x80);
        assert_eq!(unary(UnaryOp::Not, Elem::I1, 1), 0);
    }

    #[test]
    fn float_to_int_saturates() {
        let f = |x: f64| x.to_bits();
        assert_eq!(cast(CastOp::FpToSi, Elem::F64, Elem::I8, f(300.0)), 0x7f);
        assert_eq!(cast(CastOp::FpToSi, Elem::F64, Elem::I8, f(-300.0)), 0x80);
        assert_eq!(cast(CastOp::FpToUi, Elem::F64, Elem::I8, f(-1.0)), 0);
        assert_eq!(
            cast(CastOp::FpToUi, Elem::F64, Elem::I64, f(1e30)),
            u64::MAX
        );
        assert_eq!(cast(CastOp::FpToSi, Elem::F64, Elem::I32, f(f64::NAN)), 0);
        assert_eq!(
            cast(CastOp::FpToSi, Elem::F64, Elem::I32, f(-1.9)),
            0xffff_ffff
        );
    }

    #[test]
    fn a_number_is_its_mantissa_times_a_power_of_two() {
        for elem in [Elem::F32, Elem::F64] {
            for x in [1.0, 0.75, 0.749, 1.5, 1.4999, 1e-30, 3e38, 2f64.powi(-149)] {
                let bits = from_f64(elem, x);
                let m = unary(UnaryOp::FMantissa, elem, bits);
                let e = unary(UnaryOp::FExponent, elem, bits);
                assert!((0.75..1.5).contains(&to_f64(elem, m)), "{x}");
                assert_eq!(binary(BinaryOp::FScale, elem, m, e), bits, "{x}");
                let bits_below = bits | sign_bit(elem);
                let m = unary(UnaryOp::FSignificand, elem, bits_below);
                let e = unary(UnaryOp::FLogb, elem, bits_below);
                assert!((1.0..2.0).contains(&to_f64(elem, m)), "{x}");
                assert_eq!(binary(BinaryOp::FScale, elem, m, e), bits, "{x}");
            }
            for op in [UnaryOp::FExponent, UnaryOp::FLogb] {
                let e = |x| to_f64(elem, unary(op, elem, from_f64(elem, x)));
                assert_eq!(e(0.0), f64::NEG_INFINITY);
                assert_eq!(e(f64::INFINITY), f64::INFINITY);
            }
            let below = unary(UnaryOp::FMantissa, elem, from_f64(elem, -1.0));
            assert!(to_f64(elem, below).is_nan());
        }
    }

    #[test]
    fn half_is_rounded_once() {
        // Just above the middle of two halves, by less than a float can tell.
        let x = 1.0 + 1.0 / 2048.0 + 1e-12;
        assert_eq!(from_f64(Elem::F16, x), half(1.0) + 1);
        assert_eq!(from_f64(Elem::F16, 1.0 + 1.0 / 2048.0), half(1.0));
        assert_eq!(from_f64(Elem::F16, -x), half(-1.0) + 1);
        assert_eq!(from_f64(Elem::F16, 1e300), half(f32::INFINITY));
        assert_eq!(from_f64(Elem::F16, 65519.99), half(65504.0));
        assert_eq!(from_f64(Elem::F16, 65520.0), half(f32::INFINITY));
        assert_eq!(from_f64(Elem::F16, 1e-300), 0);
        // 2049 * 2^-11 times itself ends in 2^-22; a tiny addend decides the rounding.
        let near = half(1.0) + 1;
        let tiny = 1;
        let fused = ternary(TernaryOp::Fma, Elem::F16, near, near, tiny);
        let exact = to_f64(Elem::F16, near) * to_f64(Elem::F16, near) + 2f64.powi(-24);
        assert_eq!(fused, from_f64(Elem::F16, exact));
    }

    #[test]
    fn comparisons_with_nan() {
        let (one, nan) = (1f32.to_bits().into(), f32::NAN.to_bits().into());
        for cc in FloatCC::ALL {
            let name = cc.name();
            let expected = name.starts_with('u');
            assert_eq!(fcmp(*cc, Elem::F32, one, nan), expected, "{name}");
        }
        assert!(!fcmp(FloatCC::One, Elem::F32, one, one));
    }

    #[test]
    fn minimum_and_maximum_take_the_number() {
        let (one, nan) = (1f32.to_bits().into(), f32::NAN.to_bits().into());
        assert_eq!(binary(BinaryOp::FMin, Elem::F32, one, nan), one);
        assert_eq!(binary(BinaryOp::FMax, Elem::F32, nan, one), one);
    }
}
