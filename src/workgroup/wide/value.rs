//! Values in their forms, and instructions that only compute.

use std::rc::Rc;

use crate::ir::types::I64;
use crate::ir::{BinaryOp, Block, CastOp, Elem, InstData, IntCC, SrcLoc, Type, UnaryOp, Value};

use super::shape::Shape;
use super::{Guard, Rep, Step, Widen};

impl Widen<'_, '_> {
    pub fn wide(&self, ty: Type) -> Type {
        Type::vector(ty.elem, ty.lanes * self.lanes)
    }

    pub fn push(&mut self, data: InstData, ty: Type, loc: SrcLoc) -> Value {
        let cur = self.cur;
        let inst = self.group.at_loc(cur, loc).push(data, Some(ty));
        self.group.out.result(inst).expect("a result was asked for")
    }

    pub fn ty(&self, value: Value) -> Type {
        self.group.out.ty(value)
    }

    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let cur = self.cur;
        self.group.at(cur).binary(op, a, b)
    }

    pub fn cast(&mut self, op: CastOp, arg: Value, to: Type) -> Value {
        let cur = self.cur;
        self.group.at(cur).cast(op, arg, to)
    }

    pub fn iconst(&mut self, ty: Type, bits: u64) -> Value {
        let cur = self.cur;
        self.group.at(cur).iconst(ty, bits)
    }

    pub fn zeros(&mut self, ty: Type) -> Value {
        let cur = self.cur;
        let mut b = self.group.at(cur);
        if ty.elem.is_float() {
            b.fconst_bits(ty, 0)
        } else {
            b.iconst(ty, 0)
        }
    }

    /// `0, step, 2 * step, ...`, made once before the chunk's code.
    pub fn row(&mut self, elem: Elem, step: i64) -> Value {
        if let Some(&row) = self.rows.get(&(elem, step)) {
            return row;
        }
        let (start, lanes) = (self.frame.start, i64::from(self.lanes));
        let mut b = self.group.at(start);
        let ty = Type::scalar(elem);
        let args = (0..lanes)
            .map(|n| b.iconst(ty, n.wrapping_mul(step) as u64))
            .collect();
        let row = b.build_vector(args);
        self.rows.insert((elem, step), row);
        row
    }

    /// The value for all lanes; an OpenCL vector component by component.
    pub fn splat(&mut self, value: Value) -> Value {
        let (cur, lanes, own) = (self.cur, self.lanes, self.ty(value).lanes);
        let mut b = self.group.at(cur);
        if own == 1 {
            return b.splat(value, lanes);
        }
        let mask = (0..own * lanes).map(|n| n / lanes).collect();
        b.shuffle(value, value, mask)
    }

    /// The value as a vector; not for addresses in cells.
    pub fn lanes(&mut self, rep: &Rep) -> Value {
        match rep {
            Rep::One(value) => self.splat(*value),
            Rep::Lanes(value) => *value,
            Rep::Step(step) => match &step.guard {
                Some(_) => {
                    let loose = self.loosen(rep);
                    self.lanes(&loose)
                }
                None => {
                    let first = self.splat(step.first);
                    let ty = self.ty(step.first);
                    if ty.elem.is_ptr() {
                        let offsets = self.row(Elem::I64, step.step);
                        let cur = self.cur;
                        return self.group.at(cur).ptr_add(first, offsets);
                    }
                    let row = self.row(ty.elem, step.step);
                    self.binary(BinaryOp::Add, first, row)
                }
            },
            Rep::Sum(sum) => self.sum_lanes(sum),
            Rep::Cell(_) => panic!("an address in a cell has no lanes"),
        }
    }

    /// What a guarded value is whether or not its lanes are a step apart.
    pub fn loosen(&mut self, rep: &Rep) -> Rep {
        let Rep::Step(step) = rep else {
            return rep.clone();
        };
        let Some(guard) = &step.guard else {
            return rep.clone();
        };
        let args: Vec<Rep> = guard.args.iter().map(|a| self.loosen(a)).collect();
        self.varying(&guard.data, guard.ty, &args, SrcLoc::default())
    }

    /// The same operation on vectors.
    fn vector_op(&mut self, data: &InstData, ty: Type, args: &[Value], loc: SrcLoc) -> Value {
        let mut data = data.with_uses(args.iter().copied());
        let wide = self.wide(ty);
        if let InstData::Cast { to, .. } = &mut data {
            *to = wide;
        }
        self.push(data, wide, loc)
    }

    /// Any value of the shape `Varying` that is computed from others.
    fn varying(&mut self, data: &InstData, ty: Type, args: &[Rep], loc: SrcLoc) -> Rep {
        if let Some(rep) = self
            .address(data, ty, args)
            .or_else(|| self.sum(data, ty, args))
            .or_else(|| self.parts(data, ty, args))
        {
            return rep;
        }
        let mut values: Vec<Value> = Vec::with_capacity(args.len());
        for (n, arg) in args.iter().enumerate() {
            let value = match (data, arg) {
                (InstData::Select { .. }, Rep::One(cond))
                    if n == 0 && !self.ty(*cond).is_vector() =>
                {
                    *cond
                }
                _ => self.lanes(arg),
            };
            values.push(value);
        }
        if let InstData::Select { .. } = data {
            values[0] = self.for_components(values[0], values[1]);
        }
        Rep::Lanes(self.vector_op(data, ty, &values, loc))
    }

    /// The first lane of a value.
    pub fn first(&mut self, rep: &Rep) -> Value {
        match rep {
            Rep::One(value) => *value,
            Rep::Step(step) => step.first,
            Rep::Lanes(value) => self.lane(*value, 0),
            Rep::Sum(_) => {
                let value = self.lanes(rep);
                self.lane(value, 0)
            }
            Rep::Cell(_) => panic!("an address in a cell has no lanes"),
        }
    }

    /// One lane of a vector, with all its components.
    pub fn lane(&mut self, value: Value, lane: u16) -> Value {
        let (cur, lanes) = (self.cur, self.lanes);
        let components = self.ty(value).lanes / lanes;
        let mut b = self.group.at(cur);
        if components == 1 {
            return b.extract(value, lane);
        }
        let mask = (0..components).map(|c| c * lanes + lane).collect();
        b.shuffle(value, value, mask)
    }

    pub fn step(first: Value, step: i64) -> Rep {
        Rep::Step(Rc::new(Step {
            first,
            step,
            guard: None,
        }))
    }

    /// What stands for a value of this shape as a block's argument.
    pub fn argument(&mut self, rep: &Rep, shape: Shape) -> Value {
        match shape {
            Shape::Varying => self.lanes(rep),
            _ => self.first(rep),
        }
    }

    /// A parameter for a value of this shape, and the value.
    pub fn parameter(&mut self, block: Block, ty: Type, shape: Shape) -> Rep {
        match shape {
            Shape::Uniform => Rep::One(self.group.out.add_param(block, ty)),
            Shape::Strided { step, .. } => Self::step(self.group.out.add_param(block, ty), step),
            Shape::Varying => {
                let wide = self.wide(ty);
                Rep::Lanes(self.group.out.add_param(block, wide))
            }
        }
    }

    /// Computes an instruction without effect on the shape's form.
    pub fn compute(
        &mut self,
        data: &InstData,
        ty: Type,
        shape: Shape,
        args: Vec<Rep>,
        loc: SrcLoc,
    ) -> Rep {
        if shape == Shape::Varying {
            return self.varying(data, ty, &args, loc);
        }
        let firsts: Vec<Value> = args.iter().map(|a| self.first(a)).collect();
        let first = self.push(data.with_uses(firsts), ty, loc);
        match shape {
            Shape::Strided {
                step,
                guarded,
                exact,
            } => {
                let guard = guarded.then(|| self.guard(data, ty, (first, step, exact), args));
                let guard = guard.flatten();
                Rep::Step(Rc::new(Step { first, step, guard }))
            }
            _ => Rep::One(first),
        }
    }

    /// Whether the lanes of a strided value are where they should be: those of the operands are, and the instruction
    /// leaves them so. What is `exact`, as a signed number, comes of operands that are. `None` if they are for certain, because those of
    /// the operands are in this chunk ([`super::Chunk::assumed`]).
    fn guard(
        &mut self,
        data: &InstData,
        ty: Type,
        (first, step, exact): (Value, i64, bool),
        args: Vec<Rep>,
    ) -> Option<Guard> {
        let mut ok = None;
        for arg in &args {
            if let Rep::Step(step) = arg
                && let Some(guard) = &step.guard
            {
                ok = Some(self.also(ok, guard.ok));
            }
        }
        let own = match (data, &args[..]) {
            (InstData::Cast { op, .. }, [Rep::Step(arg)])
                if matches!(op, CastOp::SExt | CastOp::ZExt) =>
            {
                (!exact).then(|| self.extends(*op, ty, (first, step), arg))
            }
            (InstData::Binary { op, .. }, [Rep::Step(arg), Rep::One(with)])
            | (InstData::Binary { op, .. }, [Rep::One(with), Rep::Step(arg)]) => {
                self.keeps_step(*op, (first, step, exact), arg, *with)
            }
            _ => None,
        };
        if let Some(own) = own {
            ok = Some(self.also(ok, own));
        }
        ok.map(|ok| Guard {
            ok,
            data: data.clone(),
            ty,
            args,
        })
    }

    fn also(&mut self, ok: Option<Value>, more: Value) -> Value {
        match ok {
            None => more,
            Some(ok) => self.binary(BinaryOp::And, ok, more),
        }
    }

    /// The last lane of strided ones.
    fn last_of(&mut self, first: Value, step: i64) -> Value {
        let ty = self.ty(first);
        if let Some(far) = self.far {
            return self.further(first, far, step);
        }
        let unused = 64 - ty.elem.bits();
        let far = step.wrapping_mul(i64::from(self.lanes) - 1) as u64;
        let far = self.iconst(ty, far << unused >> unused);
        self.binary(BinaryOp::Add, first, far)
    }

    /// What is so many steps further on.
    pub fn further(&mut self, first: Value, count: Value, step: i64) -> Value {
        let ty = self.ty(first);
        let step = self.iconst(I64, step as u64);
        let far = self.binary(BinaryOp::Mul, count, step);
        if ty.elem.is_ptr() {
            let cur = self.cur;
            return self.group.at(cur).ptr_add(first, far);
        }
        let far = match ty == I64 {
            true => far,
            false => self.cast(CastOp::Trunc, far, ty),
        };
        self.binary(BinaryOp::Add, first, far)
    }

    fn icmp(&mut self, cc: IntCC, a: Value, b: Value) -> Value {
        let cur = self.cur;
        self.group.at(cur).icmp(cc, a, b)
    }

    /// A widened value has not wrapped in the narrow type: its last lane is as far from the first as it is in the wide
    /// type. (It wraps once at most.)
    fn extends(&mut self, op: CastOp, ty: Type, made: (Value, i64), arg: &Step) -> Value {
        let end = self.last_of(arg.first, arg.step);
        let end = self.cast(op, end, ty);
        let wanted = self.last_of(made.0, made.1);
        self.icmp(IntCC::Eq, end, wanted)
    }

    /// Whether an operation on strided lanes and a uniform value makes lanes that are a step apart; `None` if it does
    /// anyway. The lanes ascend and do not wrap; then bits above those in which first and last differ are the same in
    /// all, and the other operations are monotonic and go up by a step at most for each lane.
    fn keeps_step(
        &mut self,
        op: BinaryOp,
        (first, step, exact): (Value, i64, bool),
        arg: &Step,
        with: Value,
    ) -> Option<Value> {
        if op == BinaryOp::And {
            return Some(self.keeps_low(first, step, with));
        }
        let ty = self.ty(arg.first);
        let last = self.last_of(arg.first, arg.step);
        let signed = match op {
            BinaryOp::SMin | BinaryOp::SMax | BinaryOp::SDiv | BinaryOp::SRem | BinaryOp::AShr => {
                true
            }
            BinaryOp::UMin
            | BinaryOp::UMax
            | BinaryOp::UDiv
            | BinaryOp::URem
            | BinaryOp::LShr
            | BinaryOp::Or
            | BinaryOp::Xor => false,
            _ => return None,
        };
        let fits = if matches!(op, BinaryOp::Or | BinaryOp::Xor) {
            let differ = self.binary(BinaryOp::Xor, arg.first, last);
            let cur = self.cur;
            let mut b = self.group.at(cur);
            let above = b.unary(UnaryOp::Clz, differ);
            let ones = b.iconst(ty, u64::MAX >> (64 - ty.elem.bits()));
            let low = b.binary(BinaryOp::LShr, ones, above);
            let kept = b.binary(BinaryOp::And, with, low);
            let wanted = b.iconst(ty, 0);
            b.icmp(IntCC::Eq, kept, wanted)
        } else {
            let end = self.binary(op, last, with);
            let wanted = self.last_of(first, step);
            self.icmp(IntCC::Eq, end, wanted)
        };
        if exact {
            return Some(fits);
        }
        let cc = if signed { IntCC::Sgt } else { IntCC::Ugt };
        let ascends = self.icmp(cc, last, arg.first);
        Some(self.binary(BinaryOp::And, ascends, fits))
    }

    /// A mask keeps low bits and no others, among them not the sign: a remainder by a power of two, which does not come round. (Whether
    /// the mask is like that is the same for all chunks. Lanes need not ascend before: what wraps is cut off.)
    fn keeps_low(&mut self, first: Value, step: i64, mask: Value) -> Value {
        let ty = self.ty(first);
        let [zero, one] = [0, 1].map(|n| self.iconst(ty, n));
        let above = self.binary(BinaryOp::Add, mask, one);
        let both = self.binary(BinaryOp::And, mask, above);
        let is_low = self.icmp(IntCC::Eq, both, zero);
        let positive = self.icmp(IntCC::Sge, mask, zero);
        let is_low = self.binary(BinaryOp::And, is_low, positive);
        let last = self.last_of(first, step);
        let fits = self.icmp(IntCC::Ule, last, mask);
        self.binary(BinaryOp::And, is_low, fits)
    }

    /// `i64` values in their forms, added.
    pub fn add(&mut self, a: &Rep, b: &Rep) -> Rep {
        match (a, b) {
            (Rep::One(x), Rep::One(y)) => Rep::One(self.binary(BinaryOp::Add, *x, *y)),
            (Rep::Step(s), Rep::One(y)) | (Rep::One(y), Rep::Step(s)) if s.guard.is_none() => {
                let first = self.binary(BinaryOp::Add, s.first, *y);
                Self::step(first, s.step)
            }
            _ => {
                let data = InstData::Binary {
                    op: BinaryOp::Add,
                    args: [Value::new(0); 2],
                };
                let args = [self.loosen(a), self.loosen(b)];
                self.varying(&data, I64, &args, SrcLoc::default())
            }
        }
    }
}
