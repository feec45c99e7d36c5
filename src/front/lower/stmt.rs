//! Statements.

use super::super::hir::{Expr, LabelId, Stmt, StmtKind};
use super::function::{Exits, FunctionLowerer};
use crate::ir::{Block, BlockCall, Terminator, Unroll, Value};

impl<'m> FunctionLowerer<'_, 'm> {
    pub fn stmts(&mut self, stmts: &'m [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    /// Afterwards there may be no current block.
    pub fn stmt(&mut self, stmt: &'m Stmt) {
        if let StmtKind::Label(label) = stmt.kind {
            let block = self.label(label);
            self.fall_into(block);
            return;
        }
        self.revive();
        self.set_loc(stmt.loc);
        match &stmt.kind {
            StmtKind::Block(stmts) => self.block(stmts, stmt.loc),
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Decl { var, init } => {
                if self.b.func.debug.is_some() {
                    self.var_addr(*var);
                }
                if let Some(init) = init {
                    self.init_var(*var, init);
                }
            }
            StmtKind::If { cond, then, els } => self.if_chain(cond, then, els.as_deref()),
            StmtKind::Switch {
                value,
                cases,
                default,
                body,
            } => self.switch(value, cases, *default, body),
            StmtKind::While { cond, body, unroll } => self.while_loop(cond, body, *unroll),
            StmtKind::Do { body, cond, unroll } => self.do_loop(body, cond, *unroll),
            StmtKind::For {
                cond,
                step,
                body,
                unroll,
            } => self.for_loop(cond.as_ref(), step.as_ref(), body, *unroll),
            StmtKind::Label(_) => {}
            StmtKind::Goto(label) => {
                let block = self.label(*label);
                self.b.jump(block, Vec::new());
            }
            StmtKind::Break => self.leave(self.exits.break_to),
            StmtKind::Continue => self.leave(self.exits.continue_to),
            StmtKind::Return(value) => self.return_value(value.as_ref()),
        }
    }

    fn leave(&mut self, target: Option<Block>) {
        match target {
            Some(block) => self.b.jump(block, Vec::new()),
            None => unreachable!("sema reports a break or continue outside of loops"),
        }
    }

    /// A chain of `else if` costs no stack.
    fn if_chain(&mut self, cond: &'m Expr, then: &'m Stmt, els: Option<&'m Stmt>) {
        let end = self.b.add_block();
        let (mut cond, mut then, mut els) = (cond, then, els);
        loop {
            let then_block = self.b.add_block();
            let else_block = match els {
                Some(_) => self.b.add_block(),
                None => end,
            };
            self.branch_on(cond, (then_block, Vec::new()), (else_block, Vec::new()));
            self.b.switch_to(then_block);
            self.stmt(then);
            if !self.b.is_terminated() {
                self.b.jump(end, Vec::new());
            }
            let Some(stmt) = els else {
                break;
            };
            self.b.switch_to(else_block);
            if let StmtKind::If {
                cond: c,
                then: t,
                els: e,
            } = &stmt.kind
            {
                self.set_loc(stmt.loc);
                (cond, then, els) = (c, t, e.as_deref());
            } else {
                self.stmt(stmt);
                if !self.b.is_terminated() {
                    self.b.jump(end, Vec::new());
                }
                break;
            }
        }
        self.b.switch_to(end);
    }

    fn switch(
        &mut self,
        value: &'m Expr,
        cases: &'m [(u64, LabelId)],
        default: Option<LabelId>,
        body: &'m Stmt,
    ) {
        let value = self.value(value);
        let end = self.b.add_block();
        let mask = bit_mask(self.b.func.ty(value).elem.bits());
        let mut call = |label: LabelId| BlockCall {
            block: self.label(label),
            args: Vec::new(),
        };
        let cases: Vec<(u64, BlockCall)> = cases
            .iter()
            .map(|&(bits, label)| (bits & mask, call(label)))
            .collect();
        let default = match default {
            Some(label) => call(label),
            None => BlockCall {
                block: end,
                args: Vec::new(),
            },
        };
        self.b.terminate(Terminator::Switch {
            value,
            cases,
            default,
        });
        let exits = Exits {
            break_to: Some(end),
            ..self.exits
        };
        self.body(body, exits);
        self.fall_into(end);
    }

    fn body(&mut self, body: &'m Stmt, exits: Exits) {
        let outer = std::mem::replace(&mut self.exits, exits);
        self.stmt(body);
        self.exits = outer;
    }

    fn while_loop(&mut self, cond: &'m Expr, body: &'m Stmt, unroll: Option<Unroll>) {
        let head = self.b.add_block();
        let inside = self.b.add_block();
        let end = self.b.add_block();
        self.fall_into(head);
        self.b.set_unroll(unroll);
        self.branch_on(cond, (inside, Vec::new()), (end, Vec::new()));
        self.b.switch_to(inside);
        let exits = Exits {
            break_to: Some(end),
            continue_to: Some(head),
        };
        self.body(body, exits);
        if !self.b.is_terminated() {
            self.b.jump(head, Vec::new());
        }
        self.b.switch_to(end);
    }

    fn do_loop(&mut self, body: &'m Stmt, cond: &'m Expr, unroll: Option<Unroll>) {
        let head = self.b.add_block();
        let test = self.b.add_block();
        let end = self.b.add_block();
        self.fall_into(head);
        self.b.set_unroll(unroll);
        let exits = Exits {
            break_to: Some(end),
            continue_to: Some(test),
        };
        self.body(body, exits);
        self.fall_into(test);
        self.set_loc(cond.loc);
        self.branch_on(cond, (head, Vec::new()), (end, Vec::new()));
        self.b.switch_to(end);
    }

    fn for_loop(
        &mut self,
        cond: Option<&'m Expr>,
        step: Option<&'m Expr>,
        body: &'m Stmt,
        unroll: Option<Unroll>,
    ) {
        let head = self.b.add_block();
        let inside = self.b.add_block();
        let next = self.b.add_block();
        let end = self.b.add_block();
        self.fall_into(head);
        self.b.set_unroll(unroll);
        match cond {
            Some(cond) => self.branch_on(cond, (inside, Vec::new()), (end, Vec::new())),
            None => self.b.jump(inside, Vec::new()),
        }
        self.b.switch_to(inside);
        let exits = Exits {
            break_to: Some(end),
            continue_to: Some(next),
        };
        self.body(body, exits);
        self.fall_into(next);
        if let Some(step) = step {
            self.effect(step);
            self.set_loc(step.loc);
        }
        self.b.jump(head, Vec::new());
        self.b.switch_to(end);
    }

    fn return_value(&mut self, value: Option<&'m Expr>) {
        let result: Option<Value> = match (value, self.result_ptr) {
            (None, _) => None,
            (Some(value), Some(ptr)) => {
                self.aggregate(value, ptr);
                None
            }
            (Some(value), None) if self.types.ir(value.ty).is_some() => Some(self.value(value)),
            (Some(value), None) => {
                self.effect(value);
                None
            }
        };
        match (self.b.func.ret, result) {
            // `return;` in a function with a result: using it is undefined (C99, 6.9.1 p12).
            (Some(_), None) => self.b.terminate(Terminator::Unreachable),
            (_, result) => self.b.ret(result),
        }
    }
}

/// The low `bits` bits.
pub(super) fn bit_mask(bits: u32) -> u64 {
    if bits >= 64 {
        u64::MAX
    } else {
        (1 << bits) - 1
    }
}
