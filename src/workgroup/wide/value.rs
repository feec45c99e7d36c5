//! Values in their forms, and instructions that only compute.

use std::rc::Rc;

use crate::ir::types::I64;
use crate::ir::{BinaryOp, Block, CastOp, Elem, InstData, IntCC, SrcLoc, Type, Value};

use super::shape::Shape;
use super::{Guard, Rep, Step, Widen};

impl Widen<'_, '_> {
    pub fn wide(&self, ty: Type) -> Type {
        Type::vector(ty.elem, self.lanes)
    }

    fn push(&mut self, data: InstData, ty: Type, loc: SrcLoc) -> Value {
        let cur = self.cur;
        let inst = self.group.at_loc(cur, loc).push(data, Some(ty));
        self.group.out.result(inst).expect("a result was asked for")
    }

    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let cur = self.cur;
        self.group.at(cur).binary(op, a, b)
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

    pub fn splat(&mut self, value: Value) -> Value {
        let (cur, lanes) = (self.cur, self.lanes);
        self.group.at(cur).splat(value, lanes)
    }

    /// The value as a vector; not for addresses.
    pub fn lanes(&mut self, rep: &Rep) -> Value {
        match rep {
            Rep::One(value) => self.splat(*value),
            Rep::Lanes(value) => *value,
            Rep::Step(step) => match &step.guard {
                Some(guard) => {
                    let args: Vec<Value> = guard.args.iter().map(|a| self.lanes(a)).collect();
                    self.vector_op(&guard.data, guard.ty, &args, SrcLoc::default())
                }
                None => {
                    let elem = self.group.out.ty(step.first).elem;
                    let row = self.row(elem, step.step);
                    let first = self.splat(step.first);
                    self.binary(BinaryOp::Add, first, row)
                }
            },
            Rep::Spread(..) => panic!("an address as a vector"),
        }
    }

    /// The same operation on vectors.
    fn vector_op(&mut self, data: &InstData, ty: Type, args: &[Value], loc: SrcLoc) -> Value {
        let mut data = data.clone();
        let mut next = args.iter();
        data.for_each_use_mut(|v| *v = *next.next().expect("an argument for each operand"));
        let wide = self.wide(ty);
        if let InstData::Cast { to, .. } = &mut data {
            *to = wide;
        }
        self.push(data, wide, loc)
    }

    /// Base and offsets of an address of any shape.
    pub fn address(&mut self, rep: &Rep) -> (Value, Value) {
        match rep {
            Rep::One(base) => {
                let ty = self.wide(I64);
                (*base, self.zeros(ty))
            }
            Rep::Spread(base, offsets) => (*base, *offsets),
            Rep::Step(step) => match &step.guard {
                None => (step.first, self.row(Elem::I64, step.step)),
                Some(guard) => {
                    let (base, offsets) = self.address(&guard.args[0]);
                    self.follow(&guard.data, guard.ty, base, offsets, guard.args.get(1))
                }
            },
            Rep::Lanes(_) => panic!("an address that can't be followed"),
        }
    }

    /// What an instruction makes of an address: adds an offset, or names another space.
    fn follow(
        &mut self,
        data: &InstData,
        ty: Type,
        base: Value,
        offsets: Value,
        offset: Option<&Rep>,
    ) -> (Value, Value) {
        match (data, offset) {
            (InstData::PtrAdd { .. }, Some(Rep::One(offset))) => {
                let cur = self.cur;
                (self.group.at(cur).ptr_add(base, *offset), offsets)
            }
            (InstData::PtrAdd { .. }, Some(offset)) => {
                let more = self.lanes(offset);
                (base, self.binary(BinaryOp::Add, offsets, more))
            }
            _ => {
                let cur = self.cur;
                let cast = self.group.at(cur).cast(CastOp::AddrSpaceCast, base, ty);
                (cast, offsets)
            }
        }
    }

    /// The first lane of a value that is not varying.
    pub fn first(&mut self, rep: &Rep) -> Value {
        match rep {
            Rep::One(value) => *value,
            Rep::Step(step) => step.first,
            Rep::Lanes(value) => {
                let (cur, value) = (self.cur, *value);
                self.group.at(cur).extract(value, 0)
            }
            Rep::Spread(..) => panic!("an address of its own for each lane"),
        }
    }

    pub fn step(first: Value, step: i64) -> Rep {
        Rep::Step(Rc::new(Step {
            first,
            step,
            guard: None,
        }))
    }

    /// The value in the form of the shape, which says no more about it than is known.
    pub fn in_shape(&mut self, rep: &Rep, shape: Shape) -> Rep {
        match (shape, rep) {
            (Shape::Varying, Rep::One(_) | Rep::Step(_)) => Rep::Lanes(self.lanes(rep)),
            _ => rep.clone(),
        }
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
        match shape {
            Shape::Varying if ty.elem.is_ptr() => {
                let (base, offsets) = self.address(&args[0]);
                let (base, offsets) = self.follow(data, ty, base, offsets, args.get(1));
                Rep::Spread(base, offsets)
            }
            Shape::Varying => {
                let scalar_choice = match (data, args.first()) {
                    (InstData::Select { .. }, Some(Rep::One(cond))) => Some(*cond),
                    _ => None,
                };
                let values: Vec<Value> = args
                    .iter()
                    .enumerate()
                    .map(|(n, arg)| match scalar_choice {
                        Some(cond) if n == 0 => cond,
                        _ => self.lanes(arg),
                    })
                    .collect();
                Rep::Lanes(self.vector_op(data, ty, &values, loc))
            }
            _ => {
                let mut firsts = args.iter().map(|a| match a {
                    Rep::One(value) => *value,
                    Rep::Step(step) => step.first,
                    _ => panic!("a varying operand of a value that does not vary"),
                });
                let mut scalar = data.clone();
                scalar.for_each_use_mut(|v| {
                    *v = firsts.next().expect("an argument for each operand")
                });
                let first = self.push(scalar, ty, loc);
                match shape {
                    Shape::Strided { step, guarded } => {
                        let guard = guarded.then(|| self.guard(data, ty, first, step, args));
                        Rep::Step(Rc::new(Step { first, step, guard }))
                    }
                    _ => Rep::One(first),
                }
            }
        }
    }

    /// Whether the lanes of a strided value are where they should be: those of the operands are, and a widened value
    /// has not wrapped: its last lane is as far from the first as it is in the wide type. (It wraps once at most.)
    fn guard(
        &mut self,
        data: &InstData,
        ty: Type,
        first: Value,
        step: i64,
        args: Vec<Rep>,
    ) -> Guard {
        let mut ok = None;
        for arg in &args {
            if let Rep::Step(step) = arg
                && let Some(guard) = &step.guard
            {
                ok = Some(match ok {
                    None => guard.ok,
                    Some(ok) => self.binary(BinaryOp::And, ok, guard.ok),
                });
            }
        }
        if let (InstData::Cast { op, .. }, Some(Rep::Step(arg))) = (data, args.first())
            && matches!(op, CastOp::SExt | CastOp::ZExt)
        {
            let last = i64::from(self.lanes) - 1;
            let (cur, op) = (self.cur, *op);
            let mut b = self.group.at(cur);
            let narrow = b.func.ty(arg.first);
            let far = b.iconst(narrow, arg.step.wrapping_mul(last) as u64);
            let end = b.binary(BinaryOp::Add, arg.first, far);
            let end = b.cast(op, end, ty);
            let far = b.iconst(ty, step.wrapping_mul(last) as u64);
            let wanted = b.binary(BinaryOp::Add, first, far);
            let here = b.icmp(IntCC::Eq, end, wanted);
            ok = Some(match ok {
                None => here,
                Some(ok) => self.binary(BinaryOp::And, ok, here),
            });
        }
        Guard {
            ok: ok.expect("a guarded value has a reason"),
            data: data.clone(),
            ty,
            args,
        }
    }
}
