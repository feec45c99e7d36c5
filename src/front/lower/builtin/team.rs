//! What the work-items of a group or sub-group do together (OpenCL C 3.0, 6.15.16 and 6.15.19): each call becomes a
//! collective, and for some functions a little arithmetic around it.

use super::super::super::hir::Expr;
use super::super::super::types::{Scalar, TypeId};
use super::super::function::FunctionLowerer;
use crate::builtins::{FoldKind, TeamFunction, TeamOp, Whose};
use crate::ir::types::{I32, I64};
use crate::ir::{BinaryOp, BlockCall, CastOp, Collective, IntCC, Team, Terminator, Value};

impl<'m> FunctionLowerer<'_, 'm> {
    pub(super) fn team(&mut self, function: TeamFunction, args: &'m [Expr], ty: TypeId) -> Value {
        let values: Vec<Value> = args.iter().map(|arg| self.value(arg)).collect();
        let team = match function.whose {
            Whose::Group => Team::Group,
        };
        let scalar = self.scalar_of(ty);
        match function.op {
            TeamOp::All => self.vote(team, Collective::All, values[0]),
            TeamOp::Any => self.vote(team, Collective::Any, values[0]),
            TeamOp::Broadcast => {
                let zero = self.b.iconst(I64, 0);
                let mut operands = values;
                operands.resize(4, zero);
                self.collective(team, Collective::Broadcast, operands)
            }
            TeamOp::Reduce(kind) => self.fold(team, Collective::Reduce, kind, scalar, values[0]),
            TeamOp::ScanInclusive(kind) => {
                self.fold(team, Collective::ScanInclusive, kind, scalar, values[0])
            }
            TeamOp::ScanExclusive(kind) => {
                self.fold(team, Collective::ScanExclusive, kind, scalar, values[0])
            }
        }
    }

    /// A predicate is an int.
    fn vote(&mut self, team: Team, op: Collective, predicate: Value) -> Value {
        self.collective(team, op, vec![predicate])
    }

    fn fold(
        &mut self,
        team: Team,
        form: fn(BinaryOp) -> Collective,
        kind: FoldKind,
        scalar: Scalar,
        value: Value,
    ) -> Value {
        let (float, signed) = (scalar.is_float(), scalar.is_signed());
        let by_sign = |f: BinaryOp, s: BinaryOp, u: BinaryOp| match (float, signed) {
            (true, _) => f,
            (_, true) => s,
            _ => u,
        };
        let op = match kind {
            FoldKind::Add => by_sign(BinaryOp::FAdd, BinaryOp::Add, BinaryOp::Add),
            FoldKind::Mul => by_sign(BinaryOp::FMul, BinaryOp::Mul, BinaryOp::Mul),
            FoldKind::Min => by_sign(BinaryOp::FMin, BinaryOp::SMin, BinaryOp::UMin),
            FoldKind::Max => by_sign(BinaryOp::FMax, BinaryOp::SMax, BinaryOp::UMax),
            FoldKind::And | FoldKind::LogicalAnd => BinaryOp::And,
            FoldKind::Or | FoldKind::LogicalOr => BinaryOp::Or,
            FoldKind::Xor | FoldKind::LogicalXor => BinaryOp::Xor,
        };
        let logical = matches!(
            kind,
            FoldKind::LogicalAnd | FoldKind::LogicalOr | FoldKind::LogicalXor
        );
        if !logical {
            return self.collective(team, form(op), vec![value]);
        }
        // The identity of `and` is all ones, which is true as well.
        let value = self.one_if_set(value);
        let result = self.collective(team, form(op), vec![value]);
        self.one_if_set(result)
    }

    /// 1 if it is not 0, as an int.
    fn one_if_set(&mut self, value: Value) -> Value {
        let ty = self.b.func.ty(value);
        let zero = self.b.iconst(ty, 0);
        let truth = self.b.icmp(IntCC::Ne, value, zero);
        self.b.cast(CastOp::ZExt, truth, I32)
    }

    /// Ends the block; goes on in one that has the result.
    fn collective(&mut self, team: Team, op: Collective, args: Vec<Value>) -> Value {
        let next = self.b.add_block();
        let ty = self.b.func.ty(args[0]);
        let result = self.b.func.add_param(next, ty);
        let line = self.b.loc().line;
        self.b.terminate(Terminator::Collective {
            team,
            op,
            args,
            line,
            next: BlockCall {
                block: next,
                args: Vec::new(),
            },
        });
        self.b.switch_to(next);
        result
    }
}
