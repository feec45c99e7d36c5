//! Varying `i64` values and addresses as a scalar and a vector: `first + index * scale`.
//!
//! What is added for all lanes goes to the scalar, so that a loop over the elements of a row leaves the vector alone;
//! an `i32` that was extended stays 32 bits wide, so that a gather takes all lanes at once: there, an unsigned one is
//! its signed neighbour half the range away, and that distance.

use std::rc::Rc;

use crate::ir::types::{I32, I64};
use crate::ir::{AddrSpace, BinaryOp, CastOp, Elem, InstData, Type, Value};

use super::{Cell, Guard, Index, Rep, Step, Sum, Widen};

/// Larger scales are multiplied out.
const MAX_SCALE: i64 = 1 << 20;

impl Widen<'_, '_> {
    pub fn sum_lanes(&mut self, sum: &Sum) -> Value {
        let index = self.wide_index(sum.index);
        let offsets = self.times(index, sum.scale);
        let first = self.splat(sum.first);
        if self.ty(sum.first).elem.is_ptr() {
            let cur = self.cur;
            return self.group.at(cur).ptr_add(first, offsets);
        }
        self.binary(BinaryOp::Add, first, offsets)
    }

    /// The index in 64 bits.
    fn wide_index(&mut self, index: Index) -> Value {
        let ty = self.ty(index.value);
        match ty.elem {
            Elem::I64 => index.value,
            _ if index.unsigned => self.cast(CastOp::ZExt, index.value, ty.with_elem(Elem::I64)),
            _ => self.cast(CastOp::SExt, index.value, ty.with_elem(Elem::I64)),
        }
    }

    fn times(&mut self, value: Value, scale: i64) -> Value {
        if scale == 1 {
            return value;
        }
        let ty = self.ty(value);
        let (op, by) = if scale.count_ones() == 1 && scale > 0 {
            (BinaryOp::Shl, u64::from(scale.trailing_zeros()))
        } else {
            (BinaryOp::Mul, scale as u64)
        };
        let unused = 64 - ty.elem.bits();
        let by = self.iconst(ty, by << unused >> unused);
        self.binary(op, value, by)
    }

    fn new_sum(first: Value, index: impl Into<Index>, scale: i64) -> Rep {
        let index = index.into();
        Rep::Sum(Rc::new(Sum {
            first,
            index,
            scale,
        }))
    }

    /// The index as a vector of `i32`, modulo its range.
    pub fn narrow(&mut self, rep: &Rep) -> Value {
        let wide = self.wide(I32);
        match rep {
            Rep::Sum(sum) if self.ty(sum.index.value).elem == Elem::I32 => {
                let first = self.cast(CastOp::Trunc, sum.first, I32);
                let first = self.splat(first);
                let offsets = self.times(sum.index.value, sum.scale);
                self.binary(BinaryOp::Add, first, offsets)
            }
            Rep::Step(step) if step.guard.is_none() => {
                let first = self.cast(CastOp::Trunc, step.first, I32);
                let first = self.splat(first);
                let row = self.row(Elem::I32, step.step);
                self.binary(BinaryOp::Add, first, row)
            }
            _ => {
                let value = self.lanes(rep);
                self.cast(CastOp::Trunc, value, wide)
            }
        }
    }

    /// An instruction on `i64` whose result is held as a sum; `None` if there is no gain.
    pub fn sum(&mut self, data: &InstData, ty: Type, args: &[Rep]) -> Option<Rep> {
        if ty != I64 {
            return None;
        }
        let args: Vec<Rep> = args.iter().map(|a| self.loosen(a)).collect();
        match *data {
            InstData::Cast { op, .. } => {
                if !matches!(op, CastOp::SExt | CastOp::ZExt) {
                    return None;
                }
                let value = self.lanes(&args[0]);
                self.extended(op, value)
            }
            InstData::Binary { op, .. } => match op {
                BinaryOp::Add => self.added(&args[0], &args[1]),
                BinaryOp::Sub => {
                    let (Rep::Sum(sum), Rep::One(by)) = (&args[0], &args[1]) else {
                        return None;
                    };
                    let first = self.binary(BinaryOp::Sub, sum.first, *by);
                    Some(Self::new_sum(first, sum.index, sum.scale))
                }
                BinaryOp::Mul => match (&args[0], &args[1]) {
                    (value, Rep::One(by)) | (Rep::One(by), value) => self.multiplied(value, *by),
                    _ => None,
                },
                BinaryOp::Shl => {
                    let (value, Rep::One(by)) = (&args[0], &args[1]) else {
                        return None;
                    };
                    let bits = self.group.out.const_int(*by)? & 63;
                    let by = self.iconst(I64, 1 << bits);
                    self.multiplied(value, by)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn extended(&mut self, op: CastOp, value: Value) -> Option<Rep> {
        let (elem, wide) = (self.ty(value).elem, self.wide(I32));
        let zero = self.iconst(I64, 0);
        match (op, elem) {
            (CastOp::SExt, Elem::I32) => Some(Self::new_sum(zero, value, 1)),
            (CastOp::SExt | CastOp::ZExt, Elem::I8 | Elem::I16) => {
                let index = self.cast(op, value, wide);
                Some(Self::new_sum(zero, index, 1))
            }
            (CastOp::ZExt, Elem::I32) => {
                let unsigned = true;
                Some(Self::new_sum(zero, Index { value, unsigned }, 1))
            }
            _ => None,
        }
    }

    fn added(&mut self, a: &Rep, b: &Rep) -> Option<Rep> {
        match (a, b) {
            (Rep::Sum(sum), Rep::One(by)) | (Rep::One(by), Rep::Sum(sum)) => {
                let first = self.binary(BinaryOp::Add, sum.first, *by);
                Some(Self::new_sum(first, sum.index, sum.scale))
            }
            (Rep::Lanes(value), Rep::One(by)) | (Rep::One(by), Rep::Lanes(value)) => {
                Some(Self::new_sum(*by, *value, 1))
            }
            (Rep::Sum(sum), Rep::Step(step)) | (Rep::Step(step), Rep::Sum(sum))
                if step.guard.is_none() =>
            {
                let first = self.binary(BinaryOp::Add, sum.first, step.first);
                let index = self.scaled_index(sum);
                let row = self.row(Elem::I64, step.step);
                let index = self.binary(BinaryOp::Add, index, row);
                Some(Self::new_sum(first, index, 1))
            }
            (Rep::Sum(x), Rep::Sum(y)) => {
                let first = self.binary(BinaryOp::Add, x.first, y.first);
                let (p, q) = (self.scaled_index(x), self.scaled_index(y));
                let index = self.binary(BinaryOp::Add, p, q);
                Some(Self::new_sum(first, index, 1))
            }
            _ => None,
        }
    }

    fn scaled_index(&mut self, sum: &Sum) -> Value {
        let index = self.wide_index(sum.index);
        self.times(index, sum.scale)
    }

    fn multiplied(&mut self, value: &Rep, by: Value) -> Option<Rep> {
        let scale = self.group.out.const_int(by);
        match value {
            Rep::Sum(sum) => {
                let product = scale.and_then(|c| sum.scale.checked_mul(c));
                let small = product.filter(|c| (1..=MAX_SCALE).contains(c));
                let first = self.binary(BinaryOp::Mul, sum.first, by);
                Some(match small {
                    Some(scale) => Self::new_sum(first, sum.index, scale),
                    None => {
                        let index = self.scaled_index(sum);
                        let by = self.splat(by);
                        let index = self.binary(BinaryOp::Mul, index, by);
                        Self::new_sum(first, index, 1)
                    }
                })
            }
            Rep::Step(step) if step.guard.is_none() => {
                let first = self.binary(BinaryOp::Mul, step.first, by);
                let row = self.row(Elem::I64, step.step);
                let by = self.splat(by);
                let index = self.binary(BinaryOp::Mul, row, by);
                Some(Self::new_sum(first, index, 1))
            }
            Rep::Lanes(value) => {
                let scale = scale.filter(|c| (1..=MAX_SCALE).contains(c))?;
                let zero = self.iconst(I64, 0);
                Some(Self::new_sum(zero, *value, scale))
            }
            _ => None,
        }
    }

    /// What an instruction makes of an address: adds an offset, or names another space.
    pub fn address(&mut self, data: &InstData, ty: Type, args: &[Rep]) -> Option<Rep> {
        match data {
            InstData::PtrAdd { .. } => Some(self.ptr_add(&args[0], &args[1])),
            InstData::Cast {
                op: CastOp::AddrSpaceCast,
                ..
            } => {
                let Rep::Sum(sum) = &args[0] else {
                    return None;
                };
                let first = self.cast(CastOp::AddrSpaceCast, sum.first, ty);
                Some(Self::new_sum(first, sum.index, sum.scale))
            }
            _ => None,
        }
    }

    /// `ptr + offset`, of any forms.
    pub fn ptr_add(&mut self, ptr: &Rep, offset: &Rep) -> Rep {
        if let Rep::Cell(cell) = ptr {
            return Rep::Cell(Rc::new(Cell {
                base: cell.base,
                bytes: cell.bytes,
                offset: self.add(&cell.offset, offset),
            }));
        }
        if let (Rep::Step(step), Rep::One(by)) = (ptr, offset)
            && let Some(guard) = &step.guard
        {
            let (cur, ty) = (self.cur, self.ty(step.first));
            let first = self.group.at(cur).ptr_add(step.first, *by);
            let guard = Guard {
                ok: guard.ok,
                data: InstData::PtrAdd {
                    ptr: step.first,
                    offset: *by,
                },
                ty,
                args: vec![ptr.clone(), offset.clone()],
            };
            return Rep::Step(Rc::new(Step {
                first,
                step: step.step,
                guard: Some(guard),
            }));
        }
        let (ptr, offset) = (self.loosen(ptr), self.loosen(offset));
        let (base, at): (Value, Option<Rep>) = match &ptr {
            Rep::One(base) => (*base, None),
            Rep::Step(step) => (step.first, Some(self.step_of(step.step))),
            Rep::Sum(sum) => {
                let zero = self.iconst(I64, 0);
                (sum.first, Some(Self::new_sum(zero, sum.index, sum.scale)))
            }
            _ => {
                let (ptrs, offsets) = (self.lanes(&ptr), self.lanes(&offset));
                let cur = self.cur;
                return Rep::Lanes(self.group.at(cur).ptr_add(ptrs, offsets));
            }
        };
        let whole = match at {
            None => offset,
            Some(at) => self.add(&at, &offset),
        };
        let cur = self.cur;
        match whole {
            Rep::One(offset) => Rep::One(self.group.at(cur).ptr_add(base, offset)),
            Rep::Step(step) => {
                let first = self.group.at(cur).ptr_add(base, step.first);
                Self::step(first, step.step)
            }
            Rep::Sum(sum) => {
                let first = self.group.at(cur).ptr_add(base, sum.first);
                Self::new_sum(first, sum.index, sum.scale)
            }
            Rep::Lanes(offsets) => Self::new_sum(base, offsets, 1),
            Rep::Cell(_) => panic!("an address in a cell as an offset"),
        }
    }

    /// Local and private memory is small: there the low bits of an offset are enough.
    fn sum_place(&mut self, sum: &Sum) -> (Value, Value, u32) {
        let wide = self.wide(I32);
        let Index { value, unsigned } = sum.index;
        let is_narrow = self.ty(value).elem == Elem::I32;
        let space = self.ty(sum.first).addr_space();
        if let Some(AddrSpace::Local | AddrSpace::Private) = space {
            return match u32::try_from(sum.scale) {
                Ok(scale @ 1..=8) if is_narrow => (sum.first, value, scale),
                _ if is_narrow => (sum.first, self.times(value, sum.scale), 1),
                _ => {
                    let value = self.cast(CastOp::Trunc, value, wide);
                    (sum.first, self.times(value, sum.scale), 1)
                }
            };
        }
        let Ok(scale) = u32::try_from(sum.scale) else {
            return (sum.first, self.scaled_index(sum), 1);
        };
        if !is_narrow || !unsigned {
            return (sum.first, value, scale);
        }
        let half = self.iconst(wide, 1 << 31);
        let index = self.binary(BinaryOp::Xor, value, half);
        let far = self.iconst(I64, sum.scale as u64 * (1 << 31));
        let cur = self.cur;
        (self.group.at(cur).ptr_add(sum.first, far), index, scale)
    }

    fn step_of(&mut self, step: i64) -> Rep {
        let zero = self.iconst(I64, 0);
        Self::step(zero, step)
    }

    /// Base, offsets and their scale, for a gather or scatter.
    pub fn place(&mut self, ptr: &Rep) -> (Value, Value, u32) {
        let narrow = self.wide(I32);
        match ptr {
            Rep::One(base) => (*base, self.zeros(narrow), 1),
            Rep::Lanes(bases) => (*bases, self.zeros(narrow), 1),
            Rep::Step(step) if step.guard.is_none() => {
                (step.first, self.row(Elem::I32, step.step), 1)
            }
            Rep::Step(_) => {
                let loose = self.loosen(ptr);
                self.place(&loose)
            }
            Rep::Sum(sum) => self.sum_place(sum),
            Rep::Cell(cell) => self.cell_place(cell),
        }
    }
}
