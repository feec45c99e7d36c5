//! Declarators: what stands around a declared name, and lists of parameters.

use super::super::ast::*;
use super::super::source::Loc;
use super::super::token::{Kw, Punct, TokenKind};
use super::scope::Meaning;
use super::specs::SpecPlace;
use super::{Failed, MAX_NESTING, Parsed, Parser};

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Required,
    Forbidden,
    Optional,
}

impl Parser<'_> {
    pub(super) fn declarator(&mut self) -> Parsed<Declarator> {
        self.any_declarator(Naming::Required)
    }

    pub(super) fn abstract_declarator(&mut self) -> Parsed<Declarator> {
        self.any_declarator(Naming::Forbidden)
    }

    // declarator: pointer? direct-declarator attribute*
    // pointer: ('*' (type-qualifier | attribute)*)+
    fn any_declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        let mut attrs = Vec::new();
        let mut pointers = Vec::new();
        loop {
            let loc = self.loc();
            if self.eat(Punct::Star) {
                pointers.push(DeclChunk::Pointer(self.pointer_quals(&mut attrs)?));
            } else if self.eat(Punct::Caret) {
                pointers.push(DeclChunk::Block(loc));
                self.pointer_quals(&mut attrs)?;
            } else {
                break;
            }
        }
        let mut declarator = self.direct_declarator(naming)?;
        declarator.chunks.extend(pointers.into_iter().rev());
        if declarator.chunks.len() > MAX_NESTING as usize {
            let text = format!("bracket nesting level exceeded maximum of {MAX_NESTING}");
            self.fatal(declarator.loc, text);
            return Err(Failed);
        }
        if self.at_kw(Kw::Asm) {
            return self.fail(self.loc(), "'asm' is not supported in OpenCL C");
        }
        self.attributes(&mut attrs)?;
        declarator.attrs.append(&mut attrs);
        Ok(declarator)
    }

    fn pointer_quals(&mut self, attrs: &mut Vec<Attribute>) -> Parsed<Quals> {
        let mut quals = Quals::default();
        loop {
            let loc = self.loc();
            match self.tok() {
                TokenKind::Keyword(Kw::Attribute) => self.attributes(attrs)?,
                TokenKind::Keyword(kw) if self.qualifier(&mut quals, kw, loc) => self.advance(),
                _ => return Ok(quals),
            }
        }
    }

    // direct-declarator: (identifier | '(' declarator ')') suffix*
    // direct-abstract-declarator: ('(' abstract-declarator ')')? suffix*
    // suffix: '[' ... ']' | '(' parameter-type-list? ')'
    fn direct_declarator(&mut self, naming: Naming) -> Parsed<Declarator> {
        let loc = self.loc();
        let mut declarator = Declarator {
            name: None,
            loc,
            chunks: Vec::new(),
            attrs: Vec::new(),
        };
        match self.tok() {
            TokenKind::Ident(name) if naming != Naming::Forbidden => {
                declarator.name = Some(name);
                self.advance();
            }
            TokenKind::Punct(Punct::LParen) if self.is_nested_declarator(naming) => {
                self.advance();
                declarator = self.nested(|p| {
                    let mut attrs = Vec::new();
                    p.attributes(&mut attrs)?;
                    let mut inner = p.any_declarator(naming)?;
                    inner.attrs.append(&mut attrs);
                    Ok(inner)
                })?;
                self.expect_close(Punct::RParen, loc)?;
            }
            _ if naming == Naming::Required => {
                return self.fail(loc, "expected identifier or '('");
            }
            _ => {}
        }
        loop {
            match self.tok() {
                TokenKind::Punct(Punct::LBracket) => {
                    let chunk = self.array_suffix()?;
                    declarator.chunks.push(chunk);
                }
                TokenKind::Punct(Punct::LParen) => {
                    let chunk = self.function_suffix()?;
                    declarator.chunks.push(chunk);
                }
                _ => return Ok(declarator),
            }
        }
    }

    /// Whether the `(` at the cursor encloses a declarator rather than parameters.
    fn is_nested_declarator(&self, naming: Naming) -> bool {
        if naming == Naming::Required {
            return true;
        }
        match self.peek() {
            TokenKind::Punct(Punct::Star | Punct::Caret | Punct::LParen | Punct::LBracket) => true,
            TokenKind::Ident(name) => {
                naming == Naming::Optional && !self.scopes.is_type(name, self.interner)
            }
            _ => false,
        }
    }

    // '[' static? type-qualifier* assignment-expression? ']'
    fn array_suffix(&mut self) -> Parsed<DeclChunk> {
        let loc = self.loc();
        self.advance();
        while matches!(
            self.tok(),
            TokenKind::Keyword(Kw::Static | Kw::Const | Kw::Volatile | Kw::Restrict)
        ) {
            self.advance();
        }
        if self.at(Punct::Star) && self.peek() == TokenKind::Punct(Punct::RBracket) {
            return self.fail(loc, "variable length arrays are not supported in OpenCL");
        }
        let size = if self.at(Punct::RBracket) {
            None
        } else {
            Some(self.nested(|p| p.assignment_expression())?)
        };
        self.expect_close(Punct::RBracket, loc)?;
        Ok(DeclChunk::Array { size, loc })
    }

    // '(' parameter-type-list? ')'
    // parameter-type-list: parameter (',' parameter)* (',' '...')?
    fn function_suffix(&mut self) -> Parsed<DeclChunk> {
        let loc = self.loc();
        self.advance();
        self.scopes.push();
        let list = self.nested(|p| p.parameters());
        self.scopes.pop();
        let (params, variadic) = list?;
        self.expect_close(Punct::RParen, loc)?;
        Ok(DeclChunk::Function {
            params,
            variadic,
            loc,
        })
    }

    fn parameters(&mut self) -> Parsed<(Vec<ParamDecl>, bool)> {
        let mut params = Vec::new();
        if self.at(Punct::RParen) {
            return Ok((params, false));
        }
        if self.at_kw(Kw::Void) && self.peek() == TokenKind::Punct(Punct::RParen) {
            self.advance();
            return Ok((params, false));
        }
        loop {
            if self.eat(Punct::Ellipsis) {
                return Ok((params, true));
            }
            let param = self.parameter()?;
            params.push(param);
            if !self.eat(Punct::Comma) {
                return Ok((params, false));
            }
        }
    }

    // parameter: declaration-specifiers (declarator | abstract-declarator?)
    fn parameter(&mut self) -> Parsed<ParamDecl> {
        if !self.at_specs()
            && !matches!(
                self.tok(),
                TokenKind::Ident(_) | TokenKind::Keyword(Kw::Attribute)
            )
        {
            return self.fail(self.loc(), "expected parameter declarator");
        }
        let specs = self.specs(SpecPlace::Param)?;
        let declarator = self.any_declarator(Naming::Optional)?;
        if let Some(name) = declarator.name {
            self.scopes.declare(name, Meaning::Object);
        }
        Ok(ParamDecl { specs, declarator })
    }

    /// The parameters' names, in the scope of the function's body.
    pub(super) fn declare_params(&mut self, declarator: &Declarator) {
        if let Some(DeclChunk::Function { params, .. }) = declarator.chunks.first() {
            for name in params.iter().filter_map(|p| p.declarator.name) {
                self.scopes.declare(name, Meaning::Object);
            }
        }
    }

    /// `loc` of the function's own parentheses, if the declarator declares a function.
    pub(super) fn function_loc(declarator: &Declarator) -> Option<Loc> {
        match declarator.chunks.first() {
            Some(DeclChunk::Function { loc, .. }) => Some(*loc),
            _ => None,
        }
    }
}
