//! `__attribute__((...))`.

use super::super::ast::*;
use super::super::source::Loc;
use super::super::token::{Kw, Punct, TokenKind, Unroll};
use super::{Parsed, Parser};

impl Parser<'_> {
    // attributes: ('__attribute__' '(' '(' attribute? (',' attribute?)* ')' ')')*
    /// Takes all attributes at the cursor, if any.
    pub(super) fn attributes(&mut self, attrs: &mut Vec<Attribute>) -> Parsed<()> {
        while self.at_kw(Kw::Attribute) {
            self.advance();
            let outer = self.loc();
            self.expect(Punct::LParen, " after 'attribute'")?;
            let inner = self.loc();
            self.expect(Punct::LParen, " after '('")?;
            loop {
                if self.eat(Punct::Comma) {
                    continue;
                }
                match self.tok() {
                    TokenKind::Ident(_) | TokenKind::Keyword(_) => {
                        let attr = self.attribute()?;
                        attrs.push(attr);
                    }
                    _ => break,
                }
                if !self.at(Punct::Comma) {
                    break;
                }
            }
            self.expect_close(Punct::RParen, inner)?;
            self.expect_close(Punct::RParen, outer)?;
        }
        Ok(())
    }

    // attribute: identifier ('(' attribute-argument (',' attribute-argument)* ')')?
    fn attribute(&mut self) -> Parsed<Attribute> {
        let loc = self.loc();
        let start = self.pos;
        let spelled = self.spelling(start).unwrap_or_default();
        self.advance();
        let plain = spelled
            .strip_prefix("__")
            .and_then(|s| s.strip_suffix("__"))
            .unwrap_or(&spelled);
        let name = self.interner.intern(plain);
        let mut args = Vec::new();
        let open = self.loc();
        if self.eat(Punct::LParen) {
            if !self.at(Punct::RParen) {
                self.nested(|p| {
                    loop {
                        let arg = p.attribute_argument()?;
                        args.push(arg);
                        if !p.eat(Punct::Comma) {
                            return Ok(());
                        }
                    }
                })?;
            }
            self.expect_close(Punct::RParen, open)?;
        }
        let text = self.text_between(start, self.pos);
        Ok(Attribute {
            loc,
            name,
            args,
            text,
        })
    }

    // attribute-argument: type-name | string-literal | assignment-expression
    fn attribute_argument(&mut self) -> Parsed<AttrArg> {
        if self.at_specs() {
            return Ok(AttrArg::Type(Box::new(self.type_name()?)));
        }
        if let TokenKind::Str(id) = self.tok()
            && matches!(self.peek(), TokenKind::Punct(Punct::Comma | Punct::RParen))
        {
            self.advance();
            return Ok(AttrArg::Str(id));
        }
        Ok(AttrArg::Expr(self.assignment_expression()?))
    }

    // alignment-specifier: _Alignas ( type-name | constant-expression )
    /// The same as the attribute `aligned`.
    pub(super) fn alignas(&mut self) -> Parsed<Attribute> {
        let loc = self.loc();
        let start = self.pos;
        self.advance();
        let open = self.loc();
        self.expect(Punct::LParen, " after '_Alignas'")?;
        let arg = self.nested(|p| p.attribute_argument())?;
        self.expect_close(Punct::RParen, open)?;
        let text = self.text_between(start, self.pos);
        Ok(Attribute {
            loc,
            name: self.interner.intern("aligned"),
            args: vec![arg],
            text,
        })
    }

    /// What the attributes in front of a loop say about unrolling; clang's `opencl_unroll_hint`, which without an
    /// argument means all of it.
    pub(super) fn unroll_hint(&mut self, attrs: &[Attribute]) -> Option<Unroll> {
        let hint = attrs
            .iter()
            .rfind(|a| self.interner.name(a.name) == "opencl_unroll_hint")?;
        match hint.args.as_slice() {
            [] => Some(Unroll::Full),
            [AttrArg::Expr(id)] => match self.literal(*id) {
                Some(1) => Some(Unroll::Never),
                Some(n @ 1..) => Some(Unroll::By(n)),
                _ => {
                    self.unroll_error(hint.loc);
                    None
                }
            },
            _ => {
                self.unroll_error(hint.loc);
                None
            }
        }
    }

    fn unroll_error(&mut self, loc: Loc) {
        self.error(
            loc,
            "'opencl_unroll_hint' attribute requires a positive integral compile time constant expression",
        );
    }

    fn literal(&self, id: ExprId) -> Option<u32> {
        match self.ast.expr(id).kind {
            ExprKind::Int { value, .. } => u32::try_from(value).ok(),
            ExprKind::Paren(inner) => self.literal(inner),
            _ => None,
        }
    }

    /// The tokens from `start` to `end` as text, with blanks only between words.
    fn text_between(&self, start: usize, end: usize) -> String {
        let mut text = String::new();
        for at in start..end {
            let Some(token) = self.spelling(at) else {
                continue;
            };
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            if text.ends_with(is_word) && token.starts_with(is_word) {
                text.push(' ');
            }
            text.push_str(&token);
        }
        text
    }

    fn spelling(&self, at: usize) -> Option<String> {
        Some(match self.tokens[at].kind {
            TokenKind::Ident(name) => self.interner.name(name).to_string(),
            TokenKind::Keyword(kw) => kw.as_str().to_string(),
            TokenKind::Int { value, .. } => value.to_string(),
            TokenKind::Float { value, .. } => value.to_string(),
            TokenKind::Char(c) => c.to_string(),
            TokenKind::Str(id) => {
                let bytes = self.strings.string(id);
                format!("\"{}\"", String::from_utf8_lossy(bytes).escape_default())
            }
            TokenKind::Punct(punct) => punct.as_str().to_string(),
            TokenKind::Pragma(_) | TokenKind::Eof => return None,
        })
    }
}
