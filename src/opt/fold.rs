//! Folds integer constants and simple algebra in one walk, so that fewer and cheaper values cross barriers, and
//! branches on constants are seen. Floating-point arithmetic is left to LLVM, which knows the build options.

use crate::ir::cfg::Cfg;
use crate::ir::eval;
use crate::ir::types::I1;
use crate::ir::{
    BinaryOp, CastOp, Function, Inst, InstData, IntCC, Type, UnaryOp, Value, WorkItemQuery,
};

use super::replace::Replacements;

pub fn run(func: &mut Function) {
    let mut pass = Pass {
        replace: Replacements::new(func),
        func,
    };
    let order: Vec<_> = Cfg::compute(pass.func).reverse_postorder().collect();
    for block in order {
        for n in 0..pass.func.block(block).insts.len() {
            let inst = pass.func.block(block).insts[n];
            pass.inst(inst);
        }
    }
    // Arguments of back edges were met before what they stand for was known.
    pass.replace.apply(pass.func);
}

/// What an instruction turns out to be.
enum Folded {
    Value(Value),
    Const(u64),
    Inst(InstData),
}

struct Pass<'f> {
    func: &'f mut Function,
    replace: Replacements,
}

impl Pass<'_> {
    fn inst(&mut self, inst: Inst) {
        let replace = &mut self.replace;
        self.func
            .inst_mut(inst)
            .for_each_use_mut(|v| *v = replace.get(*v));
        let Some(result) = self.func.result(inst) else {
            return;
        };
        let ty = self.func.ty(result);
        match self.fold(self.func.inst(inst), ty) {
            Some(Folded::Value(value)) => self.replace.set(result, value),
            Some(Folded::Const(bits)) => *self.func.inst_mut(inst) = InstData::IConst { ty, bits },
            Some(Folded::Inst(data)) => *self.func.inst_mut(inst) = data,
            None => {}
        }
    }

    fn fold(&self, data: &InstData, ty: Type) -> Option<Folded> {
        match *data {
            InstData::Unary { op, arg } if ty.elem.is_int() => {
                let bits = self.func.const_bits(arg)?;
                Some(Folded::Const(eval::unary(op, ty.elem, bits)))
            }
            InstData::Binary { op, args } if ty.elem.is_int() => self.binary(op, args, ty),
            InstData::ICmp { cc, args } => self.icmp(cc, args),
            InstData::Select { cond, then, els } => match self.func.const_bits(cond) {
                Some(0) => Some(Folded::Value(els)),
                Some(_) => Some(Folded::Value(then)),
                None if then == els => Some(Folded::Value(then)),
                None => None,
            },
            InstData::Cast { op, arg, to } => self.cast(op, arg, to),
            InstData::Splat { arg, .. } if ty.elem.is_int() => {
                Some(Folded::Const(self.func.const_bits(arg)?))
            }
            InstData::Extract { vec, lane } => self.extract(vec, lane, ty),
            InstData::PtrAdd { ptr, offset } => self.ptr_add(ptr, offset),
            InstData::WorkItem {
                query: WorkItemQuery::EnqueuedLocalSize,
                dim,
            } => {
                // OpenCL C 3.0, 6.7.2: the enqueued size must be the required one.
                let kernel = self.func.kernel.as_ref()?;
                let size = kernel.reqd_work_group_size?;
                Some(Folded::Const(u64::from(*size.get(usize::from(dim))?)))
            }
            _ => None,
        }
    }

    fn binary(&self, op: BinaryOp, [a, b]: [Value; 2], ty: Type) -> Option<Folded> {
        let (x, y) = (self.func.const_bits(a), self.func.const_bits(b));
        if let (Some(x), Some(y)) = (x, y) {
            return Some(Folded::Const(eval::binary(op, ty.elem, x, y)));
        }
        let ones = eval::mask(ty.elem);
        let value = |v| Some(Folded::Value(v));
        match (op, x, y) {
            (BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor, Some(0), _) => value(b),
            (
                BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Or
                | BinaryOp::Xor
                | BinaryOp::Shl
                | BinaryOp::LShr
                | BinaryOp::AShr
                | BinaryOp::Rotl,
                _,
                Some(0),
            ) => value(a),
            (BinaryOp::Mul, Some(1), _) => value(b),
            (BinaryOp::Mul | BinaryOp::SDiv | BinaryOp::UDiv, _, Some(1)) if ty.elem != I1.elem => {
                value(a)
            }
            (BinaryOp::Mul | BinaryOp::And, Some(0), _)
            | (BinaryOp::Mul | BinaryOp::And, _, Some(0)) => Some(Folded::Const(0)),
            (BinaryOp::And, Some(m), _) if m == ones => value(b),
            (BinaryOp::And, _, Some(m)) if m == ones => value(a),
            (BinaryOp::And | BinaryOp::Or, ..) if a == b => value(a),
            (BinaryOp::Sub | BinaryOp::Xor, ..) if a == b => Some(Folded::Const(0)),
            _ => None,
        }
    }

    fn icmp(&self, cc: IntCC, [a, b]: [Value; 2]) -> Option<Folded> {
        let elem = self.func.ty(a).elem;
        let (x, y) = (self.func.const_bits(a), self.func.const_bits(b));
        if let (Some(x), Some(y)) = (x, y) {
            return Some(Folded::Const(u64::from(eval::icmp(cc, elem, x, y))));
        }
        if a == b {
            let holds = matches!(
                cc,
                IntCC::Eq | IntCC::Sle | IntCC::Sge | IntCC::Ule | IntCC::Uge
            );
            return Some(Folded::Const(u64::from(holds)));
        }
        // C's `(x < y) != 0`, where the comparison was widened to an int.
        if y == Some(0)
            && let Some(truth) = self.widened_truth(a)
        {
            return match cc {
                IntCC::Ne => Some(Folded::Value(truth)),
                IntCC::Eq => Some(Folded::Inst(InstData::Unary {
                    op: UnaryOp::Not,
                    arg: truth,
                })),
                _ => None,
            };
        }
        None
    }

    /// The truth value that `value` is zero or non-zero by.
    fn widened_truth(&self, value: Value) -> Option<Value> {
        match *self.func.def_inst(value)? {
            InstData::Cast {
                op: CastOp::ZExt | CastOp::SExt,
                arg,
                ..
            } if self.func.ty(arg).elem == I1.elem => Some(arg),
            InstData::Select { cond, then, els } => {
                let truth = self.func.const_bits(then).is_some_and(|c| c != 0)
                    && self.func.const_bits(els) == Some(0)
                    && self.func.ty(cond).lanes == self.func.ty(value).lanes;
                truth.then_some(cond)
            }
            _ => None,
        }
    }

    fn cast(&self, op: CastOp, arg: Value, to: Type) -> Option<Folded> {
        let from = self.func.ty(arg);
        if from == to {
            return Some(Folded::Value(arg));
        }
        if op == CastOp::AddrSpaceCast {
            return self.address_space_cast(arg, to);
        }
        if matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt) {
            if let Some(bits) = self.func.const_bits(arg) {
                return Some(Folded::Const(eval::cast(op, from.elem, to.elem, bits)));
            }
            if let Some(&InstData::Cast {
                op: inner,
                arg: source,
                ..
            }) = self.func.def_inst(arg)
                && op == CastOp::Trunc
                && matches!(inner, CastOp::ZExt | CastOp::SExt)
                && self.func.ty(source) == to
            {
                return Some(Folded::Value(source));
            }
        }
        None
    }

    /// Null is null in every space; a cast of a cast starts from the first.
    fn address_space_cast(&self, arg: Value, to: Type) -> Option<Folded> {
        match *self.func.def_inst(arg)? {
            InstData::IConst { bits, .. } => Some(Folded::Const(bits)),
            InstData::Cast {
                op: CastOp::AddrSpaceCast,
                arg: source,
                ..
            } if self.func.ty(source) == to => Some(Folded::Value(source)),
            InstData::Cast {
                op: op @ CastOp::AddrSpaceCast,
                arg,
                ..
            } => Some(Folded::Inst(InstData::Cast { op, arg, to })),
            _ => None,
        }
    }

    fn extract(&self, vec: Value, lane: u16, ty: Type) -> Option<Folded> {
        match self.func.def_inst(vec)? {
            InstData::BuildVector { args } => Some(Folded::Value(*args.get(usize::from(lane))?)),
            InstData::Splat { arg, .. } => Some(Folded::Value(*arg)),
            InstData::IConst { bits, .. } => Some(Folded::Const(*bits)),
            InstData::FConst { bits, .. } => {
                Some(Folded::Inst(InstData::FConst { ty, bits: *bits }))
            }
            InstData::Insert {
                scalar, lane: at, ..
            } if *at == lane => Some(Folded::Value(*scalar)),
            InstData::Insert { vec, .. } => {
                Some(Folded::Inst(InstData::Extract { vec: *vec, lane }))
            }
            _ => None,
        }
    }

    fn ptr_add(&self, ptr: Value, offset: Value) -> Option<Folded> {
        (self.func.const_bits(offset) == Some(0)).then_some(Folded::Value(ptr))
    }
}
