//! Preprocessing numbers to typed literals (C99 6.4.4.1 and 6.4.4.2; OpenCL C 6.3.1: a long has 64 bits; the suffix
//! `h` makes a half).
//!
//! Errors are worded as clang words them and say at which byte of the number they belong.

use super::float::{self, DOUBLE, Format, HALF, SINGLE};
use super::token::{FloatSuffix, IntTy, TokenKind};

/// What is wrong with a number, and the byte in it to point at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NumError {
    pub offset: usize,
    pub text: String,
}

/// A literal, and a warning about it.
pub type Parsed = (TokenKind, Option<String>);

/// Reads a preprocessing number as a literal.
pub fn parse_number(text: &str) -> Result<Parsed, NumError> {
    let lower = text.as_bytes().get(1).map(|b| b | 0x20);
    match (text.as_bytes().first(), lower) {
        (Some(b'0'), Some(b'x')) => parse_hexadecimal(text),
        (Some(b'0'), Some(b'b')) => parse_binary(text),
        _ => parse_decimal(text),
    }
}

/// An integer constant of a `#if` expression: its value, and whether it is unsigned there.
pub fn parse_condition_number(text: &str) -> Result<(u64, bool), NumError> {
    match parse_number(text)?.0 {
        TokenKind::Int { value, .. } => {
            // 6.10.1: all types act as intmax_t or uintmax_t; only a suffix or the value's size makes one unsigned.
            let is_unsigned = text.contains(['u', 'U']) || value > i64::MAX as u64;
            Ok((value, is_unsigned))
        }
        _ => Err(NumError {
            offset: 0,
            text: "floating point literal in preprocessor expression".into(),
        }),
    }
}

fn fail<T>(offset: usize, text: impl Into<String>) -> Result<T, NumError> {
    Err(NumError {
        offset,
        text: text.into(),
    })
}

/// Where the first character stands that is not one of `digits`.
fn span(text: &str, from: usize, is_digit: impl Fn(u8) -> bool) -> usize {
    let rest = &text.as_bytes()[from..];
    from + rest
        .iter()
        .position(|&b| !is_digit(b))
        .unwrap_or(rest.len())
}

fn parse_decimal(text: &str) -> Result<Parsed, NumError> {
    let bytes = text.as_bytes();
    let whole_end = span(text, 0, |b| b.is_ascii_digit());
    let is_float = matches!(bytes.get(whole_end), Some(b'.' | b'e' | b'E'));
    if !is_float {
        if bytes[0] == b'0' {
            let bad = span(text, 0, |b| (b'0'..=b'7').contains(&b));
            if bad < whole_end {
                let digit = char::from(bytes[bad]);
                return fail(bad, format!("invalid digit '{digit}' in octal constant"));
            }
            return integer(text, 0, whole_end, 8);
        }
        return integer(text, 0, whole_end, 10);
    }
    let mut end = whole_end;
    if bytes.get(end) == Some(&b'.') {
        end = span(text, end + 1, |b| b.is_ascii_digit());
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let exponent = end;
        end += 1;
        if matches!(bytes.get(end), Some(b'+' | b'-')) {
            end += 1;
        }
        let digits_end = span(text, end, |b| b.is_ascii_digit());
        if digits_end == end {
            return fail(exponent, "exponent has no digits");
        }
        end = digits_end;
    }
    let number = &text[..end];
    let is_zero = !number
        .split(['e', 'E'])
        .next()
        .is_some_and(|n| n.contains(|c: char| ('1'..='9').contains(&c)));
    floating(text, end, is_zero, |format| float::decimal(number, format))
}

fn parse_hexadecimal(text: &str) -> Result<Parsed, NumError> {
    let bytes = text.as_bytes();
    let whole_end = span(text, 2, |b| b.is_ascii_hexdigit());
    let mut end = whole_end;
    if bytes.get(end) == Some(&b'.') {
        end = span(text, end + 1, |b| b.is_ascii_hexdigit());
    }
    let is_float = end > whole_end || matches!(bytes.get(end), Some(b'p' | b'P'));
    if !is_float {
        if whole_end == 2 {
            return fail(
                1,
                format!("invalid suffix '{}' on integer constant", &text[1..]),
            );
        }
        return integer(text, 2, whole_end, 16);
    }
    let digits = &text[2..end];
    if !digits.contains(|c: char| c.is_ascii_hexdigit()) {
        return fail(0, "hexadecimal floating constant requires a significand");
    }
    if !matches!(bytes.get(end), Some(b'p' | b'P')) {
        return fail(0, "hexadecimal floating constant requires an exponent");
    }
    let mark = end;
    end += 1;
    let negative = bytes.get(end) == Some(&b'-');
    if matches!(bytes.get(end), Some(b'+' | b'-')) {
        end += 1;
    }
    let digits_end = span(text, end, |b| b.is_ascii_digit());
    if digits_end == end {
        return fail(mark, "exponent has no digits");
    }
    let magnitude = text[end..digits_end].parse::<i64>().unwrap_or(i64::MAX);
    let exponent = if negative { -magnitude } else { magnitude };
    let is_zero = !digits.contains(|c: char| c != '0' && c != '.');
    floating(text, digits_end, is_zero, |format| {
        float::hexadecimal(digits, exponent, format)
    })
}

fn parse_binary(text: &str) -> Result<Parsed, NumError> {
    let bytes = text.as_bytes();
    let end = span(text, 2, |b| b == b'0' || b == b'1');
    match bytes.get(end) {
        Some(&digit) if digit.is_ascii_digit() => {
            let digit = char::from(digit);
            fail(end, format!("invalid digit '{digit}' in binary constant"))
        }
        _ if end == 2 => fail(
            1,
            format!("invalid suffix '{}' on integer constant", &text[1..]),
        ),
        _ => integer(text, 2, end, 2),
    }
}

fn integer(text: &str, from: usize, to: usize, radix: u32) -> Result<Parsed, NumError> {
    let suffix = &text[to..];
    let (unsigned, long) = match suffix.to_ascii_lowercase().as_str() {
        "" => (false, false),
        "u" => (true, false),
        "l" => (false, true),
        "ul" | "lu" => (true, true),
        // "lL" is no suffix, but the two letters may stand before or after the u.
        "ll" | "ull" | "llu" if !suffix.contains("lL") && !suffix.contains("Ll") => {
            (suffix.len() == 3, true)
        }
        _ => return fail(to, format!("invalid suffix '{suffix}' on integer constant")),
    };
    let mut value = 0u64;
    for byte in text[from..to].bytes() {
        let digit = u64::from(char::from(byte).to_digit(radix).unwrap_or(0));
        let next = value.checked_mul(u64::from(radix));
        match next.and_then(|v| v.checked_add(digit)) {
            Some(next) => value = next,
            None => {
                return fail(
                    0,
                    "integer literal is too large to be represented in any integer type",
                );
            }
        }
    }
    // 6.4.4.1: the first of the list of types that can hold the value; only decimal constants skip unsigned types.
    let fits = |ty: IntTy| match ty {
        IntTy::Int => !unsigned && !long && value <= i32::MAX as u64,
        IntTy::UInt => (unsigned || radix != 10) && !long && value <= u64::from(u32::MAX),
        IntTy::Long => !unsigned && value <= i64::MAX as u64,
        IntTy::ULong => unsigned || radix != 10,
    };
    let types = [IntTy::Int, IntTy::UInt, IntTy::Long, IntTy::ULong];
    match types.into_iter().find(|&ty| fits(ty)) {
        Some(ty) => Ok((TokenKind::Int { value, ty }, None)),
        None => {
            let warning = "integer literal is too large to be represented in a signed integer type, interpreting as unsigned";
            let ty = IntTy::ULong;
            Ok((TokenKind::Int { value, ty }, Some(warning.into())))
        }
    }
}

fn floating(
    text: &str,
    end: usize,
    is_zero: bool,
    convert: impl Fn(Format) -> f64,
) -> Result<Parsed, NumError> {
    let (suffix, format, ty) = match &text[end..] {
        // A long double is a double: OpenCL C reserves the type, the suffix is harmless.
        "" | "l" | "L" => (FloatSuffix::None, DOUBLE, "double"),
        "f" | "F" => (FloatSuffix::F, SINGLE, "float"),
        "h" | "H" => (FloatSuffix::H, HALF, "half"),
        other => {
            return fail(
                end,
                format!("invalid suffix '{other}' on floating constant"),
            );
        }
    };
    let value = convert(format);
    let kind = TokenKind::Float {
        value,
        single: convert(SINGLE) as f32,
        suffix,
    };
    let warning = if value.is_infinite() {
        Some(format!(
            "magnitude of floating-point constant too large for type '{ty}'"
        ))
    } else if value == 0.0 && !is_zero {
        Some(format!(
            "magnitude of floating-point constant too small for type '{ty}'"
        ))
    } else {
        None
    };
    Ok((kind, warning))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> (u64, IntTy) {
        match parse_number(text) {
            Ok((TokenKind::Int { value, ty }, _)) => (value, ty),
            other => panic!("{text}: {other:?}"),
        }
    }

    fn float(text: &str) -> (f64, FloatSuffix) {
        match parse_number(text) {
            Ok((TokenKind::Float { value, suffix, .. }, _)) => (value, suffix),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn integers_take_the_first_type_that_holds_them() {
        use IntTy::*;
        for (text, value, ty) in [
            ("0", 0, Int),
            ("2147483647", 0x7fff_ffff, Int),
            ("2147483648", 0x8000_0000, Long),
            ("0x7fffffff", 0x7fff_ffff, Int),
            ("0x80000000", 0x8000_0000, UInt),
            ("037777777777", 0xffff_ffff, UInt),
            ("0x100000000", 0x1_0000_0000, Long),
            ("0xffffffffffffffff", u64::MAX, ULong),
            ("1u", 1, UInt),
            ("1L", 1, Long),
            ("1ul", 1, ULong),
            ("1LLU", 1, ULong),
            ("1ull", 1, ULong),
            ("4294967296u", 0x1_0000_0000, ULong),
            ("0b101", 5, Int),
            ("9223372036854775808", 1 << 63, ULong),
        ] {
            assert_eq!(int(text), (value, ty), "{text}");
        }
        assert!(parse_number("9223372036854775808").unwrap().1.is_some());
    }

    #[test]
    fn floats_are_rounded_to_their_suffix() {
        use FloatSuffix::*;
        for (text, value, suffix) in [
            ("1.", 1.0, None),
            (".5", 0.5, None),
            ("1e3", 1000.0, None),
            ("0.1f", f64::from(0.1f32), F),
            ("0.1", 0.1, None),
            ("0.1h", 0.0999755859375, H),
            ("0x1p-2", 0.25, None),
            ("0x1.fffffep127f", f64::from(f32::MAX), F),
            ("0x.8p1F", 1.0, F),
            ("1e400", f64::INFINITY, None),
            ("09.5", 9.5, None),
            ("1.0L", 1.0, None),
        ] {
            assert_eq!(float(text), (value, suffix), "{text}");
        }
        assert!(parse_number("1e39f").unwrap().1.is_some());
        assert!(parse_number("1e-50f").unwrap().1.is_some());
        assert_eq!(parse_number("0e-50f").unwrap().1, Option::None);
    }

    #[test]
    fn malformed_numbers() {
        for (text, offset, message) in [
            ("1x", 1, "invalid suffix 'x' on integer constant"),
            ("1f", 1, "invalid suffix 'f' on integer constant"),
            ("1lL", 1, "invalid suffix 'lL' on integer constant"),
            ("1.0x", 3, "invalid suffix 'x' on floating constant"),
            ("089", 1, "invalid digit '8' in octal constant"),
            ("0b12", 3, "invalid digit '2' in binary constant"),
            ("0x", 1, "invalid suffix 'x' on integer constant"),
            ("1e", 1, "exponent has no digits"),
            ("0x1p", 3, "exponent has no digits"),
            (
                "0x1.8",
                0,
                "hexadecimal floating constant requires an exponent",
            ),
            (
                "0x.p1",
                0,
                "hexadecimal floating constant requires a significand",
            ),
            ("1..2", 2, "invalid suffix '.2' on floating constant"),
            (
                "18446744073709551616",
                0,
                "integer literal is too large to be represented in any integer type",
            ),
        ] {
            let error = parse_number(text).unwrap_err();
            assert_eq!(
                (error.offset, error.text.as_str()),
                (offset, message),
                "{text}"
            );
        }
    }

    #[test]
    fn condition_numbers_are_64_bits_wide() {
        assert_eq!(
            parse_condition_number("0xffffffff"),
            Ok((0xffff_ffff, false))
        );
        assert_eq!(parse_condition_number("1u"), Ok((1, true)));
        assert_eq!(parse_condition_number("1ULL"), Ok((1, true)));
        assert_eq!(parse_condition_number("1lu"), Ok((1, true)));
        assert_eq!(parse_condition_number("1l"), Ok((1, false)));
        assert_eq!(
            parse_condition_number("0xffffffffffffffff"),
            Ok((u64::MAX, true))
        );
        assert!(parse_condition_number("1.0").is_err());
    }
}
