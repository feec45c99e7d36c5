//! Expressions from the comma down to the unary operators (C99, 6.5.3 to 6.5.17).
//!
//! What nests to the right without brackets (assignments, conditionals) is collected in a list and folded, so that a
//! long chain costs no stack.

use super::super::ast::*;
use super::super::source::Loc;
use super::super::token::{Kw, Punct, TokenKind};
use super::scope::Meaning;
use super::{Parsed, Parser};

impl Parser<'_> {
    // expression: assignment-expression (',' assignment-expression)*
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        let mut left = self.assignment_expression()?;
        while self.at(Punct::Comma) {
            let loc = self.loc();
            self.advance();
            let right = self.assignment_expression()?;
            left = self.expr_node(loc, ExprKind::Comma([left, right]));
        }
        Ok(left)
    }

    // assignment-expression: conditional-expression | unary-expression assignment-operator assignment-expression
    pub(super) fn assignment_expression(&mut self) -> Parsed<ExprId> {
        let mut targets = Vec::new();
        let mut value = loop {
            let operand = self.conditional_expression()?;
            let Some(op) = assignment_operator(self.tok()) else {
                break operand;
            };
            targets.push((operand, op, self.loc()));
            self.advance();
        };
        for (lhs, op, loc) in targets.into_iter().rev() {
            let kind = ExprKind::Assign {
                op,
                lhs,
                rhs: value,
            };
            value = self.expr_node(loc, kind);
        }
        Ok(value)
    }

    // conditional-expression: binary-expression ('?' expression? ':' conditional-expression)?
    pub(super) fn conditional_expression(&mut self) -> Parsed<ExprId> {
        let mut arms = Vec::new();
        let mut value = loop {
            let operand = self.binary_expression(0)?;
            let loc = self.loc();
            if !self.eat(Punct::Question) {
                break operand;
            }
            let then = if self.at(Punct::Colon) {
                None
            } else {
                Some(self.nested(|p| p.expression())?)
            };
            if !self.eat(Punct::Colon) {
                self.error(self.loc(), "expected ':'");
                self.note(loc, "to match this '?'");
                return Err(super::Failed);
            }
            arms.push((operand, then, loc));
        };
        for (cond, then, loc) in arms.into_iter().rev() {
            let kind = ExprKind::Cond {
                cond,
                then,
                els: value,
            };
            value = self.expr_node(loc, kind);
        }
        Ok(value)
    }

    // logical-or:     logical-and ('||' logical-and)*
    // logical-and:    inclusive-or ('&&' inclusive-or)*
    // inclusive-or:   exclusive-or ('|' exclusive-or)*
    // exclusive-or:   and ('^' and)*
    // and:            equality ('&' equality)*
    // equality:       relational (('==' | '!=') relational)*
    // relational:     shift (('<' | '>' | '<=' | '>=') shift)*
    // shift:          additive (('<<' | '>>') additive)*
    // additive:       multiplicative (('+' | '-') multiplicative)*
    // multiplicative: cast (('*' | '/' | '%') cast)*
    /// All of these by their precedence: only operators that bind at least as tightly as `min` are taken.
    fn binary_expression(&mut self, min: u8) -> Parsed<ExprId> {
        let mut left = self.cast_expression()?;
        while let Some((op, precedence)) = binary_operator(self.tok())
            && precedence >= min
        {
            let loc = self.loc();
            self.advance();
            let right = self.binary_expression(precedence + 1)?;
            let kind = ExprKind::Binary {
                op,
                args: [left, right],
            };
            left = self.expr_node(loc, kind);
        }
        Ok(left)
    }

    // cast-expression: unary-expression | '(' type-name ')' cast-expression
    pub(super) fn cast_expression(&mut self) -> Parsed<ExprId> {
        if self.at(Punct::LParen) && self.begins_specs(self.peek()) {
            return self.parenthesised_type();
        }
        self.unary_expression()
    }

    /// `(type)` and what follows it: a cast, a vector literal, or a compound literal.
    // '(' type-name ')' (cast-expression | '(' expression-list ')' | initializer-list)
    fn parenthesised_type(&mut self) -> Parsed<ExprId> {
        let mark = self.mark();
        let open = self.loc();
        self.advance();
        let ty = Box::new(self.nested(|p| p.type_name())?);
        self.expect_close(Punct::RParen, open)?;
        match self.tok() {
            TokenKind::Punct(Punct::LBrace) => {
                let literal = self.compound_literal(mark, open, ty)?;
                self.postfix_suffixes(literal)
            }
            TokenKind::Punct(Punct::LParen) if self.may_be_vector_literal() => {
                self.vector_literal(mark, open, ty)
            }
            _ => {
                let arg = self.nested(|p| p.cast_expression())?;
                Ok(self.typed_node(mark, open, ExprKind::Cast { ty, arg }))
            }
        }
    }

    /// Whether the `(` after `(type)` may hold the components of a vector: not another cast or statement expression.
    fn may_be_vector_literal(&self) -> bool {
        let next = self.peek();
        next != TokenKind::Punct(Punct::LBrace) && !self.begins_specs(next)
    }

    pub(super) fn compound_literal(
        &mut self,
        mark: usize,
        loc: Loc,
        ty: Box<TypeName>,
    ) -> Parsed<ExprId> {
        let init = self.initializer_list()?;
        Ok(self.typed_node(mark, loc, ExprKind::CompoundLit { ty, init }))
    }

    // vector-literal: '(' type-name ')' '(' assignment-expression (',' assignment-expression)* ')'
    fn vector_literal(&mut self, mark: usize, loc: Loc, ty: Box<TypeName>) -> Parsed<ExprId> {
        let open = self.loc();
        self.advance();
        let args = self.nested(|p| p.expression_list())?;
        self.expect_close(Punct::RParen, open)?;
        let is_vector = args.len() > 1 || self.is_vector(&ty.specs, &ty.declarator);
        if !is_vector && self.at_suffix() {
            // `(int)(a).x` is a cast of `(a).x`.
            let inner = self.expr_node(open, ExprKind::Paren(args[0]));
            let arg = self.postfix_suffixes(inner)?;
            return Ok(self.typed_node(mark, loc, ExprKind::Cast { ty, arg }));
        }
        let literal = self.typed_node(mark, loc, ExprKind::VectorLit { ty, args });
        self.postfix_suffixes(literal)
    }

    /// Whether specifiers and a declarator make a vector type.
    pub(super) fn is_vector(&self, specs: &DeclSpecs, declarator: &Declarator) -> bool {
        let named = match &specs.ty {
            TypeSpec::Named(name) => {
                self.scopes.meaning(*name, self.interner) == Meaning::VectorType
            }
            TypeSpec::TypeofType(name) => self.is_vector(&name.specs, &name.declarator),
            _ => false,
        };
        let attrs = specs.attrs.iter().chain(&declarator.attrs);
        let mut attrs = attrs.map(|attr| self.interner.name(attr.name));
        let made = attrs.any(|name| matches!(name, "ext_vector_type" | "vector_size"));
        (named || made) && declarator.chunks.is_empty()
    }

    // expression-list: assignment-expression (',' assignment-expression)*
    pub(super) fn expression_list(&mut self) -> Parsed<Vec<ExprId>> {
        let mut args = vec![self.assignment_expression()?];
        while self.eat(Punct::Comma) {
            args.push(self.assignment_expression()?);
        }
        Ok(args)
    }

    // unary-expression: postfix-expression | ('++' | '--') unary-expression | unary-operator cast-expression
    //   | sizeof ... | _Alignof ... | vec_step ... | __extension__ cast-expression
    fn unary_expression(&mut self) -> Parsed<ExprId> {
        let loc = self.loc();
        let op = match self.tok() {
            TokenKind::Punct(Punct::PlusPlus) => UnaryOp::PreInc,
            TokenKind::Punct(Punct::MinusMinus) => UnaryOp::PreDec,
            TokenKind::Punct(Punct::Amp) => UnaryOp::AddrOf,
            TokenKind::Punct(Punct::Star) => UnaryOp::Deref,
            TokenKind::Punct(Punct::Plus) => UnaryOp::Plus,
            TokenKind::Punct(Punct::Minus) => UnaryOp::Minus,
            TokenKind::Punct(Punct::Tilde) => UnaryOp::BitNot,
            TokenKind::Punct(Punct::Bang) => UnaryOp::Not,
            TokenKind::Keyword(Kw::Sizeof | Kw::Alignof | Kw::VecStep) => {
                return self.nested(|p| p.sizeof_expression());
            }
            TokenKind::Keyword(Kw::Extension) => {
                self.advance();
                return self.nested(|p| p.cast_expression());
            }
            _ => return self.postfix_expression(),
        };
        self.advance();
        let arg = self.nested(|p| p.cast_expression())?;
        Ok(self.expr_node(loc, ExprKind::Unary { op, arg }))
    }

    // sizeof-expression: (sizeof | _Alignof | vec_step) ('(' type-name ')' | unary-expression)
    fn sizeof_expression(&mut self) -> Parsed<ExprId> {
        let mark = self.mark();
        let loc = self.loc();
        let TokenKind::Keyword(kw) = self.tok() else {
            return self.unary_expression();
        };
        self.advance();
        let open = self.loc();
        if self.at(Punct::LParen) && self.begins_specs(self.peek()) {
            self.advance();
            let ty = Box::new(self.type_name()?);
            self.expect_close(Punct::RParen, open)?;
            if self.at(Punct::LBrace) && kw == Kw::Sizeof {
                let literal = self.compound_literal(mark, open, ty)?;
                let arg = self.postfix_suffixes(literal)?;
                return Ok(self.expr_node(loc, ExprKind::SizeofExpr(arg)));
            }
            let kind = match kw {
                Kw::Sizeof => ExprKind::SizeofType(ty),
                Kw::VecStep => ExprKind::VecStepType(ty),
                _ => ExprKind::AlignofType(ty),
            };
            return Ok(self.typed_node(mark, loc, kind));
        }
        let arg = self.unary_expression()?;
        let kind = match kw {
            Kw::VecStep => ExprKind::VecStepExpr(arg),
            Kw::Alignof => ExprKind::AlignofExpr(arg),
            _ => ExprKind::SizeofExpr(arg),
        };
        Ok(self.expr_node(loc, kind))
    }
}

/// The operator of an assignment: `Some(None)` is plain `=`.
fn assignment_operator(kind: TokenKind) -> Option<Option<BinaryOp>> {
    let TokenKind::Punct(punct) = kind else {
        return None;
    };
    Some(match punct {
        Punct::Eq => None,
        Punct::StarEq => Some(BinaryOp::Mul),
        Punct::SlashEq => Some(BinaryOp::Div),
        Punct::PercentEq => Some(BinaryOp::Rem),
        Punct::PlusEq => Some(BinaryOp::Add),
        Punct::MinusEq => Some(BinaryOp::Sub),
        Punct::ShlEq => Some(BinaryOp::Shl),
        Punct::ShrEq => Some(BinaryOp::Shr),
        Punct::AmpEq => Some(BinaryOp::BitAnd),
        Punct::CaretEq => Some(BinaryOp::BitXor),
        Punct::PipeEq => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

/// The operator and its precedence, from 0 (`||`) to 9 (`*`).
fn binary_operator(kind: TokenKind) -> Option<(BinaryOp, u8)> {
    let TokenKind::Punct(punct) = kind else {
        return None;
    };
    Some(match punct {
        Punct::PipePipe => (BinaryOp::LogOr, 0),
        Punct::AmpAmp => (BinaryOp::LogAnd, 1),
        Punct::Pipe => (BinaryOp::BitOr, 2),
        Punct::Caret => (BinaryOp::BitXor, 3),
        Punct::Amp => (BinaryOp::BitAnd, 4),
        Punct::EqEq => (BinaryOp::Eq, 5),
        Punct::Ne => (BinaryOp::Ne, 5),
        Punct::Lt => (BinaryOp::Lt, 6),
        Punct::Gt => (BinaryOp::Gt, 6),
        Punct::Le => (BinaryOp::Le, 6),
        Punct::Ge => (BinaryOp::Ge, 6),
        Punct::Shl => (BinaryOp::Shl, 7),
        Punct::Shr => (BinaryOp::Shr, 7),
        Punct::Plus => (BinaryOp::Add, 8),
        Punct::Minus => (BinaryOp::Sub, 8),
        Punct::Star => (BinaryOp::Mul, 9),
        Punct::Slash => (BinaryOp::Div, 9),
        Punct::Percent => (BinaryOp::Rem, 9),
        _ => return None,
    })
}
