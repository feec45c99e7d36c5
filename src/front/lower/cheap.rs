//! Which expressions may be evaluated although nobody needs their value: no side effects, no memory that could
//! fault or be slow, and little work. `&&`, `||` and `?:` over such expressions need no branches.

use super::super::hir::{BinaryOp, Expr, ExprKind, Place, PlaceKind};
use super::function::FunctionLowerer;
use crate::ir::AddrSpace;

/// How many operations an expression may take.
const BUDGET: u32 = 8;

impl FunctionLowerer<'_, '_> {
    pub fn is_cheap(&self, e: &Expr) -> bool {
        self.types.ir(e.ty).is_some() && self.cost(e, BUDGET).is_some()
    }

    /// What is left of the budget after `e`; `None` if it is too dear.
    fn cost(&self, e: &Expr, budget: u32) -> Option<u32> {
        let budget = budget.checked_sub(1)?;
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => Some(budget + 1),
            ExprKind::Load(place) => self.is_plain_variable(place).then_some(budget + 1),
            ExprKind::Neg(arg)
            | ExprKind::BitNot(arg)
            | ExprKind::Not(arg)
            | ExprKind::Convert(arg)
            | ExprKind::Splat(arg)
            | ExprKind::Bitcast(arg)
            | ExprKind::Swizzle { vec: arg, .. } => self.cost(arg, budget),
            ExprKind::Binary { op, a, b } => match op {
                BinaryOp::Div | BinaryOp::Rem => None,
                _ => self.cost(b, self.cost(a, budget)?),
            },
            ExprKind::PtrAdd { ptr, index, .. } => self.cost(index, self.cost(ptr, budget)?),
            ExprKind::Compare { a, b, .. } | ExprKind::LogAnd(a, b) | ExprKind::LogOr(a, b) => {
                self.cost(b, self.cost(a, budget)?)
            }
            ExprKind::Cond { cond, then, els } | ExprKind::VectorSelect { cond, then, els } => {
                let left = self.cost(then, self.cost(cond, budget)?)?;
                self.cost(els, left)
            }
            _ => None,
        }
    }

    fn is_plain_variable(&self, place: &Place) -> bool {
        let PlaceKind::Var(id) = place.kind else {
            return false;
        };
        let ty = self.var(id).ty;
        ty.space == AddrSpace::Private
            && !ty.is_volatile
            && !place.ty.is_volatile
            && self.types.ir(ty.ty).is_some()
    }
}
