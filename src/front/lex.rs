//! Text to preprocessing tokens (C99, 5.1.1.2 phases 2 and 3, and 6.4): line splices, comments, digraphs; trigraphs
//! are not read, as in clang's default. The lexer reports nothing: what is no token becomes [`PpKind::Other`], which
//! is an error only if it reaches the parser.
//!
//! Invariants: the lexer only moves forward, by whole characters; at the end of the text it returns
//! [`PpKind::EndOfFile`] for ever.

use super::pp::hide::HideSet;
use super::punctuator::find_punct;
use super::source::Loc;
use super::symbol::{Interner, Symbol};
use super::token::Punct;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PpKind {
    Ident,
    /// A preprocessing number; `text` is its spelling, in ASCII.
    Number,
    /// A character constant with its quotes and prefix.
    Char,
    /// A string literal with its quotes and prefix.
    Str,
    Punct(Punct),
    /// A character that begins no token, or a literal without its closing quote.
    Other,
    /// What an empty macro argument leaves beside `##` (6.10.3.3).
    Placemarker,
    /// A pragma, by its index in the preprocessor's table.
    Pragma(u32),
    EndOfFile,
}

/// A preprocessing token: what macro expansion works on.
#[derive(Clone, Copy, Debug)]
pub struct PpToken {
    pub kind: PpKind,
    /// The spelling, line splices removed.
    pub text: Symbol,
    pub loc: Loc,
    /// The macros that may not replace this token (see [`super::pp::hide`]).
    pub hide: HideSet,
    /// White space stood before it.
    pub space: bool,
    /// It is the first token of its line.
    pub line_start: bool,
}

impl PpToken {
    pub fn is(&self, punct: Punct) -> bool {
        self.kind == PpKind::Punct(punct)
    }

    /// An end that stands in no file.
    pub fn end(names: &mut Interner) -> PpToken {
        PpToken {
            kind: PpKind::EndOfFile,
            text: names.intern(""),
            loc: Loc::NONE,
            hide: HideSet::EMPTY,
            space: false,
            line_start: false,
        }
    }
}

/// Reads one buffer.
pub struct Lexer {
    text: Arc<str>,
    /// The location of the buffer's first byte.
    start: Loc,
    pos: usize,
    line_start: bool,
    /// Where a comment began that the text does not end.
    pub unterminated_comment: Option<Loc>,
}

impl Lexer {
    /// A lexer for a buffer's text; `start` is the location of its first byte.
    pub fn new(text: Arc<str>, start: Loc) -> Lexer {
        // A byte order mark is no part of the text.
        let pos = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Lexer {
            text,
            start,
            pos,
            line_start: true,
            unterminated_comment: None,
        }
    }

    /// A lexer for text that stands in no buffer; its tokens have no location.
    pub fn scratch(text: &str) -> Lexer {
        Lexer::new(text.into(), Loc::NONE)
    }

    /// Where the next character stands.
    pub fn loc(&self) -> Loc {
        self.start.offset(self.pos)
    }

    /// The next token, wherever it is.
    pub fn next(&mut self, names: &mut Interner) -> PpToken {
        let space = self.skip_space(true);
        self.token(names, space)
    }

    /// The next token of this line, or `None` if there is no more. The end of the line is not consumed.
    pub fn next_in_line(&mut self, names: &mut Interner) -> Option<PpToken> {
        let space = self.skip_space(false);
        match self.peek() {
            None | Some(b'\n' | b'\r') => None,
            Some(_) => Some(self.token(names, space)),
        }
    }

    /// The rest of the line as it is written, without the white space around it; the end is not consumed.
    pub fn rest_of_line(&mut self) -> String {
        let mut rest = Vec::new();
        while let Some(byte) = self.peek()
            && !matches!(byte, b'\n' | b'\r')
        {
            rest.push(byte);
            self.bump();
        }
        String::from_utf8_lossy(&rest).trim().to_string()
    }

    /// Moves to the `#` of the next line that begins with one, and past it; its location, or `None` at the end of
    /// the text. Everything on the way is skipped as a false `#if` does it.
    pub fn skip_to_directive(&mut self) -> Option<Loc> {
        loop {
            self.skip_space(true);
            if self.line_start {
                let loc = self.loc();
                if self.eat_hash() {
                    self.line_start = false;
                    return Some(loc);
                }
            }
            self.peek()?;
            self.skip_line();
        }
    }

    /// `<...>` or `"..."` as an `#include` names a file: the name, and whether it stood in angle brackets. `None` if
    /// there is something else, which then is still to be read.
    pub fn header_name(&mut self) -> Option<(String, bool)> {
        self.skip_space(false);
        let close = match self.peek() {
            Some(b'<') => b'>',
            Some(b'"') => b'"',
            _ => return None,
        };
        let before = self.pos;
        self.bump();
        let mut name = Vec::new();
        loop {
            match self.peek() {
                None | Some(b'\n' | b'\r') => {
                    self.pos = before;
                    return None;
                }
                Some(byte) => {
                    self.bump();
                    if byte == close {
                        return Some((String::from_utf8_lossy(&name).into_owned(), close == b'>'));
                    }
                    name.push(byte);
                }
            }
        }
    }

    fn token(&mut self, names: &mut Interner, space: bool) -> PpToken {
        let begin = self.pos;
        let line_start = std::mem::replace(&mut self.line_start, false);
        let kind = self.kind();
        let text = if kind == PpKind::EndOfFile {
            ""
        } else {
            &self.text[begin..self.pos]
        };
        let text = if text.contains('\\') {
            names.intern(&without_splices(text))
        } else {
            names.intern(text)
        };
        PpToken {
            kind,
            text,
            loc: self.start.offset(begin),
            hide: HideSet::EMPTY,
            space,
            line_start,
        }
    }

    fn kind(&mut self) -> PpKind {
        let Some(first) = self.peek() else {
            return PpKind::EndOfFile;
        };
        match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => {
                self.skip_identifier();
                if first == b'L' && self.literal_prefix_ends_here() {
                    return self.quoted();
                }
                PpKind::Ident
            }
            b'0'..=b'9' => self.number(),
            b'.' if matches!(self.peek_second(), Some(b'0'..=b'9')) => self.number(),
            b'"' | b'\'' => self.quoted(),
            0x80.. => {
                if self.peek_char().is_some_and(char::is_alphabetic) {
                    self.skip_identifier();
                    PpKind::Ident
                } else {
                    self.bump();
                    PpKind::Other
                }
            }
            _ => self.punct(),
        }
    }

    /// Whether exactly `L` was read and a quote follows.
    fn literal_prefix_ends_here(&self) -> bool {
        matches!(self.peek(), Some(b'"' | b'\''))
            && self.text.as_bytes()[..self.pos].ends_with(b"L")
            && !self.text[..self.pos - 1]
                .ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$')
    }

    fn skip_identifier(&mut self) {
        while let Some(byte) = self.peek() {
            let goes_on = match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' => true,
                0x80.. => self.peek_char().is_some_and(char::is_alphanumeric),
                _ => false,
            };
            if !goes_on {
                break;
            }
            self.bump();
        }
    }

    /// 6.4.8: digits, letters, points, and signs after an exponent's letter.
    fn number(&mut self) -> PpKind {
        let mut last = 0;
        while let Some(byte) = self.peek() {
            let is_sign = matches!(byte, b'+' | b'-') && matches!(last, b'e' | b'E' | b'p' | b'P');
            if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || is_sign) {
                break;
            }
            last = byte;
            self.bump();
        }
        PpKind::Number
    }

    fn quoted(&mut self) -> PpKind {
        let quote = self.peek();
        self.bump();
        loop {
            match self.peek() {
                None | Some(b'\n' | b'\r') => return PpKind::Other,
                Some(b'\\') => {
                    self.bump();
                    if !matches!(self.peek(), None | Some(b'\n' | b'\r')) {
                        self.bump();
                    }
                }
                byte => {
                    self.bump();
                    if byte == quote {
                        break;
                    }
                }
            }
        }
        if quote == Some(b'"') {
            PpKind::Str
        } else {
            PpKind::Char
        }
    }

    fn punct(&mut self) -> PpKind {
        let mut bytes = [0; 4];
        let mut ends = [0; 4];
        let mut pos = self.pos;
        for (byte, end) in bytes.iter_mut().zip(&mut ends) {
            if let Some((b, after)) = self.byte_at(pos) {
                *byte = b;
                pos = after;
            }
            *end = pos;
        }
        match find_punct(bytes) {
            Some((punct, length)) => {
                self.pos = ends[length - 1];
                PpKind::Punct(punct)
            }
            None => {
                self.bump();
                PpKind::Other
            }
        }
    }

    /// Skips white space and comments; whether there was any. A line's end is skipped only if `lines`.
    fn skip_space(&mut self, lines: bool) -> bool {
        let begin = self.pos;
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' | b'\r' => {
                    if !lines {
                        break;
                    }
                    self.bump();
                    self.line_start = true;
                }
                // A zero byte counts as white space, as in clang.
                b' ' | b'\t' | 0x0b | 0x0c | 0 => self.bump(),
                b'/' => match self.peek_second() {
                    Some(b'/') => self.skip_line_comment(),
                    Some(b'*') => self.skip_block_comment(),
                    _ => break,
                },
                _ => break,
            }
        }
        self.pos > begin
    }

    fn skip_line_comment(&mut self) {
        while !matches!(self.peek(), None | Some(b'\n' | b'\r')) {
            self.bump();
        }
    }

    fn skip_block_comment(&mut self) {
        let begin = self.loc();
        self.bump();
        self.bump();
        let mut last = 0;
        while let Some(byte) = self.peek() {
            self.bump();
            if last == b'*' && byte == b'/' {
                return;
            }
            last = byte;
        }
        self.unterminated_comment = Some(begin);
    }

    /// Skips to the next line's beginning; quotes hide comments, comments may span lines.
    fn skip_line(&mut self) {
        self.line_start = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' | b'\r' => return,
                b'"' | b'\'' => {
                    self.quoted();
                }
                b'/' if matches!(self.peek_second(), Some(b'/' | b'*')) => {
                    self.skip_space(false);
                }
                _ => self.bump(),
            }
        }
    }

    fn eat_hash(&mut self) -> bool {
        match (self.peek(), self.peek_second()) {
            (Some(b'#'), _) => self.bump(),
            (Some(b'%'), Some(b':')) => {
                self.bump();
                self.bump();
            }
            _ => return false,
        }
        true
    }

    fn peek(&self) -> Option<u8> {
        self.byte_at(self.pos).map(|(byte, _)| byte)
    }

    fn peek_second(&self) -> Option<u8> {
        let (_, after) = self.byte_at(self.pos)?;
        self.byte_at(after).map(|(byte, _)| byte)
    }

    fn peek_char(&self) -> Option<char> {
        let (_, after) = self.byte_at(self.pos)?;
        let begin = (0..after).rev().find(|&i| self.text.is_char_boundary(i))?;
        self.text[begin..].chars().next()
    }

    /// Goes past one character (and any line splices before it).
    fn bump(&mut self) {
        if let Some((_, mut after)) = self.byte_at(self.pos) {
            while !self.text.is_char_boundary(after) {
                after += 1;
            }
            self.pos = after;
        }
    }

    /// The first byte at or after `pos` that is no part of a line splice, and the position after it.
    #[inline]
    fn byte_at(&self, pos: usize) -> Option<(u8, usize)> {
        let byte = *self.text.as_bytes().get(pos)?;
        if byte == b'\\' {
            self.byte_after_splices(pos)
        } else {
            Some((byte, pos + 1))
        }
    }

    fn byte_after_splices(&self, mut pos: usize) -> Option<(u8, usize)> {
        while let Some(length) = splice_length(&self.text.as_bytes()[pos..]) {
            pos += length;
        }
        let byte = *self.text.as_bytes().get(pos)?;
        Some((byte, pos + 1))
    }
}

/// The length of a backslash and line end at the front. White space may stand between them, as GCC and clang have it.
fn splice_length(bytes: &[u8]) -> Option<usize> {
    if bytes.first() != Some(&b'\\') {
        return None;
    }
    let blanks = bytes[1..]
        .iter()
        .take_while(|b| matches!(b, b' ' | b'\t' | 0x0b | 0x0c))
        .count();
    match &bytes[1 + blanks..] {
        [b'\r', b'\n', ..] => Some(blanks + 3),
        [b'\n' | b'\r', ..] => Some(blanks + 2),
        _ => None,
    }
}

fn without_splices(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match splice_length(rest.as_bytes()) {
            Some(length) => rest = &rest[length..],
            None => {
                out.push('\\');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}
