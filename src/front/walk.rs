//! The parts of a node of the typed tree, in the order in which they are evaluated.

use super::hir::{Expr, ExprKind, Init, Place, PlaceKind, Stmt, StmtKind, VarId};
use smallvec::{SmallVec, smallvec};

/// A part of an expression or a place.
#[derive(Clone, Copy)]
pub enum Part<'a> {
    Expr(&'a Expr),
    Place(&'a Place),
    Init(&'a Init),
    Stmt(&'a Stmt),
}

pub type Parts<'a> = SmallVec<[Part<'a>; 4]>;

impl Expr {
    /// Its operands. What is assigned to comes after the value.
    pub fn parts(&self) -> Parts<'_> {
        use ExprKind::*;
        match &self.kind {
            Int(_) | Float(_) => smallvec![],
            Load(place) | AddrOf(place) | IncDec { place, .. } => smallvec![Part::Place(place)],
            Neg(a) | BitNot(a) | Not(a) | Convert(a) | Splat(a) | Bitcast(a) | ToSpace(a)
            | GetFence(a) => {
                smallvec![Part::Expr(a)]
            }
            ConvertBuiltin { arg, .. } | Swizzle { vec: arg, .. } => smallvec![Part::Expr(arg)],
            Binary { a, b, .. }
            | Compare { a, b, .. }
            | PtrDiff { a, b, .. }
            | LogAnd(a, b)
            | LogOr(a, b)
            | Comma(a, b) => smallvec![Part::Expr(a), Part::Expr(b)],
            PtrAdd { ptr, index, .. } => smallvec![Part::Expr(ptr), Part::Expr(index)],
            Cond { cond, then, els } | VectorSelect { cond, then, els } => {
                smallvec![Part::Expr(cond), Part::Expr(then), Part::Expr(els)]
            }
            VectorLit(args)
            | Call { args, .. }
            | Builtin { args, .. }
            | Printf { args, .. }
            | Pipe { args, .. }
            | Device { args, .. } => args.iter().map(Part::Expr).collect(),
            Assign { place, value } | CompoundAssign { place, value, .. } => {
                smallvec![Part::Expr(value), Part::Place(place)]
            }
            StmtExpr { stmts, value } => {
                let stmts = stmts.iter().map(Part::Stmt);
                stmts.chain(value.iter().map(|v| Part::Expr(v))).collect()
            }
        }
    }
}

impl Place {
    pub fn parts(&self) -> Parts<'_> {
        match &self.kind {
            PlaceKind::Var(_) | PlaceKind::Global(_) => smallvec![],
            PlaceKind::Deref(pointer) => smallvec![Part::Expr(pointer)],
            PlaceKind::Field { base, .. } | PlaceKind::Swizzle { base, .. } => {
                smallvec![Part::Place(base)]
            }
            PlaceKind::Temp(value) => smallvec![Part::Expr(value)],
            PlaceKind::Literal { init, .. } => smallvec![Part::Init(init)],
        }
    }

    /// The variable that the place is, or is a part of.
    pub fn root(&self) -> Option<VarId> {
        match &self.kind {
            PlaceKind::Var(var) | PlaceKind::Literal { var, .. } => Some(*var),
            PlaceKind::Field { base, .. } | PlaceKind::Swizzle { base, .. } => base.root(),
            PlaceKind::Global(_) | PlaceKind::Deref(_) | PlaceKind::Temp(_) => None,
        }
    }
}

impl Init {
    pub fn parts(&self) -> Parts<'_> {
        match self {
            Init::Value(value) => smallvec![Part::Expr(value)],
            Init::Parts { parts, .. } => parts.iter().map(|p| Part::Expr(&p.value)).collect(),
        }
    }
}

impl Stmt {
    /// Conditions, steps and inner statements; a loop's parts once each.
    pub fn parts(&self) -> Parts<'_> {
        match &self.kind {
            StmtKind::Block(stmts) => stmts.iter().map(Part::Stmt).collect(),
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => smallvec![Part::Expr(expr)],
            StmtKind::Decl { init, .. } => init.iter().map(Part::Init).collect(),
            StmtKind::If { cond, then, els } => {
                let mut parts: Parts = smallvec![Part::Expr(cond), Part::Stmt(then)];
                parts.extend(els.iter().map(|els| Part::Stmt(els)));
                parts
            }
            StmtKind::Switch { value, body, .. } => smallvec![Part::Expr(value), Part::Stmt(body)],
            StmtKind::While { cond, body, .. } => smallvec![Part::Expr(cond), Part::Stmt(body)],
            StmtKind::Do { body, cond, .. } => smallvec![Part::Stmt(body), Part::Expr(cond)],
            StmtKind::For {
                cond, step, body, ..
            } => {
                let mut parts: Parts = cond.iter().map(Part::Expr).collect();
                parts.push(Part::Stmt(body));
                parts.extend(step.iter().map(Part::Expr));
                parts
            }
            StmtKind::Label(_)
            | StmtKind::Goto(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(None) => smallvec![],
        }
    }
}

impl<'a> Part<'a> {
    pub fn parts(self) -> Parts<'a> {
        match self {
            Part::Expr(expr) => expr.parts(),
            Part::Place(place) => place.parts(),
            Part::Init(init) => init.parts(),
            Part::Stmt(stmt) => stmt.parts(),
        }
    }

    /// Whether the predicate holds for it or for any part below.
    pub fn any(self, holds: &mut impl FnMut(Part<'a>) -> bool) -> bool {
        holds(self) || self.parts().into_iter().any(|part| part.any(holds))
    }
}
