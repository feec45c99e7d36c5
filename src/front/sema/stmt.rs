//! Statements (C99, 6.8).

use super::{LabelState, Sema, SwitchState, ast, hir};
use crate::front::source::Loc;
use crate::front::symbol::Symbol;
use crate::front::warn::Warning;
use std::collections::HashSet;

impl Sema<'_> {
    /// Analyses one statement; what it becomes is appended to `out`.
    pub(super) fn statement(&mut self, id: ast::StmtId, out: &mut Vec<hir::Stmt>) {
        if self.diags.stopped() {
            return;
        }
        let ast = self.ast;
        let stmt = ast.stmt(id);
        let loc = stmt.loc;
        let kind = match &stmt.kind {
            ast::StmtKind::Compound { items, .. } => {
                self.scopes.push();
                // A pragma in a block holds until its end (C99, 7.12.2).
                let contract = self.contract;
                let mut inner = Vec::new();
                for &item in items {
                    self.statement(item, &mut inner);
                }
                self.contract = contract;
                self.scopes.pop();
                hir::StmtKind::Block(inner)
            }
            ast::StmtKind::Decl(decl) => {
                self.local_declaration(decl, out);
                return;
            }
            ast::StmtKind::Pragma(pragma) => return self.pragma(*pragma),
            ast::StmtKind::Expr(None) | ast::StmtKind::Error => return,
            ast::StmtKind::Expr(Some(expr)) => {
                let value = self.discarded(*expr);
                self.check_unused_value(&value, *expr);
                hir::StmtKind::Expr(value)
            }
            ast::StmtKind::If { cond, then, els } => {
                let cond = self.condition(*cond);
                if els.is_none() && matches!(ast.stmt(*then).kind, ast::StmtKind::Expr(None)) {
                    let at = ast.stmt(*then).loc;
                    self.warn(Warning::EmptyBody, at, "if statement has an empty body");
                }
                let then = Box::new(self.scoped(*then));
                let els = els.map(|els| Box::new(self.scoped(els)));
                hir::StmtKind::If { cond, then, els }
            }
            ast::StmtKind::Switch { cond, body } => self.switch(*cond, *body),
            ast::StmtKind::Case { lo, hi, body } => {
                self.case(*lo, *hi, loc, out);
                return self.statement(*body, out);
            }
            ast::StmtKind::Default { body } => {
                self.default(loc, out);
                return self.statement(*body, out);
            }
            ast::StmtKind::While { cond, body, unroll } => {
                let cond = self.condition(*cond);
                let body = Box::new(self.loop_body(*body));
                hir::StmtKind::While {
                    cond,
                    body,
                    unroll: *unroll,
                }
            }
            ast::StmtKind::Do { body, cond, unroll } => {
                let body = Box::new(self.loop_body(*body));
                let cond = self.condition(*cond);
                hir::StmtKind::Do {
                    body,
                    cond,
                    unroll: *unroll,
                }
            }
            ast::StmtKind::For {
                init,
                cond,
                step,
                body,
                unroll,
            } => {
                self.scopes.push();
                let mut inner = Vec::new();
                if let Some(init) = init {
                    self.statement(*init, &mut inner);
                }
                let cond = cond.map(|cond| self.condition(cond));
                let step = step.map(|step| self.discarded(step));
                let body = Box::new(self.loop_body(*body));
                self.scopes.pop();
                inner.push(hir::Stmt {
                    loc,
                    kind: hir::StmtKind::For {
                        cond,
                        step,
                        body,
                        unroll: *unroll,
                    },
                });
                hir::StmtKind::Block(inner)
            }
            ast::StmtKind::Goto { label, label_loc } => {
                hir::StmtKind::Goto(self.label(*label, *label_loc, false))
            }
            ast::StmtKind::Label { name, body } => {
                let label = self.label(*name, loc, true);
                out.push(hir::Stmt {
                    loc,
                    kind: hir::StmtKind::Label(label),
                });
                return self.statement(*body, out);
            }
            ast::StmtKind::Continue => {
                if self.func.as_ref().is_none_or(|f| f.continuable == 0) {
                    self.error(loc, "'continue' statement not in loop statement");
                    return;
                }
                hir::StmtKind::Continue
            }
            ast::StmtKind::Break => {
                if self.func.as_ref().is_none_or(|f| f.breakable == 0) {
                    self.error(loc, "'break' statement not in loop or switch statement");
                    return;
                }
                hir::StmtKind::Break
            }
            ast::StmtKind::Return(expr) => match self.return_stmt(*expr, loc) {
                Some(kind) => kind,
                None => return,
            },
        };
        out.push(hir::Stmt { loc, kind });
    }

    /// A statement with a scope of its own, as one statement.
    fn scoped(&mut self, id: ast::StmtId) -> hir::Stmt {
        self.scopes.push();
        let mut out = Vec::new();
        self.statement(id, &mut out);
        self.scopes.pop();
        hir::Stmt {
            loc: self.ast.stmt(id).loc,
            kind: hir::StmtKind::Block(out),
        }
    }

    fn loop_body(&mut self, id: ast::StmtId) -> hir::Stmt {
        if let Some(func) = &mut self.func {
            func.continuable += 1;
            func.breakable += 1;
        }
        let body = self.scoped(id);
        if let Some(func) = &mut self.func {
            func.continuable -= 1;
            func.breakable -= 1;
        }
        body
    }

    /// A controlling expression: a scalar (C99, 6.8.4.1 and 6.8.5; a vector is not one).
    pub(super) fn condition(&mut self, id: ast::ExprId) -> hir::Expr {
        let expr = self.rvalue(id);
        if let hir::ExprKind::Assign { .. } = expr.kind
            && !matches!(self.ast.expr(id).kind, ast::ExprKind::Paren(_))
        {
            self.warn(
                Warning::Parentheses,
                expr.loc,
                "using the result of an assignment as a condition without parentheses",
            );
        }
        self.require_scalar(expr)
    }

    pub(super) fn require_scalar(&mut self, expr: hir::Expr) -> hir::Expr {
        let is_scalar = self.types.as_scalar(expr.ty).is_some()
            || self.types.pointee(expr.ty).is_some()
            || self.types.is_error(expr.ty);
        if is_scalar {
            return expr;
        }
        let text = format!(
            "statement requires expression of scalar type ({} invalid)",
            self.quoted(expr.ty)
        );
        self.fail(expr.loc, text)
    }

    fn switch(&mut self, cond: ast::ExprId, body: ast::StmtId) -> hir::StmtKind {
        let value = self.rvalue(cond);
        let value = match self.types.as_scalar(value.ty) {
            Some(s) if s.is_int() => self.promote(value),
            _ if self.types.is_error(value.ty) => value,
            _ => {
                let text = format!(
                    "statement requires expression of integer type ({} invalid)",
                    self.quoted(value.ty)
                );
                self.fail(value.loc, text)
            }
        };
        let ty = value.ty;
        if let Some(func) = &mut self.func {
            func.breakable += 1;
            func.switches.push(SwitchState {
                ty,
                cases: Vec::new(),
                seen: HashSet::new(),
                default: None,
            });
        }
        let body = Box::new(self.scoped(body));
        let state = self.func.as_mut().and_then(|f| {
            f.breakable -= 1;
            f.switches.pop()
        });
        let (cases, default) = state.map_or((Vec::new(), None), |s| (s.cases, s.default));
        hir::StmtKind::Switch {
            value,
            cases,
            default,
            body,
        }
    }

    fn case(
        &mut self,
        lo: ast::ExprId,
        hi: Option<ast::ExprId>,
        loc: Loc,
        out: &mut Vec<hir::Stmt>,
    ) {
        /// GNU's case ranges are written out.
        const MAX_RANGE: i64 = 4096;
        let first = self.constant_int(lo);
        let last = match hi {
            Some(hi) => self.constant_int(hi),
            None => first,
        };
        let Some(state) = self.func.as_ref().and_then(|f| f.switches.last()) else {
            self.error(loc, "'case' statement not in switch statement");
            return;
        };
        let size = self.types.size(state.ty);
        let (Some(first), Some(last)) = (first, last) else {
            return;
        };
        if last < first {
            self.warning(loc, "empty case range specified");
            return;
        }
        if last.saturating_sub(first) > MAX_RANGE {
            self.error(loc, "case range is too large");
            return;
        }
        let label = self.new_label();
        for v in first..=last {
            let bits = if size == 8 {
                v as u64
            } else {
                u64::from(v as u32)
            };
            let Some(state) = self.func.as_mut().and_then(|f| f.switches.last_mut()) else {
                return;
            };
            if !state.seen.insert(bits) {
                let text = format!("duplicate case value '{v}'");
                self.error(loc, text);
                return;
            }
            state.cases.push((bits, label));
        }
        out.push(hir::Stmt {
            loc,
            kind: hir::StmtKind::Label(label),
        });
    }

    fn default(&mut self, loc: Loc, out: &mut Vec<hir::Stmt>) {
        let label = self.new_label();
        match self.func.as_mut().and_then(|f| f.switches.last_mut()) {
            None => {
                self.error(loc, "'default' statement not in switch statement");
                return;
            }
            Some(state) => {
                if state.default.replace(label).is_some() {
                    self.error(loc, "multiple default labels in one switch");
                    return;
                }
            }
        }
        out.push(hir::Stmt {
            loc,
            kind: hir::StmtKind::Label(label),
        });
    }

    fn new_label(&mut self) -> hir::LabelId {
        let Some(func) = &mut self.func else {
            return hir::LabelId(0);
        };
        func.num_labels += 1;
        hir::LabelId(func.num_labels - 1)
    }

    fn label(&mut self, name: Symbol, loc: Loc, defines: bool) -> hir::LabelId {
        let known = self.func.as_ref().and_then(|f| f.labels.get(&name));
        let (id, was_defined, was_used, place) = match known {
            Some(label) => (label.id, label.defined, label.used, label.loc),
            None => (self.new_label(), false, false, loc),
        };
        if defines && was_defined {
            let text = format!("redefinition of label '{}'", self.name(name));
            self.error(loc, text);
        }
        if let Some(func) = &mut self.func {
            func.labels.insert(
                name,
                LabelState {
                    id,
                    defined: defines || was_defined,
                    used: was_used || !defines,
                    loc: if defines { loc } else { place },
                },
            );
        }
        id
    }

    fn return_stmt(&mut self, expr: Option<ast::ExprId>, loc: Loc) -> Option<hir::StmtKind> {
        let ret = self.func.as_ref()?.ret;
        let returns_void = self.types.is_void(ret);
        match expr {
            None if returns_void => Some(hir::StmtKind::Return(None)),
            None => {
                self.error(loc, "non-void function should return a value");
                None
            }
            Some(expr) => {
                let expr = self.rvalue(expr);
                if let Some(func) = self.func.as_mut().filter(|f| f.infers_result) {
                    func.infers_result = false;
                    func.ret = expr.ty;
                    return Some(hir::StmtKind::Return(Some(expr)));
                }
                if returns_void {
                    if self.types.is_void(expr.ty) {
                        // `return f();` in a void function: GNU allows it.
                        let stmts = vec![hir::Stmt {
                            loc,
                            kind: hir::StmtKind::Expr(expr),
                        }];
                        let then = hir::Stmt {
                            loc,
                            kind: hir::StmtKind::Return(None),
                        };
                        return Some(hir::StmtKind::Block(
                            stmts.into_iter().chain([then]).collect(),
                        ));
                    }
                    if !self.types.is_error(expr.ty) {
                        self.error(loc, "void function should not return a value");
                    }
                    return None;
                }
                let expr = self.coerce(expr, ret, super::convert::Context::Return);
                Some(hir::StmtKind::Return(Some(expr)))
            }
        }
    }
}
