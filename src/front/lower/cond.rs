//! Conditions: control flow straight from comparisons, `&&`, `||` and `!`, without a detour by integers.

use super::super::hir::{Compare, Expr, ExprKind};
use super::super::types::TypeKind;
use super::function::FunctionLowerer;
use crate::ir::types::I1;
use crate::ir::{BinaryOp, Block, FloatCC, IntCC, UnaryOp, Value};

/// A block and the arguments for its parameters.
pub(super) type Target = (Block, Vec<Value>);

impl<'m> FunctionLowerer<'_, 'm> {
    /// Jumps to `then` if the scalar `cond` is unequal to 0, else to `els`. Afterwards there is no current block.
    pub fn branch_on(&mut self, cond: &'m Expr, then: Target, els: Target) {
        match &cond.kind {
            ExprKind::Int(bits) => {
                let (block, args) = if *bits != 0 { then } else { els };
                self.b.jump(block, args);
            }
            ExprKind::Not(arg) => self.branch_on(arg, els, then),
            ExprKind::LogAnd(a, b) if !self.at_once(a, b) => {
                let both = self.b.add_block();
                self.branch_on(a, (both, Vec::new()), els.clone());
                self.b.switch_to(both);
                self.branch_on(b, then, els);
            }
            ExprKind::LogOr(a, b) if !self.at_once(a, b) => {
                let neither = self.b.add_block();
                self.branch_on(a, then.clone(), (neither, Vec::new()));
                self.b.switch_to(neither);
                self.branch_on(b, then, els);
            }
            ExprKind::Comma(first, second) => {
                self.effect(first);
                self.branch_on(second, then, els);
            }
            _ => {
                let cond = self.condition(cond);
                self.b.branch(cond, then, els);
            }
        }
    }

    /// Whether a scalar is unequal to 0, as an `i1`.
    pub fn condition(&mut self, e: &'m Expr) -> Value {
        match &e.kind {
            ExprKind::Compare { op, a, b } if self.types.as_vector(a.ty).is_none() => {
                self.compare(*op, a, b)
            }
            ExprKind::Not(arg) => {
                let value = self.condition(arg);
                self.b.unary(UnaryOp::Not, value)
            }
            ExprKind::LogAnd(a, b) => self.short_circuit(a, b, false),
            ExprKind::LogOr(a, b) => self.short_circuit(a, b, true),
            // A conversion that keeps every value but 0 unequal to 0.
            ExprKind::Convert(arg) if self.keeps_truth(arg, e) => self.condition(arg),
            _ => {
                let value = self.value(e);
                self.is_nonzero(value)
            }
        }
    }

    /// Between integers, none narrower than the operand; to bool from any scalar.
    fn keeps_truth(&self, from: &Expr, to: &Expr) -> bool {
        match (self.types.as_scalar(from.ty), self.types.as_scalar(to.ty)) {
            (Some(from), Some(to)) => {
                to == super::super::types::Scalar::Bool
                    || from.is_int() && to.is_int() && from.size() <= to.size()
            }
            _ => false,
        }
    }

    /// Whether `a && b` is better computed than branched on: `b` may be evaluated anyway, and `a` takes no branches.
    fn at_once(&self, a: &Expr, b: &Expr) -> bool {
        let branches = matches!(a.kind, ExprKind::LogAnd(..) | ExprKind::LogOr(..));
        self.is_cheap(b) && (!branches || self.is_cheap(a))
    }

    /// `a || b` if `or`, else `a && b`.
    fn short_circuit(&mut self, a: &'m Expr, b: &'m Expr, or: bool) -> Value {
        if self.at_once(a, b) {
            let a = self.condition(a);
            let b = self.condition(b);
            let op = if or { BinaryOp::Or } else { BinaryOp::And };
            return self.b.binary(op, a, b);
        }
        let rest = self.b.add_block();
        let end = self.b.add_block();
        let result = self.b.add_param(end, I1);
        let known = self.b.iconst(I1, u64::from(or));
        let (rest_call, end_call) = ((rest, Vec::new()), (end, vec![known]));
        if or {
            self.branch_on(a, end_call, rest_call);
        } else {
            self.branch_on(a, rest_call, end_call);
        }
        self.b.switch_to(rest);
        let value = self.condition(b);
        self.b.jump(end, vec![value]);
        self.b.switch_to(end);
        result
    }

    pub fn is_nonzero(&mut self, value: Value) -> Value {
        let ty = self.b.func.ty(value);
        if ty.elem.is_float() {
            let zero = self.b.fconst(ty, 0.0);
            self.b.fcmp(FloatCC::Une, value, zero)
        } else {
            let zero = self.b.iconst(ty, 0);
            self.b.icmp(IntCC::Ne, value, zero)
        }
    }

    /// Lanes of `i1`.
    pub fn compare(&mut self, op: Compare, a: &'m Expr, b: &'m Expr) -> Value {
        let signed = match self.types.arith(a.ty) {
            Some((scalar, _)) if scalar.is_float() => {
                let cc = match op {
                    Compare::Eq => FloatCC::Oeq,
                    Compare::Ne => FloatCC::Une,
                    Compare::Lt => FloatCC::Olt,
                    Compare::Le => FloatCC::Ole,
                    Compare::Gt => FloatCC::Ogt,
                    Compare::Ge => FloatCC::Oge,
                };
                let (a, b) = (self.value(a), self.value(b));
                return self.b.fcmp(cc, a, b);
            }
            Some((scalar, _)) => scalar.is_signed(),
            None => false,
        };
        let cc = match (op, signed) {
            (Compare::Eq, _) => IntCC::Eq,
            (Compare::Ne, _) => IntCC::Ne,
            (Compare::Lt, true) => IntCC::Slt,
            (Compare::Le, true) => IntCC::Sle,
            (Compare::Gt, true) => IntCC::Sgt,
            (Compare::Ge, true) => IntCC::Sge,
            (Compare::Lt, false) => IntCC::Ult,
            (Compare::Le, false) => IntCC::Ule,
            (Compare::Gt, false) => IntCC::Ugt,
            (Compare::Ge, false) => IntCC::Uge,
        };
        let pointers = matches!(self.types.kind(a.ty), TypeKind::Pointer(_));
        let (a, mut b) = (self.value(a), self.value(b));
        if pointers {
            let ty = self.b.func.ty(a);
            b = self.in_space(b, ty);
        }
        self.b.icmp(cc, a, b)
    }
}
