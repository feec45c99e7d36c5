//! What the work-items of a group or sub-group do together (OpenCL C 3.0, 6.15.16 and 6.15.19): each call becomes a
//! collective, and for some functions a little arithmetic around it.

use super::super::super::hir::{Expr, ExprKind};
use super::super::super::types::{Scalar, TypeId};
use super::super::function::FunctionLowerer;
use crate::builtins::{BallotPart, FoldKind, Index, TeamFunction, TeamOp, Whose};
use crate::ir::types::{I32, I64};
use crate::ir::{
    BinaryOp, BlockCall, CastOp, Collective, FloatCC, IntCC, Team, Terminator, UnaryOp, Value,
    WorkItemQuery,
};

impl<'m> FunctionLowerer<'_, 'm> {
    pub(super) fn team(&mut self, function: TeamFunction, args: &'m [Expr], ty: TypeId) -> Value {
        let values: Vec<Value> = args.iter().map(|arg| self.value(arg)).collect();
        let team = match function.whose {
            Whose::Group => Team::Group,
            Whose::SubGroup => Team::SubGroup,
            Whose::Cluster => Team::Cluster(constant(args.last())),
        };
        let scalar = self.scalar_of(ty);
        match function.op {
            TeamOp::All => self.collective(team, Collective::All, values),
            TeamOp::Any => self.collective(team, Collective::Any, values),
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
            TeamOp::Pick(index) => {
                let from = self.index(index, &values, args);
                self.pick_lane(values[0], from)
            }
            TeamOp::AllEqual => {
                let first = self.first_active();
                let first = self.pick_lane(values[0], first);
                let equal = match self.b.func.ty(first).elem.is_float() {
                    true => self.b.fcmp(FloatCC::Oeq, values[0], first),
                    false => self.b.icmp(IntCC::Eq, values[0], first),
                };
                let equal = self.b.cast(CastOp::ZExt, equal, I32);
                self.collective(team, Collective::All, vec![equal])
            }
            TeamOp::Elect => {
                let (first, own) = (self.first_active(), self.sub_group_local_id());
                let is_first = self.b.icmp(IntCC::Eq, first, own);
                self.b.cast(CastOp::ZExt, is_first, I32)
            }
            TeamOp::Ballot => {
                let predicate = self.b.cast(CastOp::SExt, values[0], I64);
                let bits = self.collective(team, Collective::Ballot, vec![predicate]);
                self.mask_of_bits(bits)
            }
            TeamOp::OfBallot(part) => self.of_ballot(part, &values),
        }
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

    /// The value of the work-item of the sub-group with that place (`i32`); of vectors component by component.
    fn pick_lane(&mut self, value: Value, from: Value) -> Value {
        let lanes = self.b.func.ty(value).lanes;
        if lanes == 1 {
            return self.collective(Team::SubGroup, Collective::Shuffle, vec![value, from]);
        }
        let picked = (0..lanes).map(|lane| {
            let component = self.b.extract(value, lane);
            self.collective(Team::SubGroup, Collective::Shuffle, vec![component, from])
        });
        let picked = picked.collect();
        self.b.build_vector(picked)
    }

    /// Whose value a work-item gets; what is beyond the sub-group is taken modulo its full size.
    fn index(&mut self, index: Index, values: &[Value], args: &'m [Expr]) -> Value {
        if index == Index::First {
            return self.first_active();
        }
        let by = values[1];
        if index == Index::Argument {
            return by;
        }
        let own = self.sub_group_local_id();
        match index {
            Index::Xor => self.b.binary(BinaryOp::Xor, own, by),
            Index::Up => self.b.binary(BinaryOp::Sub, own, by),
            Index::RotateInCluster => {
                let low = u64::from(constant(args.last())).wrapping_sub(1);
                let low = self.b.iconst(I32, low & 0xffff_ffff);
                let high = self.b.unary(UnaryOp::Not, low);
                let sum = self.b.binary(BinaryOp::Add, own, by);
                let within = self.b.binary(BinaryOp::And, sum, low);
                let first = self.b.binary(BinaryOp::And, own, high);
                self.b.binary(BinaryOp::Or, first, within)
            }
            _ => self.b.binary(BinaryOp::Add, own, by),
        }
    }

    fn sub_group_local_id(&mut self) -> Value {
        let id = self.b.work_item(WorkItemQuery::SubGroupLocalId, 0);
        self.b.cast(CastOp::Trunc, id, I32)
    }

    /// The lowest place in the sub-group of those work-items that are here.
    fn first_active(&mut self) -> Value {
        let one = self.b.iconst(I64, 1);
        let active = self.collective(Team::SubGroup, Collective::Ballot, vec![one]);
        let first = self.b.unary(UnaryOp::Ctz, active);
        self.b.cast(CastOp::Trunc, first, I32)
    }

    /// A ballot as OpenCL C has it: a `uint4`.
    fn mask_of_bits(&mut self, bits: Value) -> Value {
        let half = self.b.iconst(I64, 32);
        let high = self.b.binary(BinaryOp::LShr, bits, half);
        let [low, high] = [bits, high].map(|word| self.b.cast(CastOp::Trunc, word, I32));
        let zero = self.b.iconst(I32, 0);
        self.b.build_vector(vec![low, high, zero, zero])
    }

    /// The bits of a ballot that can be of work-items.
    fn bits_of_mask(&mut self, mask: Value) -> Value {
        let [low, high] = [0, 1].map(|n| {
            let word = self.b.extract(mask, n);
            self.b.cast(CastOp::ZExt, word, I64)
        });
        let half = self.b.iconst(I64, 32);
        let high = self.b.binary(BinaryOp::Shl, high, half);
        self.b.binary(BinaryOp::Or, low, high)
    }

    /// All ones below the place `end` (1 to 64).
    fn ones_below(&mut self, end: Value) -> Value {
        let ones = self.b.iconst(I64, u64::MAX);
        let width = self.b.iconst(I64, 64);
        let unused = self.b.binary(BinaryOp::Sub, width, end);
        self.b.binary(BinaryOp::LShr, ones, unused)
    }

    fn of_ballot(&mut self, part: BallotPart, values: &[Value]) -> Value {
        let own = self.b.work_item(WorkItemQuery::SubGroupLocalId, 0);
        let size = self.b.work_item(WorkItemQuery::MaxSubGroupSize, 0);
        let one = self.b.iconst(I64, 1);
        let bit = self.b.binary(BinaryOp::Shl, one, own);
        let all = self.ones_below(size);
        let before = self.b.binary(BinaryOp::Sub, bit, one);
        let upto = self.b.binary(BinaryOp::Or, before, bit);
        let without = |this: &mut Self, mask: Value| {
            let not = this.b.unary(UnaryOp::Not, mask);
            this.b.binary(BinaryOp::And, all, not)
        };
        match part {
            BallotPart::MaskEq => return self.mask_of_bits(bit),
            BallotPart::MaskLe => return self.mask_of_bits(upto),
            BallotPart::MaskLt => return self.mask_of_bits(before),
            BallotPart::MaskGe => {
                let mask = without(self, before);
                return self.mask_of_bits(mask);
            }
            BallotPart::MaskGt => {
                let mask = without(self, upto);
                return self.mask_of_bits(mask);
            }
            _ => {}
        }
        let bits = self.bits_of_mask(values[0]);
        let within = self.b.binary(BinaryOp::And, bits, all);
        let result = match part {
            BallotPart::Own | BallotPart::Extract => {
                let at = match part {
                    BallotPart::Own => own,
                    _ => self.b.cast(CastOp::ZExt, values[1], I64),
                };
                let bits = self.b.binary(BinaryOp::LShr, bits, at);
                self.b.binary(BinaryOp::And, bits, one)
            }
            BallotPart::FindLsb => self.b.unary(UnaryOp::Ctz, within),
            BallotPart::FindMsb => {
                let top = self.b.iconst(I64, 63);
                let leading = self.b.unary(UnaryOp::Clz, within);
                self.b.binary(BinaryOp::Sub, top, leading)
            }
            BallotPart::CountUpTo => {
                let bits = self.b.binary(BinaryOp::And, bits, upto);
                self.b.unary(UnaryOp::Popcount, bits)
            }
            BallotPart::CountBefore => {
                let bits = self.b.binary(BinaryOp::And, bits, before);
                self.b.unary(UnaryOp::Popcount, bits)
            }
            _ => self.b.unary(UnaryOp::Popcount, within),
        };
        self.b.cast(CastOp::Trunc, result, I32)
    }
}

/// The size of clusters, of which sema has seen that it is a constant and a power of two.
fn constant(arg: Option<&Expr>) -> u32 {
    match arg.map(|arg| &arg.kind) {
        Some(&ExprKind::Int(n)) => n as u32,
        _ => panic!("a cluster's size is a constant"),
    }
}
