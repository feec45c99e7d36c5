//! Preprocessing tokens to tokens (C99 5.1.1.2, phases 5 to 7): keywords, numbers, character constants, adjacent
//! string literals joined. Here what is no token becomes an error, because here it reaches the parser.

use super::super::lex::{PpKind, PpToken};
use super::super::literal;
use super::super::num;
use super::super::options::Version;
use super::super::source::Loc;
use super::super::token::{IntTy, Kw, StrId, Token, TokenKind, TokenStream};
use super::Preprocessor;

struct Output {
    stream: TokenStream,
    /// A string literal to which the next token may add.
    string: Option<(Loc, Vec<u8>)>,
}

impl Preprocessor<'_> {
    /// Reads everything.
    pub(super) fn run(mut self) -> TokenStream {
        let mut out = Output {
            stream: TokenStream {
                tokens: Vec::new(),
                strings: Vec::new(),
            },
            string: None,
        };
        loop {
            let token = self.next_expanded();
            match token.kind {
                PpKind::EndOfFile if self.at_end() => {
                    out.push(TokenKind::Eof, token.loc);
                    return out.stream;
                }
                PpKind::EndOfFile => {}
                PpKind::Ident if token.text == self.words.pragma_operator => {
                    self.pragma_operator(token);
                }
                PpKind::Str => {
                    let spelling = self.session.names.name(token.text);
                    let decoded = literal::decode_string(spelling);
                    self.report(&decoded.problems, token.loc);
                    let (_, bytes) = out.string.get_or_insert((token.loc, Vec::new()));
                    bytes.extend(decoded.bytes);
                }
                _ => {
                    if let Some(kind) = self.token_kind(token) {
                        out.push(kind, token.loc);
                    }
                }
            }
        }
    }

    /// What the token is to the parser; `None` after an error.
    fn token_kind(&mut self, token: PpToken) -> Option<TokenKind> {
        match token.kind {
            PpKind::Ident => Some(match token.text.keyword() {
                Some(kw) if self.is_keyword(kw) => TokenKind::Keyword(kw),
                _ => TokenKind::Ident(token.text),
            }),
            PpKind::Number => Some(self.number(token)),
            PpKind::Char => {
                let decoded = literal::decode_char(self.session.names.name(token.text));
                self.report(&decoded.problems, token.loc);
                Some(TokenKind::Char(decoded.value))
            }
            PpKind::Punct(punct) => Some(TokenKind::Punct(punct)),
            PpKind::Pragma(index) => Some(TokenKind::Pragma(self.pragmas[index as usize])),
            PpKind::Other => {
                let text = bad_character(self.session.names.name(token.text));
                self.session.diags.error(token.loc, text);
                None
            }
            PpKind::Str | PpKind::Placemarker | PpKind::EndOfFile => None,
        }
    }

    /// `generic` and `pipe` are keywords from OpenCL C 2.0 on.
    fn is_keyword(&self, kw: Kw) -> bool {
        !matches!(kw, Kw::Generic | Kw::Pipe) || self.options.version > Version::Cl12
    }

    /// After an error the number is 0, so that the parser sees an operand.
    fn number(&mut self, token: PpToken) -> TokenKind {
        match num::parse_number(self.session.names.name(token.text)) {
            Ok((kind, warning)) => {
                if let Some(text) = warning {
                    self.session.diags.warning(token.loc, text);
                }
                kind
            }
            Err(error) => {
                let loc = token.loc.offset(error.offset);
                self.session.diags.error(loc, error.text);
                TokenKind::Int {
                    value: 0,
                    ty: IntTy::Int,
                }
            }
        }
    }

    fn report(&mut self, problems: &[literal::Problem], loc: Loc) {
        for problem in problems {
            let loc = loc.offset(problem.offset);
            if problem.is_error {
                self.session.diags.error(loc, problem.text.as_str());
            } else {
                self.session.diags.warning(loc, problem.text.as_str());
            }
        }
    }
}

impl Output {
    fn push(&mut self, kind: TokenKind, loc: Loc) {
        if let Some((loc, bytes)) = self.string.take() {
            let id = StrId(self.stream.strings.len() as u32);
            self.stream.strings.push(bytes.into());
            let kind = TokenKind::Str(id);
            self.stream.tokens.push(Token { kind, loc });
        }
        self.stream.tokens.push(Token { kind, loc });
    }
}

fn bad_character(text: &str) -> String {
    match text.trim_start_matches('L').chars().next() {
        Some('"') => "missing terminating '\"' character".into(),
        Some('\'') => "missing terminating ' character".into(),
        Some(c) if c.is_ascii_graphic() => format!("unexpected character '{c}'"),
        Some(c) => format!("unexpected character <U+{:04X}>", c as u32),
        None => "unexpected character".into(),
    }
}
