//! Statements (C99, 6.8).
//!
//! Chains of `else if` and of labels are collected in a list and folded, so that a long one costs no stack.

use super::super::ast::*;
use super::super::source::Loc;
use super::super::symbol::Symbol;
use super::super::token::{Kw, Pragma, Punct, TokenKind};
use super::{Parsed, Parser};

/// A label in front of a statement.
enum Prefix {
    Label(Symbol),
    Case(ExprId, Option<ExprId>),
    Default,
}

impl Parser<'_> {
    // compound-statement: '{' block-item* '}'
    pub(super) fn compound_statement(&mut self) -> Parsed<StmtId> {
        let open = self.loc();
        self.expect(Punct::LBrace, "")?;
        self.scopes.push();
        let mut items = Vec::new();
        loop {
            self.take_pragmas(&mut items);
            if self.at(Punct::RBrace) || self.at_eof() {
                break;
            }
            let start = self.pos;
            match self.block_item() {
                Ok(item) => items.push(item),
                Err(_) => self.skip_statement(),
            }
            if self.pos == start && !self.at(Punct::RBrace) {
                self.advance();
            }
        }
        self.scopes.pop();
        let end = self.loc();
        self.expect_close(Punct::RBrace, open)?;
        Ok(self.stmt_node(open, StmtKind::Compound { items, end }))
    }

    /// The pragmas that the cursor passed become statements; `unroll` waits for its loop.
    fn take_pragmas(&mut self, items: &mut Vec<StmtId>) {
        for (pragma, loc) in std::mem::take(&mut self.pragmas) {
            if let Pragma::Unroll(unroll) = pragma {
                self.unroll = Some(unroll);
            } else {
                let item = self.stmt_node(loc, StmtKind::Pragma(pragma));
                items.push(item);
            }
        }
    }

    // block-item: attribute* (declaration | statement)
    fn block_item(&mut self) -> Parsed<StmtId> {
        let loc = self.loc();
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        if self.at_kw(Kw::Extension) && self.begins_specs(self.peek()) {
            self.advance();
        }
        if self.at_declaration() {
            self.unroll = None;
            return self.block_declaration(attrs);
        }
        if self.at_kw(Kw::StaticAssert) {
            return self.fail(loc, "'_Static_assert' is not supported in OpenCL C");
        }
        self.statement_after(loc, attrs)
    }

    /// A declaration, or two names in a row, of which the first must have been meant as a type.
    fn at_declaration(&self) -> bool {
        let next = self.peek();
        let is_label = next == TokenKind::Punct(Punct::Colon);
        match self.tok() {
            TokenKind::Ident(_) if is_label => false,
            TokenKind::Ident(_) => self.at_specs() || matches!(next, TokenKind::Ident(_)),
            _ => self.at_specs(),
        }
    }

    // statement: attribute* (labeled | compound | expression | selection | iteration | jump)
    fn statement(&mut self) -> Parsed<StmtId> {
        let loc = self.loc();
        let mut attrs = Vec::new();
        self.attributes(&mut attrs)?;
        if self.at_declaration() {
            return self.fail(self.loc(), "expected expression");
        }
        self.statement_after(loc, attrs)
    }

    /// The body of another statement; a mistake in it is dealt with here, so that what surrounds it goes on.
    fn sub_statement(&mut self) -> StmtId {
        let loc = self.loc();
        for (pragma, _) in std::mem::take(&mut self.pragmas) {
            if let Pragma::Unroll(unroll) = pragma {
                self.unroll = Some(unroll);
            }
        }
        match self.nested(|p| p.statement()) {
            Ok(body) => body,
            Err(_) => {
                self.skip_statement();
                self.stmt_node(loc, StmtKind::Error)
            }
        }
    }

    fn statement_after(&mut self, loc: Loc, attrs: Vec<Attribute>) -> Parsed<StmtId> {
        let prefixes = self.labels()?;
        if !prefixes.is_empty() {
            return self.labeled(prefixes);
        }
        let hint = self.unroll_hint(&attrs);
        let unroll = hint.or(self.unroll.take());
        self.unroll = None;
        match self.tok() {
            TokenKind::Punct(Punct::LBrace) => self.nested(|p| p.compound_statement()),
            TokenKind::Punct(Punct::Semi) => {
                self.advance();
                Ok(self.stmt_node(loc, StmtKind::Expr(None)))
            }
            TokenKind::Keyword(kw) => match kw {
                Kw::If => self.if_statement(),
                Kw::Switch => self.switch_statement(),
                Kw::While => {
                    self.advance();
                    let cond = self.condition("while")?;
                    let body = self.sub_statement();
                    let kind = StmtKind::While { cond, body, unroll };
                    Ok(self.stmt_node(loc, kind))
                }
                Kw::Do => {
                    self.advance();
                    let body = self.sub_statement();
                    let cond = self.do_condition(loc)?;
                    let kind = StmtKind::Do { body, cond, unroll };
                    Ok(self.stmt_node(loc, kind))
                }
                Kw::For => {
                    self.scopes.push();
                    let result = self.for_statement(unroll);
                    self.scopes.pop();
                    result
                }
                Kw::Goto | Kw::Continue | Kw::Break | Kw::Return => self.jump_statement(kw),
                Kw::Asm => self.fail(loc, "'asm' is not supported in OpenCL C"),
                _ => self.expression_statement(),
            },
            _ => self.expression_statement(),
        }
    }

    // expression-statement: expression? ';'
    fn expression_statement(&mut self) -> Parsed<StmtId> {
        let loc = self.loc();
        let expr = self.expression()?;
        self.semicolon(" after expression");
        Ok(self.stmt_node(loc, StmtKind::Expr(Some(expr))))
    }

    /// The `;` at the end of a statement. If it is missing, what follows on the same statement is skipped, unless a
    /// new statement seems to begin.
    pub(super) fn semicolon(&mut self, context: &str) {
        if self.expect(Punct::Semi, context).is_ok() {
            return;
        }
        let begins_statement = match self.tok() {
            TokenKind::Keyword(_) | TokenKind::Ident(_) => true,
            TokenKind::Punct(punct) => matches!(punct, Punct::LBrace | Punct::RBrace),
            _ => false,
        };
        if !begins_statement {
            self.skip_statement();
        }
    }

    // labeled-statement: (identifier ':' attribute* | case expr ('...' expr)? ':' | default ':')+ statement
    fn labels(&mut self) -> Parsed<Vec<(Prefix, Loc)>> {
        let mut prefixes = Vec::new();
        loop {
            let loc = self.loc();
            match self.tok() {
                TokenKind::Ident(name) if self.peek() == TokenKind::Punct(Punct::Colon) => {
                    self.advance();
                    self.advance();
                    // No attribute changes a label here; they are read for their syntax.
                    self.attributes(&mut Vec::new())?;
                    prefixes.push((Prefix::Label(name), loc));
                }
                TokenKind::Keyword(Kw::Case) => {
                    self.advance();
                    let lo = self.conditional_expression()?;
                    let hi = if self.eat(Punct::Ellipsis) {
                        Some(self.conditional_expression()?)
                    } else {
                        None
                    };
                    self.expect(Punct::Colon, " after 'case'")?;
                    prefixes.push((Prefix::Case(lo, hi), loc));
                }
                TokenKind::Keyword(Kw::Default) => {
                    self.advance();
                    self.expect(Punct::Colon, " after 'default'")?;
                    prefixes.push((Prefix::Default, loc));
                }
                _ => return Ok(prefixes),
            }
        }
    }

    fn labeled(&mut self, prefixes: Vec<(Prefix, Loc)>) -> Parsed<StmtId> {
        // A label may stand in front of a declaration or of the block's end (as in C23): then it labels nothing.
        let mut body = if self.at(Punct::RBrace) || self.at_declaration() {
            let loc = self.loc();
            self.stmt_node(loc, StmtKind::Expr(None))
        } else {
            self.sub_statement()
        };
        for (prefix, loc) in prefixes.into_iter().rev() {
            let kind = match prefix {
                Prefix::Label(name) => StmtKind::Label { name, body },
                Prefix::Case(lo, hi) => StmtKind::Case { lo, hi, body },
                Prefix::Default => StmtKind::Default { body },
            };
            body = self.stmt_node(loc, kind);
        }
        Ok(body)
    }

    // '(' expression ')'
    fn condition(&mut self, keyword: &str) -> Parsed<ExprId> {
        let open = self.loc();
        self.expect(Punct::LParen, &format!(" after '{keyword}'"))?;
        let cond = match self.nested(|p| p.expression()) {
            Ok(cond) => cond,
            Err(_) => {
                // The statement behind the parentheses is worth reading.
                self.skip_until(|k| {
                    matches!(
                        k,
                        TokenKind::Punct(Punct::RParen | Punct::Semi | Punct::LBrace)
                    )
                });
                if !self.at(Punct::RParen) {
                    return Err(super::Failed);
                }
                self.expr_node(open, ExprKind::Error)
            }
        };
        self.expect_close(Punct::RParen, open)?;
        Ok(cond)
    }

    // if-statement: if '(' expression ')' statement (else statement)?
    fn if_statement(&mut self) -> Parsed<StmtId> {
        let mut arms = Vec::new();
        let mut els = loop {
            let loc = self.loc();
            self.advance();
            let cond = self.condition("if")?;
            let then = self.sub_statement();
            arms.push((loc, cond, then));
            if !self.eat_kw(Kw::Else) {
                break None;
            }
            if !self.at_kw(Kw::If) {
                break Some(self.sub_statement());
            }
        };
        for (loc, cond, then) in arms.into_iter().rev() {
            els = Some(self.stmt_node(loc, StmtKind::If { cond, then, els }));
        }
        els.ok_or(super::Failed)
    }

    // switch-statement: switch '(' expression ')' statement
    fn switch_statement(&mut self) -> Parsed<StmtId> {
        let loc = self.loc();
        self.advance();
        let cond = self.condition("switch")?;
        let body = self.sub_statement();
        Ok(self.stmt_node(loc, StmtKind::Switch { cond, body }))
    }

    // do-statement: do statement while '(' expression ')' ';'
    fn do_condition(&mut self, start: Loc) -> Parsed<ExprId> {
        if !self.eat_kw(Kw::While) {
            self.error(self.loc(), "expected 'while' in do/while loop");
            self.note(start, "to match this 'do'");
            return Err(super::Failed);
        }
        let cond = self.condition("do/while")?;
        self.semicolon(" after do/while statement");
        Ok(cond)
    }

    // for-statement: for '(' (declaration | expression? ';') expression? ';' expression? ')' statement
    fn for_statement(&mut self, unroll: Option<super::Unroll>) -> Parsed<StmtId> {
        let loc = self.loc();
        self.advance();
        let open = self.loc();
        self.expect(Punct::LParen, " after 'for'")?;
        let init = if self.eat(Punct::Semi) {
            None
        } else if self.at_declaration() {
            Some(self.block_declaration(Vec::new())?)
        } else {
            let at = self.loc();
            let expr = self.nested(|p| p.expression())?;
            self.expect(Punct::Semi, " in 'for' statement specifier")?;
            Some(self.stmt_node(at, StmtKind::Expr(Some(expr))))
        };
        let cond = if self.at(Punct::Semi) {
            None
        } else {
            Some(self.nested(|p| p.expression())?)
        };
        self.expect(Punct::Semi, " in 'for' statement specifier")?;
        let step = if self.at(Punct::RParen) {
            None
        } else {
            Some(self.nested(|p| p.expression())?)
        };
        self.expect_close(Punct::RParen, open)?;
        let body = self.sub_statement();
        let kind = StmtKind::For {
            init,
            cond,
            step,
            body,
            unroll,
        };
        Ok(self.stmt_node(loc, kind))
    }

    // jump-statement: goto identifier ';' | continue ';' | break ';' | return expression? ';'
    fn jump_statement(&mut self, kw: Kw) -> Parsed<StmtId> {
        let loc = self.loc();
        self.advance();
        let kind = match kw {
            Kw::Goto => {
                let (label, label_loc) = self.identifier()?;
                StmtKind::Goto { label, label_loc }
            }
            Kw::Continue => StmtKind::Continue,
            Kw::Break => StmtKind::Break,
            _ if self.at(Punct::Semi) => StmtKind::Return(None),
            _ => StmtKind::Return(Some(self.expression()?)),
        };
        let name = kw.as_str();
        self.semicolon(&format!(" after {name} statement"));
        Ok(self.stmt_node(loc, kind))
    }
}
