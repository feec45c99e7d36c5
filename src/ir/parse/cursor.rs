//! A place in the token list, and what every production asks of it.
//!
//! Invariant: the cursor never passes the last token, `Tok::End`.

use super::lex::{Tok, Token};
use super::{Id, Parse, ParseError, Words};
use crate::ir::function::SrcLoc;
use crate::ir::types::{AddrSpace, Elem, Type};

/// Ids in the text stay below this, because a table is as long as its largest id.
const MAX_ID: usize = 1 << 24;

pub struct Cursor {
    tokens: Vec<Token>,
    at: usize,
}

impl Cursor {
    pub fn new(tokens: Vec<Token>) -> Self {
        Self { tokens, at: 0 }
    }

    pub fn peek(&self) -> &Tok {
        &self.tokens[self.at].tok
    }

    /// The token `n` places ahead.
    pub fn peek_ahead(&self, n: usize) -> &Tok {
        &self.tokens[(self.at + n).min(self.tokens.len() - 1)].tok
    }

    fn next(&mut self) -> Tok {
        let tok = self.peek().clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        tok
    }

    /// Where the next token stands.
    pub fn position(&self) -> (u32, u32) {
        let token = &self.tokens[self.at];
        (token.line, token.col)
    }

    /// An error at the next token.
    pub fn error<T>(&self, message: impl Into<String>) -> Parse<T> {
        self.error_at(self.position(), message)
    }

    /// An error at the token that was read last.
    pub fn error_before<T>(&self, message: impl Into<String>) -> Parse<T> {
        let token = &self.tokens[self.at.saturating_sub(1)];
        self.error_at((token.line, token.col), message)
    }

    pub fn error_at<T>(&self, at: (u32, u32), message: impl Into<String>) -> Parse<T> {
        Err(ParseError {
            line: at.0,
            col: at.1,
            message: message.into(),
        })
    }

    pub fn accept(&mut self, c: char) -> bool {
        let found = *self.peek() == Tok::Punct(c);
        if found {
            self.next();
        }
        found
    }

    pub fn punct(&mut self, c: char) -> Parse<()> {
        if self.accept(c) {
            return Ok(());
        }
        self.error(format!("expected '{c}'"))
    }

    pub fn accept_arrow(&mut self) -> bool {
        let found = *self.peek() == Tok::Arrow;
        if found {
            self.next();
        }
        found
    }

    pub fn accept_keyword(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Tok::Word(w) if w == word);
        if found {
            self.next();
        }
        found
    }

    pub fn keyword(&mut self, word: &str) -> Parse<()> {
        if self.accept_keyword(word) {
            return Ok(());
        }
        self.error(format!("expected '{word}'"))
    }

    pub fn word(&mut self) -> Parse<String> {
        match self.peek() {
            Tok::Word(_) => match self.next() {
                Tok::Word(word) => Ok(word),
                _ => self.error("expected a word"),
            },
            _ => self.error("expected a word"),
        }
    }

    pub fn name(&mut self) -> Parse<String> {
        match self.next() {
            Tok::Name(name) => Ok(name),
            _ => self.error_before("expected a name"),
        }
    }

    pub fn string(&mut self) -> Parse<Vec<u8>> {
        match self.next() {
            Tok::Str(bytes) => Ok(bytes),
            _ => self.error_before("expected a string"),
        }
    }

    /// A string that is UTF-8.
    pub fn text(&mut self) -> Parse<String> {
        match String::from_utf8(self.string()?) {
            Ok(text) => Ok(text),
            Err(_) => self.error_before("the string must be UTF-8"),
        }
    }

    /// A number as it is written.
    pub fn number(&mut self) -> Parse<String> {
        match self.next() {
            Tok::Number(text) => Ok(text),
            _ => self.error_before("expected a number"),
        }
    }

    /// A decimal number that fits `T`.
    pub fn int<T: std::str::FromStr>(&mut self) -> Parse<T> {
        let text = self.number()?;
        match text.parse() {
            Ok(n) => Ok(n),
            Err(_) => self.error_before("the number is malformed or out of range"),
        }
    }

    /// The bits of an integer: decimal, sign-extended to 64 bits where negative, or hexadecimal.
    pub fn int_bits(&mut self) -> Parse<u64> {
        let text = self.number()?;
        let parsed = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None if text.starts_with('-') => text.parse::<i64>().ok().map(|n| n as u64),
            None => text.parse().ok(),
        };
        match parsed {
            Some(bits) => Ok(bits),
            None => self.error_before("the number is malformed or out of range"),
        }
    }

    /// The word of a variant of an enum; `what` names the enum in errors.
    pub fn variant<T: Words>(&mut self, what: &str) -> Parse<T> {
        let word = self.word()?;
        match T::from_word(&word) {
            Some(variant) => Ok(variant),
            None => self.error_before(format!("expected {what}")),
        }
    }

    /// Is the token `n` places ahead an id with this prefix?
    pub fn is_id(&self, n: usize, prefix: &str) -> bool {
        matches!(self.peek_ahead(n), Tok::Word(word) if id_digits(word, prefix).is_some())
    }

    /// An id with this prefix.
    pub fn id<T: Id>(&mut self, prefix: &str) -> Parse<T> {
        let digits = match self.next() {
            Tok::Word(word) => id_digits(&word, prefix).map(str::to_string),
            Tok::Number(text) if prefix.is_empty() => Some(text),
            _ => None,
        };
        let Some(digits) = digits else {
            return self.error_before(format!("expected {prefix}N"));
        };
        match digits.parse::<usize>() {
            Ok(n) if n < MAX_ID => Ok(T::from_index(n)),
            _ => self.error_before("the id is malformed or too large"),
        }
    }

    /// An id that must be the next of its table.
    pub fn counted(&mut self, prefix: &str, expected: usize) -> Parse<()> {
        let index: usize = self.id(prefix)?;
        if index != expected {
            return self.error_before(format!("expected {prefix}{expected} here"));
        }
        Ok(())
    }

    /// `item { "," item }` up to `close`, which is read too; may be empty.
    pub fn list<T>(
        &mut self,
        close: char,
        mut item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let mut out = Vec::new();
        if self.accept(close) {
            return Ok(out);
        }
        loop {
            out.push(item(self)?);
            if self.accept(close) {
                return Ok(out);
            }
            self.punct(',')?;
        }
    }

    /// `type = ( "i1" | ... | "f64" | "ptr." space ) [ "x" lanes ] ;`
    pub fn ty(&mut self) -> Parse<Type> {
        let word = self.word()?;
        let scalars = [
            Elem::I1,
            Elem::I8,
            Elem::I16,
            Elem::I32,
            Elem::I64,
            Elem::F16,
            Elem::F32,
            Elem::F64,
        ];
        let spaces = AddrSpace::ALL.iter().map(|&space| Elem::Ptr(space));
        for elem in scalars.into_iter().chain(spaces) {
            let Some(rest) = word.strip_prefix(elem.to_string().as_str()) else {
                continue;
            };
            if rest.is_empty() {
                return Ok(Type::scalar(elem));
            }
            let lanes = rest.strip_prefix('x').and_then(|n| n.parse().ok());
            if let Some(lanes @ 2..) = lanes {
                return Ok(Type::vector(elem, lanes));
            }
        }
        self.error_before("expected a type")
    }

    /// `loc = "!" [ file ":" ] line ":" column [ "!" ] [ "+" scope ] ;`, or nothing; the second mark says that the result
    /// is exact.
    pub fn loc(&mut self) -> Parse<SrcLoc> {
        if !self.accept('!') {
            return Ok(SrcLoc::default());
        }
        let first: u32 = self.int()?;
        self.punct(':')?;
        let second: u32 = self.int()?;
        let (file, line, col) = if self.accept(':') {
            (first, second, self.int()?)
        } else {
            (0, first, second)
        };
        let exact = self.accept('!');
        let scope = match self.accept('+') {
            true => self.int()?,
            false => 0,
        };
        match (u16::try_from(file), u16::try_from(col)) {
            (Ok(file), Ok(col)) => Ok(SrcLoc {
                file,
                line,
                col,
                exact,
                scope,
            }),
            _ => self.error_before("the file or the column is too large"),
        }
    }
}

/// The digits of `word` behind `prefix`, if that is all there is.
fn id_digits<'a>(word: &'a str, prefix: &str) -> Option<&'a str> {
    let digits = word.strip_prefix(prefix)?;
    let all = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    all.then_some(digits)
}
