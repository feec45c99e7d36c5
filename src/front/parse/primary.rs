//! Postfix and primary expressions (C99, 6.5.1 and 6.5.2).

use super::super::ast::*;
use super::super::token::{Kw, Punct, TokenKind};
use super::specs::SpecPlace;
use super::{Parsed, Parser};

impl Parser<'_> {
    // postfix-expression: primary-expression suffix*
    pub(super) fn postfix_expression(&mut self) -> Parsed<ExprId> {
        let base = self.primary_expression()?;
        self.postfix_suffixes(base)
    }

    pub(super) fn at_suffix(&self) -> bool {
        matches!(
            self.tok(),
            TokenKind::Punct(
                Punct::LBracket
                    | Punct::LParen
                    | Punct::Dot
                    | Punct::Arrow
                    | Punct::PlusPlus
                    | Punct::MinusMinus
            )
        )
    }

    // suffix: '[' expression ']' | '(' expression-list? ')' | ('.' | '->') identifier | '++' | '--'
    pub(super) fn postfix_suffixes(&mut self, mut base: ExprId) -> Parsed<ExprId> {
        while self.at_suffix() {
            let loc = self.loc();
            let start = self.ast.expr(base).loc;
            let TokenKind::Punct(punct) = self.tok() else {
                break;
            };
            self.advance();
            base = match punct {
                Punct::LBracket => {
                    let index = self.nested(|p| p.expression())?;
                    self.expect_close(Punct::RBracket, loc)?;
                    self.expr_node(start, ExprKind::Index { base, index })
                }
                Punct::LParen => {
                    let args = if self.at(Punct::RParen) {
                        Vec::new()
                    } else {
                        self.nested(|p| p.expression_list())?
                    };
                    self.expect_close(Punct::RParen, loc)?;
                    let kind = ExprKind::Call { callee: base, args };
                    self.expr_node(start, kind)
                }
                Punct::Dot | Punct::Arrow => {
                    let (name, name_loc) = self.identifier()?;
                    let kind = ExprKind::Member {
                        base,
                        name,
                        name_loc,
                        arrow: punct == Punct::Arrow,
                    };
                    self.expr_node(loc, kind)
                }
                _ => {
                    let op = if punct == Punct::PlusPlus {
                        UnaryOp::PostInc
                    } else {
                        UnaryOp::PostDec
                    };
                    self.expr_node(loc, ExprKind::Unary { op, arg: base })
                }
            };
        }
        Ok(base)
    }

    // primary-expression: identifier | constant | string-literal | true | false
    //   | '(' expression ')' | '(' compound-statement ')'
    fn primary_expression(&mut self) -> Parsed<ExprId> {
        let loc = self.loc();
        let kind = match self.tok() {
            TokenKind::Ident(name) => {
                if self.scopes.is_type(name, self.interner) {
                    let name = self.interner.name(name).to_string();
                    return self.fail(
                        loc,
                        format!("unexpected type name '{name}': expected expression"),
                    );
                }
                ExprKind::Ident(name)
            }
            TokenKind::Int { value, ty } => ExprKind::Int { value, ty },
            TokenKind::Float {
                value,
                single,
                suffix,
            } => ExprKind::Float {
                value,
                single,
                suffix,
            },
            TokenKind::Char(value) => ExprKind::Char(value),
            TokenKind::Str(id) => ExprKind::Str(id),
            TokenKind::Keyword(Kw::True) => ExprKind::Bool(true),
            TokenKind::Keyword(Kw::False) => ExprKind::Bool(false),
            TokenKind::Punct(Punct::LParen) => return self.parenthesised(),
            TokenKind::Punct(Punct::Caret) => return self.nested(|p| p.block_literal()),
            TokenKind::Keyword(Kw::GenericSelection) => {
                return self.fail(loc, "'_Generic' is not supported in OpenCL C");
            }
            _ => return self.fail(loc, "expected expression"),
        };
        self.advance();
        Ok(self.expr_node(loc, kind))
    }

    // block-literal: '^' (type-name | '(' parameter-type-list? ')')? compound-statement
    fn block_literal(&mut self) -> Parsed<ExprId> {
        let mark = self.mark();
        let loc = self.loc();
        self.advance();
        let specs = match self.at_specs() {
            true => Some(self.specs(SpecPlace::TypeName)?),
            false => None,
        };
        let declarator = self.abstract_declarator()?;
        self.scopes.push();
        self.declare_params(&declarator);
        let outside = std::mem::replace(&mut self.in_function, true);
        let body = self.compound_statement();
        self.in_function = outside;
        self.scopes.pop();
        let body = body?;
        let literal = Box::new(BlockLiteral {
            specs,
            declarator,
            body,
        });
        Ok(self.typed_node(mark, loc, ExprKind::Block(literal)))
    }

    fn parenthesised(&mut self) -> Parsed<ExprId> {
        let open = self.loc();
        self.advance();
        let kind = if self.at(Punct::LBrace) {
            if !self.in_function {
                return self.fail(open, "statement expression not allowed at file scope");
            }
            ExprKind::StmtExpr(self.nested(|p| p.compound_statement())?)
        } else {
            ExprKind::Paren(self.nested(|p| p.expression())?)
        };
        self.expect_close(Punct::RParen, open)?;
        Ok(self.expr_node(open, kind))
    }
}
