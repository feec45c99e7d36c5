//! Character constants and string literals: escape sequences to values (C99 6.4.4.4 and 6.4.5).
//!
//! What is wrong is returned with its place; the messages are worded as clang words them.

/// Something wrong in a literal, and the byte of its spelling to point at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub offset: usize,
    pub is_error: bool,
    pub text: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecodedString {
    pub bytes: Vec<u8>,
    pub problems: Vec<Problem>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedChar {
    /// The constant's value, an int.
    pub value: i32,
    pub problems: Vec<Problem>,
}

/// The bytes of a string literal, spelled with its quotes.
pub fn decode_string(spelling: &str) -> DecodedString {
    let mut decoded = DecodedString::default();
    reject_prefix(spelling, "string", &mut decoded.problems);
    decode(spelling, &mut decoded);
    decoded
}

/// The value of a character constant, spelled with its quotes.
pub fn decode_char(spelling: &str) -> DecodedChar {
    let mut decoded = DecodedString::default();
    reject_prefix(spelling, "character", &mut decoded.problems);
    decode(spelling, &mut decoded);
    let bytes = &decoded.bytes;
    let mut problem = |is_error, text: &str| {
        decoded.problems.push(Problem {
            offset: 0,
            is_error,
            text: text.into(),
        });
    };
    if bytes.is_empty() {
        problem(true, "empty character constant");
    } else if !body(spelling).is_ascii() && bytes.len() > 1 {
        problem(
            true,
            "character too large for enclosing character literal type",
        );
    } else if bytes.len() > 4 {
        problem(false, "character constant too long for its type");
    } else if bytes.len() > 1 {
        problem(false, "multi-character character constant");
    }
    // 6.4.4.4: a single character has the value of a char, which is signed, converted to int; several are put
    // together with the first in the highest place, as GCC and clang have it.
    let value = match bytes[..] {
        [byte] => i32::from(byte as i8),
        _ => bytes
            .iter()
            .fold(0i32, |value, &b| value << 8 | i32::from(b)),
    };
    DecodedChar {
        value,
        problems: decoded.problems,
    }
}

/// What stands between the quotes.
pub fn body(spelling: &str) -> &str {
    let open = spelling.find(['"', '\'']).map_or(0, |at| at + 1);
    let close = spelling.len().saturating_sub(1).max(open);
    spelling.get(open..close).unwrap_or("")
}

/// The text as a string literal.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            _ => out.push(c),
        }
    }
    out.push('"');
    out
}

fn reject_prefix(spelling: &str, what: &str, problems: &mut Vec<Problem>) {
    if spelling.starts_with('L') {
        problems.push(Problem {
            offset: 0,
            is_error: true,
            text: format!("wide {what} literals are not supported in OpenCL C"),
        });
    }
}

fn decode(spelling: &str, out: &mut DecodedString) {
    let body = body(spelling);
    let start = spelling.len().saturating_sub(body.len() + 1);
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        out.bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        let offset = start + body.len() - rest.len() + at;
        rest = decode_escape(escape, offset, out);
    }
    out.bytes.extend_from_slice(rest.as_bytes());
}

/// Decodes the escape sequence whose backslash stands before `text`; returns what follows it.
fn decode_escape<'t>(text: &'t str, offset: usize, out: &mut DecodedString) -> &'t str {
    let mut chars = text.chars();
    let Some(first) = chars.next() else {
        return text;
    };
    let simple = match first {
        '\'' | '"' | '?' | '\\' => first as u8,
        'a' => 7,
        'b' => 8,
        't' => 9,
        'n' => 10,
        'v' => 11,
        'f' => 12,
        'r' => 13,
        // GNU's escape character.
        'e' | 'E' => 27,
        '0'..='7' => return numeric(text, 8, 3, offset, out),
        'x' => return numeric(&text[1..], 16, usize::MAX, offset, out),
        'u' => return universal(&text[1..], 4, offset, out),
        'U' => return universal(&text[1..], 8, offset, out),
        _ => {
            out.problems.push(Problem {
                offset,
                is_error: false,
                text: format!("unknown escape sequence '\\{first}'"),
            });
            let length = first.len_utf8();
            out.bytes.extend_from_slice(&text.as_bytes()[..length]);
            return &text[length..];
        }
    };
    out.bytes.push(simple);
    chars.as_str()
}

fn digits(text: &str, radix: u32, most: usize) -> &str {
    let is_digit = |c: &char| c.is_digit(radix);
    let length = text.chars().take(most).take_while(is_digit).count();
    &text[..length]
}

fn numeric<'t>(
    text: &'t str,
    radix: u32,
    most: usize,
    offset: usize,
    out: &mut DecodedString,
) -> &'t str {
    let digits = digits(text, radix, most);
    let mut problem = |text: &str| {
        out.problems.push(Problem {
            offset,
            is_error: true,
            text: text.into(),
        });
    };
    // 6.4.4.4: the value shall be in the range of unsigned char.
    let significant = digits.trim_start_matches('0');
    let value = if significant.is_empty() {
        0
    } else {
        u32::from_str_radix(significant, radix).unwrap_or(u32::MAX)
    };
    if digits.is_empty() {
        problem("\\x used with no following hex digits");
    } else if value > 255 && radix == 16 {
        problem("hex escape sequence out of range");
    } else if value > 255 {
        problem("octal escape sequence out of range");
    }
    out.bytes.push(value as u8);
    &text[digits.len()..]
}

/// 6.4.3: `\u` and four hexadecimal digits, or `\U` and eight; the character's bytes in UTF-8.
fn universal<'t>(text: &'t str, length: usize, offset: usize, out: &mut DecodedString) -> &'t str {
    let digits = digits(text, 16, length);
    let code = u32::from_str_radix(digits, 16)
        .ok()
        .and_then(char::from_u32);
    let error = match code {
        _ if digits.is_empty() => "\\u used with no following hex digits",
        _ if digits.len() < length => "incomplete universal character name",
        None => "invalid universal character",
        Some(c) => {
            let mut buffer = [0; 4];
            out.bytes
                .extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
            return &text[length..];
        }
    };
    out.problems.push(Problem {
        offset,
        is_error: true,
        text: error.into(),
    });
    &text[digits.len()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(spelling: &str) -> Vec<u8> {
        let decoded = decode_string(spelling);
        assert_eq!(decoded.problems, [], "{spelling}");
        decoded.bytes
    }

    #[test]
    fn escapes() {
        assert_eq!(
            string(r#""a\n\t\\\"\'\?\a\b\f\v\r\e""#),
            b"a\n\t\\\"'?\x07\x08\x0c\x0b\r\x1b"
        );
        assert_eq!(string(r#""\0\12\1234\x41\x0000ff""#), b"\0\nS4A\xff");
        assert_eq!(string(r#""\u00e9\U0001F600""#), "é😀".as_bytes());
        assert_eq!(string(r#""""#), b"");
    }

    #[test]
    fn characters_are_ints() {
        assert_eq!(decode_char("'a'").value, 97);
        assert_eq!(decode_char(r"'\xff'").value, -1);
        assert_eq!(decode_char(r"'\0'").value, 0);
        assert_eq!(decode_char("'ab'").value, 0x6162);
        assert!(!decode_char("'ab'").problems[0].is_error);
        assert!(decode_char("''").problems[0].is_error);
        assert!(decode_char("'é'").problems[0].is_error);
        assert!(decode_char("L'a'").problems[0].is_error);
    }

    #[test]
    fn malformed_escapes() {
        for (spelling, offset, text) in [
            (r#""ab\xg""#, 3, "\\x used with no following hex digits"),
            (r#""\x100""#, 1, "hex escape sequence out of range"),
            (r#""\400""#, 1, "octal escape sequence out of range"),
            (r#""\u12""#, 1, "incomplete universal character name"),
            (r#""\ud800""#, 1, "invalid universal character"),
            (r#""\q""#, 1, "unknown escape sequence '\\q'"),
            ("\"\\é\"", 1, "unknown escape sequence '\\é'"),
        ] {
            let problems = decode_string(spelling).problems;
            assert_eq!((problems[0].offset, &problems[0].text[..]), (offset, text));
        }
    }
}
