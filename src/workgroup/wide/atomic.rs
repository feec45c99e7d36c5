//! Instructions with effects beyond plain memory. An atomic operation at an address that is the same for all lanes is
//! one operation on what the lanes make together, where the operation allows it: any order of the work-items is right,
//! so the lanes go one behind the other with no one between them. Everything else is done lane by lane.

use crate::ir::types::{I32, I64};
use crate::ir::{AtomicOp, BinaryOp, CastOp, Elem, InstData, SrcLoc, Type, UnaryOp, Value};
use crate::workgroup::crossing::Home;

use super::ends::fold;
use super::{Rep, Widen};

/// What changes nothing.
fn neutral(op: BinaryOp, elem: Elem) -> u64 {
    let bits = elem.bits();
    let ones = u64::MAX >> (64 - bits);
    match op {
        BinaryOp::And | BinaryOp::UMin => ones,
        BinaryOp::SMin => ones >> 1,
        BinaryOp::SMax => 1 << (bits - 1),
        _ => 0,
    }
}

impl Widen<'_, '_> {
    /// Somebody looks at the value, here or in another region.
    pub fn is_used(&self, value: Value) -> bool {
        let uses = &self.plan.uses;
        let at = uses.partition_point(|u| u.0 < value);
        uses.get(at).is_some_and(|u| u.0 == value)
            || !matches!(self.group.home(value), Home::None | Home::Recompute)
    }

    /// The result, if the instruction has one (of type `ty`).
    pub fn effect(
        &mut self,
        data: &InstData,
        ty: Option<Type>,
        args: Vec<Rep>,
        used: bool,
        loc: SrcLoc,
    ) -> Option<Rep> {
        match (data, &args[..]) {
            (InstData::Fence { .. }, _) => {
                let (cur, data) = (self.cur, data.clone());
                self.group.at_loc(cur, loc).push(data, None);
                None
            }
            (InstData::Clock, _) => Some(Rep::One(self.push(data.clone(), I64, loc))),
            (InstData::AtomicLoad { .. }, &[Rep::One(ptr)]) => {
                let ty = ty.expect("a load has a result");
                Some(Rep::One(self.once_for_all(data, &[ptr], ty, loc)))
            }
            (InstData::AtomicStore { .. }, &[Rep::One(value), Rep::One(ptr)]) => {
                let data = data.with_uses([value, ptr]);
                self.once(loc, |b| {
                    b.push(data, None);
                });
                None
            }
            (&InstData::AtomicRmw { op, .. }, &[Rep::One(ptr), ref value])
                if let Some(by) = op.together().and_then(AtomicOp::binary)
                    && (!used || by == BinaryOp::Add) =>
            {
                let ty = ty.expect("an atomic has a result");
                let old = self.atomic_together(data, by, ptr, value, ty, used, loc);
                Some(match op {
                    _ if !used => Rep::One(old),
                    _ => Rep::Lanes(old),
                })
            }
            (InstData::Printf { .. }, _) => {
                self.serial(data, ty, args, loc);
                Some(Rep::One(self.iconst(I32, 0)))
            }
            _ => self.serial(data, ty, args, loc).map(Rep::Lanes),
        }
    }

    /// The result of an instruction that runs once if any lane is on, else 0.
    fn once_for_all(&mut self, data: &InstData, args: &[Value], ty: Type, loc: SrcLoc) -> Value {
        let data = data.with_uses(args.iter().copied());
        let Some(mask) = self.doubtful() else {
            return self.push(data, ty, loc);
        };
        let (then, after) = self.begin_if_any();
        let inst = self.group.at_loc(then, loc).push(data, Some(ty));
        let value = self.group.out.result(inst).expect("asked for above");
        let out = self.group.out.add_param(after, ty);
        let zero = self.zeros(ty);
        self.end_if_any(mask, (then, then, vec![value]), (after, vec![zero]));
        out
    }

    /// One operation for all lanes that are on. What each lane would have seen, if that is `used`.
    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction")]
    fn atomic_together(
        &mut self,
        data: &InstData,
        by: BinaryOp,
        ptr: Value,
        value: &Rep,
        ty: Type,
        used: bool,
        loc: SrcLoc,
    ) -> Value {
        if let (Rep::One(value), BinaryOp::Add) = (value, by) {
            let count = self.count(ty);
            let sum = self.binary(BinaryOp::Mul, *value, count);
            let old = self.once_for_all(data, &[ptr, sum], ty, loc);
            if !used {
                return old;
            }
            let below = self.count_below(ty);
            let each = self.splat(*value);
            let before = self.binary(BinaryOp::Mul, each, below);
            return self.after(data, old, before);
        }
        if let (Rep::One(value), false) = (value, by == BinaryOp::Xor) {
            return self.once_for_all(data, &[ptr, *value], ty, loc);
        }
        let mut lanes = self.lanes(value);
        let wide = self.ty(lanes);
        let off = self.iconst(wide, neutral(by, ty.elem));
        if let Some(mask) = self.mask {
            lanes = self.select(mask, lanes, off);
        }
        let count = self.lanes;
        if used {
            // What all lanes below and this one make together, by doubling the distance.
            let mut all = lanes;
            let mut far = 1;
            while far < count {
                let from = |n: u16| if n < far { count + n } else { n - far };
                let moved = self.shuffled(all, off, (0..count).map(from).collect());
                all = self.binary(by, all, moved);
                far *= 2;
            }
            let sum = self.lane(all, count - 1);
            let old = self.once_for_all(data, &[ptr, sum], ty, loc);
            let before = self.binary(BinaryOp::Sub, all, lanes);
            return self.after(data, old, before);
        }
        let cur = self.cur;
        let sum = fold(self.group, cur, by, lanes, count);
        self.once_for_all(data, &[ptr, sum], ty, loc)
    }

    /// What a lane sees when the lanes before it have made `before` of the old value.
    fn after(&mut self, data: &InstData, old: Value, before: Value) -> Value {
        let subtracts = matches!(
            data,
            InstData::AtomicRmw {
                op: AtomicOp::Sub,
                ..
            }
        );
        let old = self.splat(old);
        let op = if subtracts {
            BinaryOp::Sub
        } else {
            BinaryOp::Add
        };
        self.binary(op, old, before)
    }

    /// How many lanes are on.
    fn count(&mut self, ty: Type) -> Value {
        let Some(mask) = self.mask else {
            return self.iconst(ty, self.lanes.into());
        };
        self.number_of(mask, ty)
    }

    /// For each lane, how many below it are on.
    fn count_below(&mut self, ty: Type) -> Value {
        let Some(mask) = self.mask else {
            return self.row(ty.elem, 1);
        };
        let wide = self.wide(I64);
        let (cur, lanes) = (self.cur, self.lanes);
        let mut b = self.group.at(cur);
        let bits = b.mask_bits(mask);
        let bits = b.splat(bits, lanes);
        let below = (0..lanes).map(|n| b.iconst(I64, (1u64 << n) - 1)).collect();
        let below = b.build_vector(below);
        let bits = b.binary(BinaryOp::And, bits, below);
        let count = b.unary(UnaryOp::Popcount, bits);
        match ty {
            I64 => count,
            _ => b.cast(CastOp::Trunc, count, wide.with_elem(ty.elem)),
        }
    }
}
