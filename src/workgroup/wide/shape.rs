//! Shapes: what the values of a chunk of work-items have to do with each other.
//!
//! Lane `n` of a chunk is the item with the local id `x + n`; the ids in y and z are the same. A value is *uniform*
//! (one scalar serves all lanes), *strided* (the first lane's value and a constant step), or *varying*. A strided
//! value that went through a widening conversion may have wrapped in the narrow type; it is *guarded*: the chunk finds
//! out at run time whether the lanes are as far apart as they should be.
//!
//! Source: Karrenberg and Hack, "Whole-Function Vectorization" (2011).

use crate::ir::{BinaryOp, CastOp, Function, InstData, Type, Value, WorkItemQuery};
use crate::workgroup::crossing::{Crossing, Home};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Uniform,
    /// Lane `n` holds the first lane's value and `n * step` (bytes, for a pointer), modulo the width.
    Strided {
        step: i64,
        guarded: bool,
    },
    Varying,
}
/// Steps beyond this count as varying.
const MAX_STEP: i64 = 1 << 20;

/// The shape of what a chunk brings from before its region; as deep as a cheap value is, at most.
pub fn outside(func: &Function, crossing: &Crossing, lanes: u16, value: Value) -> Option<Shape> {
    if func.param_values().contains(&value) {
        return Some(Shape::Uniform);
    }
    let shape = |v| outside(func, crossing, lanes, v);
    match (crossing.home(value), func.def_inst(value)) {
        (Home::Shared(_) | Home::Group, _) => Some(Shape::Uniform),
        (Home::Recompute, Some(data)) => transfer(func, lanes, value, data, shape),
        _ => Some(Shape::Varying),
    }
}

/// A private variable's address, or one that is computed from it.
pub fn is_private(func: &Function, crossing: &Crossing, value: Value) -> bool {
    match (crossing.home(value), func.def_inst(value)) {
        (Home::Private(_), _) => true,
        (Home::Recompute, Some(data)) => {
            let mut found = false;
            data.for_each_use(|v| found |= is_private(func, crossing, v));
            found
        }
        _ => false,
    }
}

/// The instruction makes an address from one, by adding or by name.
pub fn follows(data: &InstData) -> bool {
    matches!(
        data,
        InstData::PtrAdd { .. }
            | InstData::Cast {
                op: CastOp::AddrSpaceCast,
                ..
            }
    )
}

pub fn join(a: Shape, b: Shape) -> Shape {
    match (a, b) {
        _ if a == b => a,
        (
            Shape::Strided {
                step: x,
                guarded: g,
            },
            Shape::Strided {
                step: y,
                guarded: h,
            },
        ) if x == y => Shape::Strided {
            step: x,
            guarded: g || h,
        },
        _ => Shape::Varying,
    }
}

fn strided(ty: Type, step: i64, guarded: bool) -> Shape {
    let bits = ty.elem.bits();
    let unused = 64 - bits;
    let step = step << unused >> unused;
    if bits > 1 && (ty.elem.is_int() || ty.elem.is_ptr()) && step.abs() <= MAX_STEP {
        Shape::Strided { step, guarded }
    } else {
        Shape::Varying
    }
}

/// The shape of an instruction's result from those of its operands; `None` while one is not known.
pub fn transfer(
    func: &Function,
    lanes: u16,
    result: Value,
    data: &InstData,
    shape: impl Fn(Value) -> Option<Shape>,
) -> Option<Shape> {
    use Shape::{Strided, Uniform, Varying};
    let ty = func.ty(result);
    if let InstData::WorkItem { query, dim } = data {
        let by_lane = match query {
            WorkItemQuery::GlobalId | WorkItemQuery::LocalId => *dim == 0,
            WorkItemQuery::GlobalLinearId | WorkItemQuery::LocalLinearId => true,
            _ => false,
        };
        let lane = Strided {
            step: 1,
            guarded: false,
        };
        return Some(if by_lane { lane } else { Uniform });
    }
    let mut all_uniform = true;
    let mut known = true;
    data.for_each_use(|v| match shape(v) {
        None => known = false,
        Some(s) => all_uniform &= s == Uniform,
    });
    if !known {
        return None;
    }
    if all_uniform {
        return Some(Uniform);
    }
    Some(match *data {
        InstData::Binary { op, args: [a, b] } => {
            let (x, y) = (shape(a)?, shape(b)?);
            match (op, step_of(x), step_of(y)) {
                (BinaryOp::Add, Some((s, g)), Some((t, h))) => strided(ty, s + t, g || h),
                (BinaryOp::Sub, Some((s, g)), Some((t, h))) => strided(ty, s - t, g || h),
                (BinaryOp::Mul, Some((s, g)), Some((0, false))) if y == Uniform => {
                    constant(func, b).map_or(Varying, |c| strided(ty, s.wrapping_mul(c), g))
                }
                (BinaryOp::Mul, Some((0, false)), Some((t, h))) if x == Uniform => {
                    constant(func, a).map_or(Varying, |c| strided(ty, t.wrapping_mul(c), h))
                }
                (BinaryOp::Shl, Some((s, g)), Some((0, false))) if y == Uniform => {
                    let count = constant(func, b).map(|c| c & i64::from(ty.elem.bits() - 1));
                    match count {
                        Some(c) if c < 40 => strided(ty, s.wrapping_shl(c as u32), g),
                        _ => Varying,
                    }
                }
                _ => Varying,
            }
        }
        InstData::PtrAdd { ptr, offset } => match (step_of(shape(ptr)?), step_of(shape(offset)?)) {
            (Some((s, g)), Some((t, h))) => strided(ty, s + t, g || h),
            _ => Varying,
        },
        InstData::Cast { op, arg, .. } => match (op, shape(arg)?) {
            (CastOp::Trunc | CastOp::AddrSpaceCast, Strided { step, guarded }) => {
                strided(ty, step, guarded)
            }
            (CastOp::SExt | CastOp::ZExt, Strided { step, .. }) => {
                let far = step.abs() * i64::from(lanes);
                if far < 1 << (func.ty(arg).elem.bits() - 1) {
                    strided(ty, step, true)
                } else {
                    Varying
                }
            }
            _ => Varying,
        },
        _ => Varying,
    })
}

fn step_of(shape: Shape) -> Option<(i64, bool)> {
    match shape {
        Shape::Uniform => Some((0, false)),
        Shape::Strided { step, guarded } => Some((step, guarded)),
        Shape::Varying => None,
    }
}

fn constant(func: &Function, value: Value) -> Option<i64> {
    match func.def_inst(value)? {
        InstData::IConst { ty, bits } => {
            let unused = 64 - ty.elem.bits();
            let c = (*bits as i64) << unused >> unused;
            (c.abs() <= MAX_STEP).then_some(c)
        }
        _ => None,
    }
}
