//! The parser's hold on the tokens: looking, taking, reporting, and finding its feet after an error.
//!
//! Invariants: the cursor never stands on a pragma and never passes the final `Eof`.

use super::super::source::Loc;
use super::super::symbol::Symbol;
use super::super::token::{Kw, Punct, Token, TokenKind};
use super::{Failed, MAX_NESTING, Parsed, Parser};

impl Parser<'_> {
    pub(super) fn tok(&self) -> TokenKind {
        self.tokens[self.pos].kind
    }

    pub(super) fn loc(&self) -> Loc {
        self.tokens[self.pos].loc
    }

    pub(super) fn at_eof(&self) -> bool {
        self.tok() == TokenKind::Eof
    }

    pub(super) fn at(&self, punct: Punct) -> bool {
        self.tok() == TokenKind::Punct(punct)
    }

    pub(super) fn at_kw(&self, kw: Kw) -> bool {
        self.tok() == TokenKind::Keyword(kw)
    }

    /// The token after the current one, pragmas left out.
    pub(super) fn peek(&self) -> TokenKind {
        self.tokens[self.pos..]
            .iter()
            .skip(1)
            .map(|t| t.kind)
            .find(|k| !matches!(k, TokenKind::Pragma(_)))
            .unwrap_or(TokenKind::Eof)
    }

    pub(super) fn advance(&mut self) {
        if !self.at_eof() {
            self.pos += 1;
            self.skip_pragmas();
        }
    }

    /// Sets aside the pragmas at the cursor.
    pub(super) fn skip_pragmas(&mut self) {
        while let Token {
            kind: TokenKind::Pragma(pragma),
            loc,
        } = self.tokens[self.pos]
        {
            self.pragmas.push((pragma, loc));
            self.pos += 1;
        }
    }

    /// Takes the token if it is this one.
    pub(super) fn eat(&mut self, punct: Punct) -> bool {
        let found = self.at(punct);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn eat_kw(&mut self, kw: Kw) -> bool {
        let found = self.at_kw(kw);
        if found {
            self.advance();
        }
        found
    }

    /// Takes this token or reports `expected 'x'` and then what `context` says.
    pub(super) fn expect(&mut self, punct: Punct, context: &str) -> Parsed<()> {
        if self.eat(punct) {
            return Ok(());
        }
        let loc = if punct == Punct::Semi {
            self.end_of_previous()
        } else {
            self.loc()
        };
        self.fail(loc, format!("expected '{}'{context}", punct.as_str()))
    }

    /// Takes the closing bracket of the one that was opened at `open`.
    pub(super) fn expect_close(&mut self, punct: Punct, open: Loc) -> Parsed<()> {
        if self.eat(punct) {
            return Ok(());
        }
        self.error(self.loc(), format!("expected '{}'", punct.as_str()));
        let opening = match punct {
            Punct::RParen => "(",
            Punct::RBracket => "[",
            _ => "{",
        };
        self.note(open, format!("to match this '{opening}'"));
        Err(Failed)
    }

    pub(super) fn identifier(&mut self) -> Parsed<(Symbol, Loc)> {
        let loc = self.loc();
        match self.tok() {
            TokenKind::Ident(name) => {
                self.advance();
                Ok((name, loc))
            }
            _ => self.fail(loc, "expected identifier"),
        }
    }

    pub(super) fn error(&mut self, loc: Loc, text: impl Into<String>) {
        self.diags.error(loc, text);
        self.give_up_if_stopped();
    }

    pub(super) fn note(&mut self, loc: Loc, text: impl Into<String>) {
        self.diags.note(loc, text);
    }

    pub(super) fn fail<T>(&mut self, loc: Loc, text: impl Into<String>) -> Parsed<T> {
        self.error(loc, text);
        Err(Failed)
    }

    pub(super) fn fatal(&mut self, loc: Loc, text: impl Into<String>) {
        self.diags.fatal(loc, text);
        self.give_up_if_stopped();
    }

    fn give_up_if_stopped(&mut self) {
        if self.diags.stopped() {
            self.pos = self.tokens.len() - 1;
        }
    }

    /// Runs `body` one level deeper.
    pub(super) fn nested<T>(&mut self, body: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            let text = format!("bracket nesting level exceeded maximum of {MAX_NESTING}");
            let loc = self.loc();
            self.fatal(loc, text);
            return Err(Failed);
        }
        self.nesting += 1;
        let result = body(self);
        self.nesting -= 1;
        result
    }

    /// One past the last byte of the token before the cursor: where a missing `;` belongs.
    pub(super) fn end_of_previous(&self) -> Loc {
        let before = self.tokens[..self.pos].iter().rev();
        let Some(token) = before
            .into_iter()
            .find(|t| !matches!(t.kind, TokenKind::Pragma(_)))
        else {
            return self.loc();
        };
        let Some((line, at)) = self.sources.line_text(token.loc) else {
            return self.loc();
        };
        token.loc.offset(token_len(&line[at..], token.kind))
    }

    /// Skips to the `;` that ends the broken statement or declaration, or to a `{ ... }` that does, and takes it; or to
    /// the `}` that closes the block around it. Brackets on the way are skipped with what they hold.
    pub(super) fn skip_statement(&mut self) {
        self.skip_until(|kind| matches!(kind, TokenKind::Punct(Punct::Semi | Punct::LBrace)));
        if self.at(Punct::LBrace) {
            self.skip_group();
        }
        self.eat(Punct::Semi);
    }

    /// After a broken external declaration: behind the next `;` or behind a `{ ... }`.
    pub(super) fn skip_external(&mut self) {
        loop {
            match self.tok() {
                TokenKind::Eof => return,
                TokenKind::Punct(Punct::Semi) => {
                    self.advance();
                    return;
                }
                TokenKind::Punct(Punct::LBrace) => {
                    self.skip_group();
                    self.eat(Punct::Semi);
                    return;
                }
                TokenKind::Punct(Punct::RBrace) => {
                    self.advance();
                    return;
                }
                _ => self.skip_group(),
            }
        }
    }

    /// Skips to a token that `stop` likes, or to an unmatched closing bracket, or to the end.
    pub(super) fn skip_until(&mut self, stop: impl Fn(TokenKind) -> bool) {
        loop {
            let kind = self.tok();
            if stop(kind) {
                return;
            }
            match kind {
                TokenKind::Eof | TokenKind::Punct(Punct::RBrace) => return,
                _ => self.skip_group(),
            }
        }
    }

    /// Skips one token, or a bracket and everything up to its partner. `}` ends the search for other partners.
    fn skip_group(&mut self) {
        let mut open: Vec<Punct> = Vec::new();
        loop {
            match self.tok() {
                TokenKind::Eof => return,
                TokenKind::Punct(Punct::LParen) => open.push(Punct::RParen),
                TokenKind::Punct(Punct::LBracket) => open.push(Punct::RBracket),
                TokenKind::Punct(Punct::LBrace) => open.push(Punct::RBrace),
                TokenKind::Punct(Punct::RBrace) => {
                    while open.last().is_some_and(|&p| p != Punct::RBrace) {
                        open.pop();
                    }
                    if open.pop().is_none() {
                        return;
                    }
                }
                // A `;` in parentheses: the partner is missing.
                TokenKind::Punct(Punct::Semi)
                    if !open.is_empty() && !open.contains(&Punct::RBrace) =>
                {
                    return;
                }
                TokenKind::Punct(p) if open.last() == Some(&p) => {
                    open.pop();
                }
                _ => {}
            }
            self.advance();
            if open.is_empty() {
                return;
            }
        }
    }
}

/// The length of the token that `text` begins with.
fn token_len(text: &str, kind: TokenKind) -> usize {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    match kind {
        TokenKind::Punct(punct) => punct.as_str().len(),
        TokenKind::Ident(_) | TokenKind::Keyword(_) => {
            text.find(|c| !is_word(c)).unwrap_or(text.len())
        }
        TokenKind::Int { .. } | TokenKind::Float { .. } => {
            let mut previous = ' ';
            text.find(|c: char| {
                let sign = matches!(c, '+' | '-') && matches!(previous, 'e' | 'E' | 'p' | 'P');
                previous = c;
                !(is_word(c) || c == '.' || sign)
            })
            .unwrap_or(text.len())
        }
        TokenKind::Char(_) | TokenKind::Str(_) => quoted_len(text),
        TokenKind::Pragma(_) | TokenKind::Eof => 0,
    }
}

fn quoted_len(text: &str) -> usize {
    let mut chars = text.char_indices();
    let Some((_, quote)) = chars.next() else {
        return 0;
    };
    while let Some((at, c)) = chars.next() {
        if c == '\\' {
            chars.next();
        } else if c == quote {
            return at + c.len_utf8();
        }
    }
    text.len()
}
