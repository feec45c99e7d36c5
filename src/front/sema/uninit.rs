//! Variables that are read where no assignment can have come before, on any path.
//!
//! Forward over the structured tree: the set of variables that may have a value. A warning needs a read outside that
//! set, so that what is uncertain is silent: an address that is taken counts as an assignment, everything that a loop
//! assigns anywhere counts from its head on, and functions with `goto` are left alone.

use crate::front::diag::Diagnostics;
use crate::front::hir::{self, Expr, ExprKind, Place, Stmt, StmtKind, VarId};
use crate::front::walk::{Part, Parts};
use crate::front::warn::Warning;

/// A function with more variables than this is not looked at: every branch copies the set.
const MAX_VARS: usize = 4096;

/// Warns about the reads in a function's body.
pub(super) fn check(body: &[Stmt], vars: &[hir::Var], diags: &mut Diagnostics) {
    if vars.len() > MAX_VARS {
        return;
    }
    let mut has_goto =
        |part: Part| matches!(part, Part::Stmt(s) if matches!(s.kind, StmtKind::Goto(_)));
    if body.iter().any(|s| Part::Stmt(s).any(&mut has_goto)) {
        return;
    }
    let mut walk = Walk {
        vars,
        diags,
        now: State {
            reached: true,
            unassigned: vec![0; vars.len().div_ceil(64)],
        },
        switches: Vec::new(),
    };
    for stmt in body {
        walk.stmt(stmt);
    }
}

/// What holds before a point of the program. Where nothing arrives, nothing is wrong.
#[derive(Clone)]
struct State {
    reached: bool,
    /// A bit for each variable that surely has no value.
    unassigned: Vec<u64>,
}

struct Walk<'a> {
    vars: &'a [hir::Var],
    diags: &'a mut Diagnostics,
    now: State,
    /// What holds before the open switches, the innermost last.
    switches: Vec<State>,
}

impl State {
    fn join(&mut self, other: &State) {
        if !self.reached {
            *self = other.clone();
        } else if other.reached {
            let pairs = self.unassigned.iter_mut().zip(&other.unassigned);
            pairs.for_each(|(a, b)| *a &= b);
        }
    }

    fn is_unassigned(&self, VarId(var): VarId) -> bool {
        self.unassigned[var as usize / 64] >> (var % 64) & 1 != 0
    }

    fn assign(&mut self, VarId(var): VarId) {
        self.unassigned[var as usize / 64] &= !(1 << (var % 64));
    }

    fn forget(&mut self, VarId(var): VarId) {
        self.unassigned[var as usize / 64] |= 1 << (var % 64);
    }
}

impl Walk<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Decl { var, init: None } => self.now.forget(*var),
            StmtKind::Decl {
                var,
                init: Some(init),
            } => {
                // `int x = x;` is the way to say that a variable without a value is meant.
                let itself = matches!(init, hir::Init::Value(Expr { kind: ExprKind::Load(place), .. })
                    if matches!(place.kind, hir::PlaceKind::Var(v) if v == *var));
                if !itself {
                    self.parts(init.parts());
                }
                self.now.assign(*var);
            }
            StmtKind::If { cond, then, els } => {
                self.expr(cond);
                let before = self.now.clone();
                self.stmt(then);
                let after_then = std::mem::replace(&mut self.now, before);
                if let Some(els) = els {
                    self.stmt(els);
                }
                self.now.join(&after_then);
            }
            StmtKind::While { .. } | StmtKind::Do { .. } | StmtKind::For { .. } => {
                self.assume_assigned(stmt);
                let before = self.now.clone();
                self.parts(stmt.parts());
                self.now = before;
            }
            StmtKind::Switch { value, body, .. } => {
                self.expr(value);
                let before = self.now.clone();
                self.switches.push(before.clone());
                self.now.reached = false;
                self.stmt(body);
                self.switches.pop();
                self.now = before;
                self.assume_assigned(body);
            }
            StmtKind::Label(_) => {
                if let Some(before) = self.switches.last() {
                    self.now.join(before);
                }
            }
            StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) => self.now.reached = false,
            StmtKind::Return(_) => {
                self.parts(stmt.parts());
                self.now.reached = false;
            }
            StmtKind::Block(_) | StmtKind::Expr(_) => self.parts(stmt.parts()),
        }
    }

    fn parts(&mut self, parts: Parts<'_>) {
        for part in parts {
            match part {
                Part::Expr(expr) => self.expr(expr),
                Part::Place(place) => self.parts(place.parts()),
                Part::Init(init) => self.parts(init.parts()),
                Part::Stmt(stmt) => self.stmt(stmt),
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Load(place) => {
                self.parts(place.parts());
                self.read(place);
            }
            ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                self.expr(a);
                let before = self.now.clone();
                self.expr(b);
                self.now.join(&before);
            }
            ExprKind::Cond { cond, then, els } => {
                self.expr(cond);
                let before = self.now.clone();
                self.expr(then);
                let after_then = std::mem::replace(&mut self.now, before);
                self.expr(els);
                self.now.join(&after_then);
            }
            ExprKind::CompoundAssign { place, .. } | ExprKind::IncDec { place, .. } => {
                self.parts(expr.parts());
                self.read(place);
                self.assign(place);
            }
            ExprKind::Assign { place, .. } | ExprKind::AddrOf(place) => {
                self.parts(expr.parts());
                self.assign(place);
            }
            _ => self.parts(expr.parts()),
        }
    }

    fn assign(&mut self, place: &Place) {
        if let Some(var) = place.root() {
            self.now.assign(var);
        }
    }

    fn read(&mut self, place: &Place) {
        let Some(var) = place.root() else {
            return;
        };
        if !self.now.reached || !self.now.is_unassigned(var) {
            return;
        }
        // One warning for a variable.
        self.now.assign(var);
        let declared = &self.vars[var.0 as usize];
        let text = format!("variable '{}' is read before it has a value", declared.name);
        self.diags.warn(Warning::Uninitialized, place.loc, text);
        let text = format!("'{}' is declared here without a value", declared.name);
        self.diags.note(declared.loc, text);
    }

    /// Everything that a statement may assign anywhere.
    fn assume_assigned(&mut self, stmt: &Stmt) {
        let now = &mut self.now;
        Part::Stmt(stmt).any(&mut |part| {
            if let Part::Expr(expr) = part
                && let ExprKind::Assign { place, .. }
                | ExprKind::CompoundAssign { place, .. }
                | ExprKind::IncDec { place, .. }
                | ExprKind::AddrOf(place) = &expr.kind
                && let Some(var) = place.root()
            {
                now.assign(var);
            }
            false
        });
    }
}
