//! Kernel printf on the host: from a format string and packed arguments (`abi::PrintfFn`) to bytes.
//!
//! Source: OpenCL C 3.1, "printf" (6.15.14), and C99 7.19.6.1 for what it takes over. Where the specification says
//! "undefined" (wrong kind of argument, too few of them, an unknown conversion) the output is some text and never
//! anything worse. The text does not depend on the process's locale.
//!
//! Invariant: an integer argument that is not a vector has been promoted by the front end, so that its element size
//! and its signedness say how `%d` reads it. Widths and precisions are cut at [`FIELD_LIMIT`].

use std::ffi::CStr;

/// Larger widths and precisions are taken for this one, so that one conversion has a bounded output.
const FIELD_LIMIT: usize = 1 << 16;

/// One packed argument: its elements by their 8-byte slots.
struct Arg<'a> {
    kind: u8,
    size: u8,
    slots: &'a [u64],
}

const FLOAT: u8 = 1;
const POINTER: u8 = 2;

/// Appends what `printf(format, args...)` writes to `out`.
///
/// # Safety
/// `format` is a NUL-terminated string; `args` points to `count` arguments packed as `abi::PrintfFn` says, and the
/// address of each `%s` argument is 0 or a string that ends in NUL or is as long as its precision.
pub unsafe fn format(format: *const u8, args: *const u64, count: u32, out: &mut Vec<u8>) {
    // SAFETY: the caller's promise.
    let format = unsafe { CStr::from_ptr(format.cast()) }.to_bytes();
    let mut packed = Vec::with_capacity(count as usize);
    let mut at = args;
    for _ in 0..count {
        // SAFETY: the caller's promise: a header word and as many slots as it says stand at `at`.
        unsafe {
            let header = at.read();
            let slots = std::slice::from_raw_parts(at.add(1), (header >> 16 & 0xffff) as usize);
            at = at.add(1 + slots.len());
            packed.push(Arg {
                kind: header as u8,
                size: (header >> 8) as u8,
                slots,
            });
        }
    }
    // SAFETY: the caller's promise about `%s`.
    unsafe { run(format, &packed, out) }
}

/// # Safety
/// As for [`format`], about `%s`.
unsafe fn run(format: &[u8], args: &[Arg], out: &mut Vec<u8>) {
    let mut args = args.iter();
    let mut rest = format;
    while let Some(at) = rest.iter().position(|&c| c == b'%') {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let Some((spec, length)) = Spec::parse(rest) else {
            out.push(b'%');
            rest = &rest[1..];
            continue;
        };
        let text = &rest[..length];
        rest = &rest[length..];
        if spec.conversion == b'%' {
            out.push(b'%');
            continue;
        }
        match args.next() {
            // SAFETY: the caller's promise about `%s`.
            Some(arg) => unsafe { spec.convert(arg, out) },
            None => out.extend_from_slice(text),
        }
    }
    out.extend_from_slice(rest);
}

#[derive(Clone, Copy, PartialEq)]
enum Length {
    None,
    Char,
    Short,
    Int,
    Long,
}

struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    vector: usize,
    length: Length,
    conversion: u8,
}

impl Spec {
    /// `% flags* width? (. precision?)? (v n)? length? conversion`; also the number of bytes read.
    fn parse(text: &[u8]) -> Option<(Spec, usize)> {
        let mut spec = Spec {
            minus: false,
            plus: false,
            space: false,
            alternative: false,
            zero: false,
            width: 0,
            precision: None,
            vector: 1,
            length: Length::None,
            conversion: 0,
        };
        let mut at = 1;
        loop {
            match text.get(at)? {
                b'-' => spec.minus = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternative = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            at += 1;
        }
        spec.width = number(text, &mut at);
        if text.get(at) == Some(&b'.') {
            at += 1;
            spec.precision = Some(number(text, &mut at));
        }
        if text.get(at) == Some(&b'v') {
            at += 1;
            spec.vector = number(text, &mut at);
            // "n is the size of the vector and must be 2, 3, 4, 8 or 16"
            if !matches!(spec.vector, 2 | 3 | 4 | 8 | 16) {
                return None;
            }
        }
        let modifier = text.get(at..)?;
        let (length, used) = match modifier {
            [b'h', b'h', ..] => (Length::Char, 2),
            [b'h', b'l', ..] => (Length::Int, 2),
            [b'h', ..] => (Length::Short, 1),
            // `ll`, `j` and `L` are reserved; programs that come from C use them.
            [b'l', b'l', ..] => (Length::Long, 2),
            [b'l' | b'z' | b't' | b'j' | b'L', ..] => (Length::Long, 1),
            _ => (Length::None, 0),
        };
        spec.length = length;
        at += used;
        spec.conversion = *text.get(at)?;
        let known = b"diouxXfFeEgGaAcsp%".contains(&spec.conversion);
        known.then_some((spec, at + 1))
    }

    /// # Safety
    /// As for [`format`], about `%s`.
    unsafe fn convert(&self, arg: &Arg, out: &mut Vec<u8>) {
        for (i, &slot) in arg.slots.iter().take(self.vector).enumerate() {
            if i > 0 {
                out.push(b',');
            }
            match self.conversion {
                b'd' | b'i' => self.signed(arg.integer(slot, self.length), out),
                b'o' | b'u' | b'x' | b'X' => self.unsigned(arg.bits(slot, self.length), out),
                b'c' => self.pad(b"", &[arg.integer(slot, Length::None) as u8], false, out),
                b'p' => {
                    let digits = format!("{slot:x}");
                    self.pad(b"0x", digits.as_bytes(), false, out);
                }
                // SAFETY: the caller's promise.
                b's' => unsafe { self.string(arg, slot, out) },
                _ => self.float(arg.float(slot), out),
            }
        }
    }

    /// Fills up to the width: blanks on the left or right, or zeros between `prefix` (sign, base) and `body`.
    fn pad(&self, prefix: &[u8], body: &[u8], zero: bool, out: &mut Vec<u8>) {
        let fill = self.width.saturating_sub(prefix.len() + body.len());
        // "If the 0 and - flags both appear, the 0 flag is ignored."
        let zero = zero && !self.minus;
        if !self.minus && !zero {
            out.resize(out.len() + fill, b' ');
        }
        out.extend_from_slice(prefix);
        if zero {
            out.resize(out.len() + fill, b'0');
        }
        out.extend_from_slice(body);
        if self.minus {
            out.resize(out.len() + fill, b' ');
        }
    }

    fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.plus, self.space) {
            (true, ..) => b"-",
            (false, true, _) => b"+",
            (false, false, true) => b" ",
            _ => b"",
        }
    }

    fn signed(&self, value: i64, out: &mut Vec<u8>) {
        let digits = value.unsigned_abs().to_string();
        self.integer(self.sign(value < 0), digits, out);
    }

    fn unsigned(&self, value: u64, out: &mut Vec<u8>) {
        let digits = match self.conversion {
            b'o' => format!("{value:o}"),
            b'x' => format!("{value:x}"),
            b'X' => format!("{value:X}"),
            _ => value.to_string(),
        };
        let prefix: &[u8] = match (self.alternative && value != 0, self.conversion) {
            (true, b'x') => b"0x",
            (true, b'X') => b"0X",
            _ => b"",
        };
        self.integer(prefix, digits, out);
    }

    fn integer(&self, prefix: &[u8], digits: String, out: &mut Vec<u8>) {
        let mut body = digits;
        // "The result of converting a zero value with a precision of zero is no characters."
        if self.precision == Some(0) && body == "0" {
            body.clear();
        }
        let least = self.precision.unwrap_or(1);
        if body.len() < least {
            body.insert_str(0, &"0".repeat(least - body.len()));
        }
        // "For o conversion, it increases the precision ... to force the first digit to be a zero."
        if self.alternative && self.conversion == b'o' && !body.starts_with('0') {
            body.insert(0, '0');
        }
        // "For d, i, o, u, x, and X conversions, if a precision is specified, the 0 flag is ignored."
        let zero = self.zero && self.precision.is_none();
        self.pad(prefix, body.as_bytes(), zero, out);
    }

    /// # Safety
    /// As for [`format`], about `%s`.
    unsafe fn string(&self, arg: &Arg, slot: u64, out: &mut Vec<u8>) {
        if arg.kind != POINTER || slot == 0 {
            self.pad(b"", b"(null)", false, out);
            return;
        }
        let most = self.precision.unwrap_or(usize::MAX);
        let start = slot as *const u8;
        // SAFETY: the caller's promise: NUL or the precision ends the string.
        let text = unsafe {
            let mut length = 0;
            while length < most && start.add(length).read() != 0 {
                length += 1;
            }
            std::slice::from_raw_parts(start, length)
        };
        self.pad(b"", text, false, out);
    }

    fn float(&self, value: f64, out: &mut Vec<u8>) {
        let upper = self.conversion.is_ascii_uppercase();
        let sign = self.sign(value.is_sign_negative());
        let magnitude = value.abs();
        if !magnitude.is_finite() {
            let mut body = if magnitude.is_nan() { *b"nan" } else { *b"inf" };
            if upper {
                body.make_ascii_uppercase();
            }
            // "leading zeros ... except when converting an infinity or NaN"
            self.pad(sign, &body, false, out);
            return;
        }
        let mut prefix = sign.to_vec();
        let mut body = match self.conversion.to_ascii_lowercase() {
            b'f' => fixed(magnitude, self.precision.unwrap_or(6), self.alternative),
            b'e' => exponent(magnitude, self.precision.unwrap_or(6), self.alternative),
            b'g' => general(magnitude, self.precision.unwrap_or(6), self.alternative),
            _ => {
                prefix.extend_from_slice(if upper { b"0X" } else { b"0x" });
                hexadecimal(magnitude, self.precision, self.alternative)
            }
        };
        if upper {
            body.make_ascii_uppercase();
        }
        self.pad(&prefix, body.as_bytes(), self.zero, out);
    }
}

impl Arg<'_> {
    /// The value's own size, cut by the length modifier: "its value shall be converted to char before printing".
    fn size(&self, length: Length) -> u32 {
        let own = u32::from(self.size).clamp(1, 8);
        match length {
            Length::Char => 1,
            Length::Short => own.min(2),
            Length::Int => own.min(4),
            Length::Long | Length::None => own,
        }
    }

    fn bits(&self, slot: u64, length: Length) -> u64 {
        if self.kind == FLOAT {
            return f64::from_bits(slot) as i64 as u64;
        }
        slot & (u64::MAX >> (64 - 8 * self.size(length)))
    }

    fn integer(&self, slot: u64, length: Length) -> i64 {
        if self.kind == FLOAT {
            return f64::from_bits(slot) as i64;
        }
        let unused = 64 - 8 * self.size(length);
        ((slot << unused) as i64) >> unused
    }

    fn float(&self, slot: u64) -> f64 {
        if self.kind == FLOAT {
            f64::from_bits(slot)
        } else {
            self.integer(slot, Length::None) as f64
        }
    }
}

fn number(text: &[u8], at: &mut usize) -> usize {
    let mut value = 0usize;
    while let Some(digit) = text.get(*at).filter(|c| c.is_ascii_digit()) {
        value = (value * 10 + usize::from(digit - b'0')).min(FIELD_LIMIT);
        *at += 1;
    }
    value
}

/// Decimal digits are rounded correctly at any precision, but a formatter takes no more than 16 bits of it.
fn decimals(precision: usize) -> usize {
    precision.min(usize::from(u16::MAX))
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let mut text = format!("{value:.0$}", decimals(precision));
    if precision == 0 && point {
        text.push('.');
    }
    text
}

fn exponent(value: f64, precision: usize, point: bool) -> String {
    let (digits, power) = scientific(value, precision);
    let dot = if precision == 0 && point { "." } else { "" };
    let sign = if power < 0 { '-' } else { '+' };
    format!("{digits}{dot}e{sign}{:02}", power.abs())
}

/// `d.ddd` with `precision` decimals, and the power of ten.
fn scientific(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.0$e}", decimals(precision));
    match text.split_once('e') {
        Some((digits, power)) => (digits.to_string(), power.parse().unwrap_or(0)),
        None => (text, 0),
    }
}

/// "Let P equal the precision if nonzero, 6 if the precision is omitted, or 1 if the precision is zero. Then, if a
/// conversion with style E would have an exponent of X: if P > X >= -4, the conversion is with style f and precision
/// P - (X + 1), otherwise with style e and precision P - 1."
fn general(value: f64, precision: usize, keep_zeros: bool) -> String {
    let p = decimals(precision.max(1));
    let (_, x) = scientific(value, p - 1);
    let mut text = if (p as i32) > x && x >= -4 {
        fixed(value, (p as i32 - 1 - x) as usize, keep_zeros)
    } else {
        exponent(value, p - 1, keep_zeros)
    };
    if !keep_zeros && text.contains('.') {
        let end = text.find('e').unwrap_or(text.len());
        let mantissa = text[..end]
            .trim_end_matches('0')
            .trim_end_matches('.')
            .len();
        text.replace_range(mantissa..end, "");
    }
    text
}

/// `h.hhhhp+d` without the `0x`: the digit before the point is 1 for a normal number and 0 for others.
fn hexadecimal(value: f64, precision: Option<usize>, point: bool) -> String {
    const DIGITS: usize = 13;
    let bits = value.to_bits();
    let field = (bits >> 52) as i32;
    let mut mantissa = bits & ((1 << 52) - 1);
    let power = match (field, mantissa) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => field - 1023,
    };
    if field != 0 {
        mantissa |= 1 << 52;
    }
    let shown = precision.unwrap_or(DIGITS);
    if shown < DIGITS {
        // "the value is correctly rounded": to nearest, ties to even
        let drop = 4 * (DIGITS - shown) as u32;
        let (kept, lost, half) = (
            mantissa >> drop,
            mantissa & ((1 << drop) - 1),
            1 << (drop - 1),
        );
        let up = lost > half || (lost == half && kept & 1 == 1);
        mantissa = (kept + u64::from(up)) << drop;
    }
    let mut digits = format!("{:013x}", mantissa & ((1 << 52) - 1));
    match precision {
        None => digits.truncate(digits.trim_end_matches('0').len()),
        Some(p) if p <= DIGITS => digits.truncate(p),
        Some(p) => digits.push_str(&"0".repeat(p - DIGITS)),
    }
    let dot = if digits.is_empty() && !point { "" } else { "." };
    format!("{:x}{dot}{digits}p{power:+}", mantissa >> 52)
}

#[cfg(test)]
mod tests;
