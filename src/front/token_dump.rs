//! Tokens as text, for tests and for `clothoc dump tokens`: one line for each line of the source that has tokens, the
//! literals with their types.

use super::session::Session;
use super::token::{FloatSuffix, IntTy, Pragma, Token, TokenKind, TokenStream};
use std::fmt::Write;

/// The whole stream. Each line begins with the file (if it is another than the line before) and the line number.
pub fn dump(stream: &TokenStream, session: &Session) -> String {
    let mut out = String::new();
    let mut last = None;
    for token in &stream.tokens {
        let position = session.sources.position(token.loc);
        let place = position.map(|p| (p.file, p.line));
        if place != last {
            if let Some((file, line)) = &place {
                if last.as_ref().is_none_or(|(last_file, _)| last_file != file) {
                    let _ = write!(out, "\n{file}");
                }
                let _ = write!(out, "\n{line}:");
            }
            last = place;
        }
        let _ = write!(out, " {}", spelled(token, stream, session));
    }
    out.trim_start().to_string() + "\n"
}

fn spelled(token: &Token, stream: &TokenStream, session: &Session) -> String {
    match token.kind {
        TokenKind::Ident(name) => session.names.name(name).to_string(),
        TokenKind::Keyword(kw) => kw.as_str().to_string(),
        TokenKind::Int { value, ty } => {
            let ty = match ty {
                IntTy::Int => "int",
                IntTy::UInt => "uint",
                IntTy::Long => "long",
                IntTy::ULong => "ulong",
            };
            format!("{value}:{ty}")
        }
        TokenKind::Float { value, suffix, .. } => {
            let ty = match suffix {
                FloatSuffix::None => "double",
                FloatSuffix::F => "float",
                FloatSuffix::H => "half",
            };
            format!("{value:e}:{ty}")
        }
        TokenKind::Char(value) => format!("{value}:char"),
        TokenKind::Str(id) => format!("\"{}\"", stream.string(id).escape_ascii()),
        TokenKind::Punct(punct) => punct.as_str().to_string(),
        TokenKind::Pragma(pragma) => {
            let text = match pragma {
                Pragma::Extension { name, enable } => {
                    format!("EXTENSION {} {enable}", session.names.name(name))
                }
                other => format!("{other:?}"),
            };
            format!("#[{text}]")
        }
        TokenKind::Eof => "<eof>".to_string(),
    }
}
