//! Structures, unions and enumerations.

use super::super::ast::*;
use super::super::token::{Kw, Punct, TokenKind};
use super::scope::Meaning;
use super::specs::SpecPlace;
use super::{Parsed, Parser};

impl Parser<'_> {
    // struct-or-union-specifier: (struct | union) attribute* identifier? ('{' struct-declaration* '}' attribute*)?
    pub(super) fn record_specifier(&mut self) -> Parsed<TypeSpec> {
        let loc = self.loc();
        let is_union = self.at_kw(Kw::Union);
        self.advance();
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        self.attributes(&mut attrs)?;
        let fields = if self.at(Punct::LBrace) {
            let fields = self.nested(|p| p.struct_declarations())?;
            self.attributes(&mut attrs)?;
            Some(fields)
        } else {
            None
        };
        if tag.is_none() && fields.is_none() {
            let kind = if is_union { "union" } else { "struct" };
            let text = format!("declaration of anonymous {kind} must be a definition");
            return self.fail(loc, text);
        }
        Ok(TypeSpec::Record(Box::new(RecordSpec {
            loc,
            is_union,
            tag,
            fields,
            attrs,
        })))
    }

    fn tag(&mut self) -> Option<super::super::symbol::Symbol> {
        match self.tok() {
            TokenKind::Ident(name) => {
                self.advance();
                Some(name)
            }
            _ => None,
        }
    }

    fn struct_declarations(&mut self) -> Parsed<Vec<FieldDecl>> {
        let open = self.loc();
        self.advance();
        let mut fields = Vec::new();
        while !self.at(Punct::RBrace) && !self.at_eof() {
            if self.eat(Punct::Semi) {
                continue;
            }
            let start = self.pos;
            match self.struct_declaration() {
                Ok(field) => fields.push(field),
                Err(_) => self.skip_statement(),
            }
            if self.pos == start {
                break;
            }
        }
        self.expect_close(Punct::RBrace, open)?;
        Ok(fields)
    }

    // struct-declaration: specifier-qualifier-list (struct-declarator (',' struct-declarator)*)? ';'
    // struct-declarator: declarator | declarator? ':' constant-expression attribute*
    fn struct_declaration(&mut self) -> Parsed<FieldDecl> {
        let loc = self.loc();
        let specs = self.specs(SpecPlace::Field)?;
        let mut declarators = Vec::new();
        if !self.at(Punct::Semi) {
            loop {
                let mut declarator = if self.at(Punct::Colon) {
                    Declarator {
                        name: None,
                        loc: self.loc(),
                        chunks: Vec::new(),
                        attrs: Vec::new(),
                    }
                } else {
                    self.declarator()?
                };
                let width = if self.eat(Punct::Colon) {
                    Some(self.conditional_expression()?)
                } else {
                    None
                };
                self.attributes(&mut declarator.attrs)?;
                declarators.push((declarator, width));
                if !self.eat(Punct::Comma) {
                    break;
                }
            }
        }
        if !self.eat(Punct::Semi) {
            let at = self.end_of_previous();
            return self.fail(at, "expected ';' at end of declaration list");
        }
        Ok(FieldDecl {
            loc,
            specs,
            declarators,
        })
    }

    // enum-specifier: enum attribute* identifier? ('{' enumerator (',' enumerator)* ','? '}' attribute*)?
    pub(super) fn enum_specifier(&mut self) -> Parsed<TypeSpec> {
        let loc = self.loc();
        self.advance();
        // No attribute changes an enumeration here; they are read for their syntax.
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        let tag = self.tag();
        self.attributes(&mut attrs)?;
        let items = if self.at(Punct::LBrace) {
            let items = self.nested(|p| p.enumerators())?;
            self.attributes(&mut attrs)?;
            Some(items)
        } else {
            None
        };
        if tag.is_none() && items.is_none() {
            return self.fail(self.loc(), "expected identifier or '{'");
        }
        Ok(TypeSpec::Enum(Box::new(EnumSpec { loc, tag, items })))
    }

    // enumerator: identifier attribute* ('=' constant-expression)?
    fn enumerators(&mut self) -> Parsed<Vec<Enumerator>> {
        let open = self.loc();
        self.advance();
        let mut items = Vec::new();
        if self.at(Punct::RBrace) {
            self.error(self.loc(), "use of empty enum");
        }
        while !self.at(Punct::RBrace) {
            let (name, loc) = self.identifier()?;
            let mut attrs = Vec::new();
            self.attributes(&mut attrs)?;
            let value = if self.eat(Punct::Eq) {
                Some(self.conditional_expression()?)
            } else {
                None
            };
            self.scopes.declare(name, Meaning::Object);
            items.push(Enumerator { name, loc, value });
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        self.expect_close(Punct::RBrace, open)?;
        Ok(items)
    }
}
