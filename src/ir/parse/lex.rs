//! Tokens of the text form.
//!
//! Invariants: tokens carry their 1-based position; the list ends with `Tok::End`, so that looking ahead never runs
//! off it; any input gives a list or one error.

use super::ParseError;

#[derive(Clone, Debug, PartialEq)]
pub enum Tok {
    /// Letters, digits, `_` and `.`, beginning with a letter or `_`.
    Word(String),
    /// `@word` or `@"string"`.
    Name(String),
    /// As it stands in the text: sign, digits, fraction, exponent, or `0x` and hexadecimal digits.
    Number(String),
    Str(Vec<u8>),
    /// One of `( ) { } [ ] , : = ! + -`.
    Punct(char),
    Arrow,
    End,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub tok: Tok,
    pub line: u32,
    pub col: u32,
}

/// Splits `text` into tokens.
pub fn lex(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        at: 0,
        line: 1,
        line_start: 0,
    };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_space();
        let (line, col) = (lexer.line, lexer.col());
        let tok = lexer.token()?;
        let end = tok == Tok::End;
        tokens.push(Token { tok, line, col });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
    line_start: usize,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.'
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn col(&self) -> u32 {
        u32::try_from(self.at - self.line_start + 1).unwrap_or(u32::MAX)
    }

    fn error<T>(&self, message: &str) -> Result<T, ParseError> {
        Err(ParseError {
            line: self.line,
            col: self.col(),
            message: message.to_string(),
        })
    }

    fn skip_space(&mut self) {
        loop {
            match self.peek(0) {
                b'\n' => {
                    self.at += 1;
                    self.line += 1;
                    self.line_start = self.at;
                }
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'/' if self.peek(1) == b'/' => {
                    while self.at < self.bytes.len() && self.peek(0) != b'\n' {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    fn token(&mut self) -> Result<Tok, ParseError> {
        if self.at >= self.bytes.len() {
            return Ok(Tok::End);
        }
        let byte = self.peek(0);
        match byte {
            b'"' => Ok(Tok::Str(self.string()?)),
            b'@' => self.name(),
            b'-' if self.peek(1) == b'>' => {
                self.at += 2;
                Ok(Tok::Arrow)
            }
            b'-' if self.peek(1).is_ascii_digit() => Ok(self.number()),
            b'0'..=b'9' => Ok(self.number()),
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b',' | b':' | b'=' | b'!' | b'+' | b'-' => {
                self.at += 1;
                Ok(Tok::Punct(byte as char))
            }
            _ if is_word(byte) => Ok(Tok::Word(self.word())),
            _ => self.error("unexpected character"),
        }
    }

    /// The longest run of word characters here, which may be empty.
    fn word(&mut self) -> String {
        let start = self.at;
        while is_word(self.peek(0)) {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned()
    }

    fn name(&mut self) -> Result<Tok, ParseError> {
        self.at += 1;
        if self.peek(0) == b'"' {
            let bytes = self.string()?;
            return match String::from_utf8(bytes) {
                Ok(name) => Ok(Tok::Name(name)),
                Err(_) => self.error("a name must be UTF-8"),
            };
        }
        let name = self.word();
        if name.is_empty() {
            return self.error("expected a name after '@'");
        }
        Ok(Tok::Name(name))
    }

    fn number(&mut self) -> Tok {
        let start = self.at;
        self.at += 1;
        let hex = self.bytes[start..].starts_with(b"0x");
        loop {
            let byte = self.peek(0);
            let after_exponent = !hex && matches!(self.bytes[self.at - 1], b'e' | b'E');
            let sign = after_exponent && matches!(byte, b'+' | b'-');
            if !is_word(byte) && !sign {
                break;
            }
            self.at += 1;
        }
        Tok::Number(String::from_utf8_lossy(&self.bytes[start..self.at]).into_owned())
    }

    fn string(&mut self) -> Result<Vec<u8>, ParseError> {
        self.at += 1;
        let mut out = Vec::new();
        loop {
            match self.peek(0) {
                b'"' => {
                    self.at += 1;
                    return Ok(out);
                }
                b'\\' => {
                    let (Some(high), Some(low)) =
                        (hex_digit(self.peek(1)), hex_digit(self.peek(2)))
                    else {
                        return self.error("expected two hexadecimal digits after '\\'");
                    };
                    out.push(high * 16 + low);
                    self.at += 3;
                }
                0x20..=0x7e => {
                    out.push(self.peek(0));
                    self.at += 1;
                }
                _ => return self.error("a string ends on its line and holds printable ASCII"),
            }
        }
    }
}

fn hex_digit(byte: u8) -> Option<u8> {
    (byte as char).to_digit(16).map(|d| d as u8)
}
