//! Text to binary floating point, correctly rounded (to nearest, ties to even) in half, float and double.
//!
//! Decimal text goes through the standard library's parser, which is exact for float and double; for half, its double
//! is rounded once more, and the one case in which that could be wrong (the double lies half-way between two halves)
//! is decided by comparing digits. Hexadecimal text is converted here with a sticky bit.

/// One of the three formats, by its parameters (IEEE 754-2019, table 3.5).
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Bits of the significand, the hidden one included.
    precision: i64,
    /// Exponent of the largest finite number's leading bit.
    max_exponent: i64,
}

pub const HALF: Format = Format {
    precision: 11,
    max_exponent: 15,
};
pub const SINGLE: Format = Format {
    precision: 24,
    max_exponent: 127,
};
pub const DOUBLE: Format = Format {
    precision: 53,
    max_exponent: 1023,
};

/// Rounds a decimal number (digits with an optional point and exponent, as C writes it) to `format`. Infinite if it
/// is too large.
pub fn decimal(text: &str, format: Format) -> f64 {
    if format.precision == SINGLE.precision {
        return f64::from(text.parse::<f32>().unwrap_or(0.0));
    }
    let double = text.parse::<f64>().unwrap_or(0.0);
    if format.precision == DOUBLE.precision || !double.is_finite() || double == 0.0 {
        return double;
    }
    let (significand, exponent) = split(double);
    let rounded = round(significand, exponent, false, format);
    if !is_tie(significand, exponent, format) {
        return rounded;
    }
    // The double is a tie; the text may lie to either side of it.
    match compare_decimal(text, double) {
        std::cmp::Ordering::Equal => rounded,
        std::cmp::Ordering::Greater => round(significand, exponent, true, format),
        std::cmp::Ordering::Less => round((significand << 1) - 1, exponent - 1, true, format),
    }
}

/// Rounds `digits` (hexadecimal, with an optional point) times 2 to the `exponent` to `format`.
pub fn hexadecimal(digits: &str, exponent: i64, format: Format) -> f64 {
    let mut significand = 0u64;
    let mut exponent = exponent;
    let mut sticky = false;
    let mut after_point = false;
    for c in digits.chars() {
        let Some(digit) = c.to_digit(16) else {
            after_point = true;
            continue;
        };
        if significand >> 59 == 0 {
            significand = significand << 4 | u64::from(digit);
            if after_point {
                exponent = exponent.saturating_sub(4);
            }
        } else {
            sticky |= digit != 0;
            if !after_point {
                exponent = exponent.saturating_add(4);
            }
        }
    }
    round(significand, exponent, sticky, format)
}

/// `significand * 2^exponent`, plus a bit of something smaller than its last bit if `sticky`.
fn round(significand: u64, exponent: i64, sticky: bool, format: Format) -> f64 {
    if significand == 0 {
        return 0.0;
    }
    let length = 64 - i64::from(significand.leading_zeros());
    // The exponent of the last bit that is kept: `precision` bits, fewer if the number is subnormal.
    let min_exponent = 1 - format.max_exponent;
    let top = exponent.saturating_add(length - 1);
    if top > format.max_exponent {
        return f64::INFINITY;
    }
    let last = top.max(min_exponent) - (format.precision - 1);
    let dropped = last.saturating_sub(exponent);
    if dropped <= 0 {
        // All bits fit. Nothing is sticky then: the callers set that only with more bits than a format keeps.
        return scale(significand, exponent);
    }
    let kept = if dropped > 64 {
        0
    } else {
        let whole = if dropped == 64 {
            0
        } else {
            significand >> dropped
        };
        let half = 1u64 << (dropped - 1);
        let rest = significand & (half | (half - 1));
        let up = rest > half || (rest == half && (sticky || whole & 1 == 1));
        whole + u64::from(up)
    };
    let value = scale(kept, last);
    let limit = scale(
        (1 << format.precision) - 1,
        format.max_exponent - format.precision + 1,
    );
    if value > limit { f64::INFINITY } else { value }
}

/// Whether the number lies exactly half-way between two neighbours of the format.
fn is_tie(significand: u64, exponent: i64, format: Format) -> bool {
    let top = exponent + 63 - i64::from(significand.leading_zeros());
    let last = top.max(1 - format.max_exponent) - (format.precision - 1);
    let dropped = last - exponent;
    (1..=64).contains(&dropped) && significand.trailing_zeros() as i64 == dropped - 1
}

/// `significand * 2^exponent` where the result is known to be a double, in two steps so that neither factor overflows.
fn scale(significand: u64, exponent: i64) -> f64 {
    let first = exponent / 2;
    significand as f64 * 2f64.powi(first as i32) * 2f64.powi((exponent - first) as i32)
}

/// A positive finite double as significand and exponent.
fn split(value: f64) -> (u64, i64) {
    let bits = value.to_bits();
    let fraction = bits & ((1 << 52) - 1);
    match (bits >> 52 & 0x7ff) as i64 {
        0 => (fraction, -1074),
        exponent => (fraction | 1 << 52, exponent - 1075),
    }
}

/// Compares a decimal number with a positive double, exactly.
fn compare_decimal(text: &str, value: f64) -> std::cmp::Ordering {
    // A tie between two halves has at most 25 binary places, so this prints it exactly.
    let exact = format!("{value:.60}");
    let (text_digits, text_scale) = normalise(text);
    let (value_digits, value_scale) = normalise(&exact);
    text_scale
        .cmp(&value_scale)
        .then_with(|| text_digits.cmp(&value_digits))
}

/// The digits without zeros at either end, and the power of ten of the point before the first of them.
fn normalise(text: &str) -> (String, i64) {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let exponent = exponent.parse::<i64>().unwrap_or(0);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let all = format!("{whole}{fraction}");
    let leading = all.len() - all.trim_start_matches('0').len();
    let digits = all.trim_matches('0').to_string();
    let scale = whole.len() as i64 - leading as i64;
    (digits, scale.saturating_add(exponent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_rounds_to_even_with_sticky_bits() {
        assert_eq!(hexadecimal("1.8", 0, DOUBLE), 1.5);
        assert_eq!(hexadecimal("1.fffffe", 127, SINGLE), f64::from(f32::MAX));
        assert_eq!(hexadecimal("1.ffffff", 127, SINGLE), f64::INFINITY);
        assert_eq!(
            hexadecimal("1.fffffeffffff", 127, SINGLE),
            f64::from(f32::MAX)
        );
        assert_eq!(hexadecimal("1", -149, SINGLE), f64::from(f32::from_bits(1)));
        assert_eq!(hexadecimal("1", -150, SINGLE), 0.0);
        assert_eq!(
            hexadecimal("1.0000000000000000000000001", -150, SINGLE),
            f64::from(f32::from_bits(1))
        );
        assert_eq!(
            hexadecimal("1.8", -149, SINGLE),
            f64::from(f32::from_bits(2))
        );
        assert_eq!(hexadecimal("1", -1074, DOUBLE), f64::from_bits(1));
        assert_eq!(hexadecimal("1", -1075, DOUBLE), 0.0);
        assert_eq!(hexadecimal("1.00001", -1075, DOUBLE), f64::from_bits(1));
        assert_eq!(hexadecimal("1.fffffffffffff", 1023, DOUBLE), f64::MAX);
        assert_eq!(hexadecimal("1.fffffffffffff7", 1023, DOUBLE), f64::MAX);
        assert_eq!(hexadecimal("1.fffffffffffff8", 1023, DOUBLE), f64::INFINITY);
        assert_eq!(hexadecimal("1.00000000000008", 0, DOUBLE), 1.0);
        assert_eq!(
            hexadecimal("1.000000000000080000000000001", 0, DOUBLE),
            1.0 + f64::EPSILON
        );
        assert_eq!(
            hexadecimal("1.fffffffffffff", -1022, DOUBLE),
            f64::from_bits(0x001f_ffff_ffff_ffff)
        );
        assert_eq!(
            hexadecimal("0.fffffffffffff", -1022, DOUBLE),
            f64::from_bits(0x000f_ffff_ffff_ffff)
        );
        assert_eq!(hexadecimal("1.ffc", 15, HALF), 65504.0);
        assert_eq!(hexadecimal("1.ffe", 15, HALF), f64::INFINITY);
        assert_eq!(hexadecimal("0", i64::MAX, DOUBLE), 0.0);
        assert_eq!(hexadecimal("1", i64::MAX, DOUBLE), f64::INFINITY);
        assert_eq!(hexadecimal("1", i64::MIN, DOUBLE), 0.0);
        assert_eq!(
            hexadecimal("0.000000000000000000000000000001", 120, DOUBLE),
            1.0
        );
        assert_eq!(hexadecimal("10000000000000000000000000", -100, DOUBLE), 1.0);
    }

    #[test]
    fn every_double_survives_hexadecimal() {
        let mut bits = 1u64;
        for _ in 0..100_000 {
            bits = bits
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let value = f64::from_bits(bits >> 1);
            if !value.is_finite() || value == 0.0 {
                continue;
            }
            let (significand, exponent) = split(value);
            assert_eq!(
                hexadecimal(&format!("{significand:x}"), exponent, DOUBLE),
                value
            );
            let single = hexadecimal(&format!("{significand:x}"), exponent, SINGLE);
            assert_eq!(single, f64::from(value as f32), "{value:e}");
            let half = round(significand, exponent, false, HALF);
            assert_eq!(half, half::f16::from_f64(value).to_f64(), "{value:e}");
        }
        for bits in 0..0x7c00u16 {
            let value = half::f16::from_bits(bits).to_f64();
            assert_eq!(decimal(&format!("{value:e}"), HALF), value);
        }
    }

    #[test]
    fn decimal_halves_near_ties() {
        // 1 + 2^-11 lies half-way between 1 and the next half.
        let tie = "1.00048828125";
        let up = 1.0 + 2f64.powi(-10);
        assert_eq!(decimal(tie, HALF), 1.0);
        assert_eq!(decimal(&format!("{tie}{}1", "0".repeat(50)), HALF), up);
        assert_eq!(
            decimal(&format!("10.0048828125{}1e-1", "0".repeat(50)), HALF),
            up
        );
        assert_eq!(decimal("1.00146484375", HALF), 1.0 + 2f64.powi(-9));
        assert_eq!(
            decimal(&format!("1.00146484374{}", "9".repeat(50)), HALF),
            up
        );
        assert_eq!(decimal("65519.999999999999999999999", HALF), 65504.0);
        assert_eq!(decimal("65520", HALF), f64::INFINITY);
        assert_eq!(decimal("1e-400", HALF), 0.0);
    }
}
