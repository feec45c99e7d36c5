//! Initialisers and designators (C99, 6.7.8).

use super::super::ast::*;
use super::super::token::{Punct, TokenKind};
use super::{Parsed, Parser};

impl Parser<'_> {
    // initializer: assignment-expression | initializer-list
    pub(super) fn initializer(&mut self) -> Parsed<Init> {
        if self.at(Punct::LBrace) {
            return Ok(Init::List(self.initializer_list()?));
        }
        Ok(Init::Expr(self.assignment_expression()?))
    }

    // initializer-list: '{' (designation? initializer (',' designation? initializer)* ','?)? '}'
    pub(super) fn initializer_list(&mut self) -> Parsed<InitList> {
        let loc = self.loc();
        self.advance();
        let items = self.nested(|p| {
            let mut items = Vec::new();
            while !p.at(Punct::RBrace) {
                let designators = p.designation()?;
                let init = p.initializer()?;
                items.push((designators, init));
                if !p.eat(Punct::Comma) {
                    break;
                }
            }
            Ok(items)
        })?;
        self.expect_close(Punct::RBrace, loc)?;
        Ok(InitList { loc, items })
    }

    // designation: designator+ '=' | identifier ':'
    // designator: '[' constant-expression ']' | '.' identifier
    fn designation(&mut self) -> Parsed<Vec<Designator>> {
        let mut designators = Vec::new();
        if let TokenKind::Ident(name) = self.tok()
            && self.peek() == TokenKind::Punct(Punct::Colon)
        {
            let loc = self.loc();
            self.advance();
            self.advance();
            designators.push(Designator::Field(name, loc));
            return Ok(designators);
        }
        loop {
            let loc = self.loc();
            if self.eat(Punct::Dot) {
                let (name, loc) = self.identifier()?;
                designators.push(Designator::Field(name, loc));
            } else if self.eat(Punct::LBracket) {
                let index = self.nested(|p| p.conditional_expression())?;
                if self.at(Punct::Ellipsis) {
                    return self.fail(self.loc(), "array range designators are not supported");
                }
                self.expect_close(Punct::RBracket, loc)?;
                designators.push(Designator::Index(index));
            } else {
                break;
            }
        }
        if !designators.is_empty() {
            self.expect(Punct::Eq, " or another designator")?;
        }
        Ok(designators)
    }
}
