//! Instructions without a vector form: they run for one lane after the other, in ascending order, for those that are
//! on. What is short has code for each lane, for when all are on; the rest is a loop, which LLVM unrolls if it finds it small.

use crate::ir::types::{I32, I64};
use crate::ir::{BinaryOp, CastOp, Elem, InstData, IntCC, SrcLoc, Type, UnaryOp, Value};

use super::{Rep, Widen};

/// An instruction that runs lane by lane, and its operands.
struct Job<'a> {
    data: &'a InstData,
    ty: Option<Type>,
    ready: Vec<Rep>,
    loc: SrcLoc,
}

/// So little that it is done for all lanes without a loop: taking known lanes of vectors takes less than to find them.
fn is_short(data: &InstData) -> bool {
    matches!(
        data,
        InstData::AtomicLoad { .. } | InstData::AtomicStore { .. } | InstData::AtomicRmw { .. }
    )
}

impl Widen<'_, '_> {
    /// Runs the instruction for each lane that is on; the results, if it has any (`ty`).
    pub fn serial(
        &mut self,
        data: &InstData,
        ty: Option<Type>,
        args: Vec<Rep>,
        loc: SrcLoc,
    ) -> Option<Value> {
        // Vectors are made before the loop.
        let mut ready = Vec::new();
        for arg in &args {
            ready.push(match arg {
                Rep::Step(step) if step.guard.is_some() => Rep::Lanes(self.lanes(arg)),
                Rep::Sum(sum) if !self.ty(sum.first).elem.is_ptr() => Rep::Lanes(self.lanes(arg)),
                _ => arg.clone(),
            });
        }
        let wide = ty.map(|ty| self.wide(ty));
        let none = wide.map(|ty| self.zeros(ty));
        let job = Job {
            data,
            ty,
            ready,
            loc,
        };
        if is_short(data) {
            return match self.mask {
                None => self.all_in_turn(&job, none),
                Some(mask) => self.all_or_some_in_turn(&job, none, mask),
            };
        }
        self.each_in_turn(&job, none)
    }

    /// The lanes one behind the other without a loop, if all are on; else by a loop.
    fn all_or_some_in_turn(
        &mut self,
        job: &Job,
        none: Option<Value>,
        mask: Value,
    ) -> Option<Value> {
        let ones = u64::MAX >> (64 - self.lanes);
        let cur = self.cur;
        let mut b = self.group.at(cur);
        let bits = b.mask_bits(mask);
        let ones = b.iconst(I64, ones);
        let all = b.icmp(IntCC::Eq, bits, ones);
        let [every, some, after] = self.fork(all);
        let out = none.map(|none| {
            let ty = self.ty(none);
            self.group.out.add_param(after, ty)
        });
        self.cur = every;
        let result = self.all_in_turn(job, none);
        let end = self.cur;
        self.group.at(end).jump(after, result.into_iter().collect());
        self.cur = some;
        let result = self.each_in_turn(job, none);
        let end = self.cur;
        self.group.at(end).jump(after, result.into_iter().collect());
        self.cur = after;
        out
    }

    fn all_in_turn(&mut self, job: &Job, none: Option<Value>) -> Option<Value> {
        let mut sofar = none;
        for n in 0..u64::from(self.lanes) {
            let (number, lane) = (self.iconst(I64, n), self.iconst(I32, n));
            sofar = self.one_lane(job, number, lane, sofar);
        }
        sofar
    }

    /// Runs the instruction for a lane; the results so far, with that of this lane.
    fn one_lane(
        &mut self,
        job: &Job,
        number: Value,
        lane: Value,
        sofar: Option<Value>,
    ) -> Option<Value> {
        let mut values = Vec::new();
        for arg in &job.ready {
            values.push(self.of_lane(arg, number, lane));
        }
        let scalar = job.data.with_uses(values);
        let cur = self.cur;
        let inst = self.group.at_loc(cur, job.loc).push(scalar, job.ty);
        match (sofar, self.group.out.result(inst)) {
            (Some(sofar), Some(result)) => Some(self.with_lane(sofar, result, lane)),
            _ => None,
        }
    }

    /// By a loop over the lanes that are on.
    fn each_in_turn(&mut self, job: &Job, none: Option<Value>) -> Option<Value> {
        let wide = none.map(|none| self.ty(none));
        let (head, after) = (self.group.out.add_block(), self.group.out.add_block());
        let here = self.cur;
        // Either the lanes that are left as bits, or the number of the lane.
        let state = self.group.out.add_param(head, I64);
        let sofar = wide.map(|ty| self.group.out.add_param(head, ty));
        let out = wide.map(|ty| self.group.out.add_param(after, ty));
        let with = |first: Value, more: Option<Value>| -> Vec<Value> {
            std::iter::once(first).chain(more).collect()
        };
        let mask = self.mask;
        match mask {
            Some(mask) => {
                let mut b = self.group.at(here);
                let bits = b.mask_bits(mask);
                let zero = b.iconst(I64, 0);
                let any = b.icmp(IntCC::Ne, bits, zero);
                let skip = none.into_iter().collect();
                b.branch(any, (head, with(bits, none)), (after, skip));
            }
            None => {
                let mut b = self.group.at(here);
                let zero = b.iconst(I64, 0);
                b.jump(head, with(zero, none));
            }
        }
        self.cur = head;
        let number = match mask {
            Some(_) => self.group.at(head).unary(UnaryOp::Ctz, state),
            None => state,
        };
        let lane = self.cast(CastOp::Trunc, number, I32);
        let sofar = self.one_lane(job, number, lane, sofar);
        let lanes = self.lanes;
        let mut b = self.group.at(head);
        let one = b.iconst(I64, 1);
        let (next, more) = match mask {
            Some(_) => {
                let below = b.binary(BinaryOp::Sub, state, one);
                let rest = b.binary(BinaryOp::And, state, below);
                let zero = b.iconst(I64, 0);
                (rest, b.icmp(IntCC::Ne, rest, zero))
            }
            None => {
                let next = b.binary(BinaryOp::Add, state, one);
                let end = b.iconst(I64, lanes.into());
                (next, b.icmp(IntCC::Ult, next, end))
            }
        };
        b.branch(
            more,
            (head, with(next, sofar)),
            (after, sofar.into_iter().collect()),
        );
        self.cur = after;
        out
    }

    /// What a lane holds; `number` and `lane` are the same.
    fn of_lane(&mut self, rep: &Rep, number: Value, lane: Value) -> Value {
        match rep {
            Rep::One(value) => *value,
            Rep::Step(step) => {
                let ty = self.ty(step.first);
                let number = match ty.elem {
                    Elem::Ptr(_) | Elem::I64 => number,
                    _ => self.cast(CastOp::Trunc, number, ty),
                };
                let unused = 64 - ty.elem.bits();
                let by = self.iconst(self.ty(number), (step.step as u64) << unused >> unused);
                let offset = self.binary(BinaryOp::Mul, number, by);
                if ty.elem.is_ptr() {
                    let cur = self.cur;
                    return self.group.at(cur).ptr_add(step.first, offset);
                }
                self.binary(BinaryOp::Add, step.first, offset)
            }
            Rep::Lanes(value) => self.dyn_lane(*value, lane),
            Rep::Sum(sum) => {
                let mut index = self.dyn_lane(sum.index.value, lane);
                if self.ty(index).elem != Elem::I64 {
                    let op = match sum.index.unsigned {
                        true => CastOp::ZExt,
                        false => CastOp::SExt,
                    };
                    index = self.cast(op, index, I64);
                }
                let scale = self.iconst(I64, sum.scale as u64);
                let offset = self.binary(BinaryOp::Mul, index, scale);
                let cur = self.cur;
                self.group.at(cur).ptr_add(sum.first, offset)
            }
            Rep::Cell(_) => panic!("the address of a cell is handed on"),
        }
    }

    /// A lane that is chosen at run time, with all its components.
    pub fn dyn_lane(&mut self, value: Value, lane: Value) -> Value {
        let components = self.ty(value).lanes / self.lanes;
        let mut parts = Vec::new();
        for n in 0..components {
            let at = self.lane_of_component(lane, n);
            let cur = self.cur;
            parts.push(self.group.at(cur).extract_dyn(value, at));
        }
        match parts[..] {
            [only] => only,
            _ => {
                let cur = self.cur;
                self.group.at(cur).build_vector(parts)
            }
        }
    }

    fn with_lane(&mut self, mut wide: Value, value: Value, lane: Value) -> Value {
        let components = self.ty(value).lanes;
        for n in 0..components {
            let at = self.lane_of_component(lane, n);
            let cur = self.cur;
            let mut b = self.group.at(cur);
            let part = match components {
                1 => value,
                _ => b.extract(value, n),
            };
            wide = b.insert_dyn(wide, part, at);
        }
        wide
    }

    fn lane_of_component(&mut self, lane: Value, n: u16) -> Value {
        if n == 0 {
            return lane;
        }
        let offset = self.iconst(I32, u64::from(n * self.lanes));
        self.binary(BinaryOp::Add, lane, offset)
    }
}
