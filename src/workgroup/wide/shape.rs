//! Shapes: what the values of a chunk of work-items have to do with each other.
//!
//! Lane `n` of a chunk is the item with the local id `x + n`; the ids in y and z are the same. A value is *uniform*
//! (one scalar serves all lanes), *strided* (the first lane's value and a constant step), or *varying*. A strided value
//! whose lanes are most often a step apart, but need not be, is *guarded*: the chunk finds out at run time. It went
//! through a widening conversion and may have wrapped in the narrow type, or through a minimum, a mask, a quotient or
//! a remainder with a uniform value. It is *exact* if it is known not to wrap, as a signed number.
//!
//! Source: Karrenberg and Hack, "Whole-Function Vectorization" (2011).

use crate::ir::{
    BinaryOp, CastOp, Collective, Function, InstData, Team, Type, UnaryOp, Value, ValueDef,
    WorkItemQuery,
};
use crate::workgroup::crossing::{Crossing, Home};
use crate::workgroup::private::Copies;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Uniform,
    /// Lane `n` holds the first lane's value and `n * step` (bytes, for a pointer), modulo the width.
    Strided {
        step: i64,
        guarded: bool,
        exact: bool,
    },
    Varying,
}
/// Steps beyond this count as varying.
const MAX_STEP: i64 = 1 << 20;

/// The items of a row that a shape is of.
#[derive(Clone, Copy)]
pub struct Span {
    /// How many, at most.
    items: u16,
    /// They are the lanes of a chunk, and all of them run; else they begin anywhere, and may be fewer.
    is_chunk: bool,
}

impl Span {
    pub fn chunk(lanes: u16) -> Self {
        Self {
            items: lanes,
            is_chunk: true,
        }
    }

    /// Items of a row one after the other.
    pub fn run(items: u16) -> Self {
        Self {
            items,
            is_chunk: false,
        }
    }
}

/// The shape of what items bring from before their region; as deep as a cheap value is, at most.
pub fn outside(func: &Function, crossing: &Crossing, span: Span, value: Value) -> Option<Shape> {
    if func.param_values().contains(&value) {
        return Some(Shape::Uniform);
    }
    let shape = |v| outside(func, crossing, span, v);
    match (crossing.home(value), func.def_inst(value)) {
        (Home::Shared(_) | Home::Group, _) => Some(Shape::Uniform),
        (Home::Private(_), _) => Some(match crossing.copies(value) {
            Copies::Apart(step) => strided(func.ty(value), step, Facts::default()),
            Copies::Elements(_) | Copies::Never => Shape::Varying,
        }),
        (Home::Recompute, Some(data)) => transfer(func, span, value, data, shape),
        _ => Some(Shape::Varying),
    }
}

/// What else is known of strided lanes.
#[derive(Clone, Copy, Default)]
struct Facts {
    guarded: bool,
    exact: bool,
}

impl Facts {
    /// Of what is made from two values.
    fn and(self, other: Self) -> Self {
        Self {
            guarded: self.guarded || other.guarded,
            exact: self.exact && other.exact,
        }
    }
}

const SURE: Facts = Facts {
    guarded: false,
    exact: true,
};

pub fn join(a: Shape, b: Shape) -> Shape {
    match (a, b) {
        _ if a == b => a,
        (
            Shape::Strided {
                step: x,
                guarded: g,
                exact: e,
            },
            Shape::Strided {
                step: y,
                guarded: h,
                exact: f,
            },
        ) if x == y => Shape::Strided {
            step: x,
            guarded: g || h,
            exact: e && f,
        },
        _ => Shape::Varying,
    }
}

fn strided(ty: Type, step: i64, facts: Facts) -> Shape {
    let bits = ty.elem.bits();
    let unused = 64 - bits;
    let step = step << unused >> unused;
    if bits > 1
        && !ty.is_vector()
        && (ty.elem.is_int() || ty.elem.is_ptr())
        && step.abs() <= MAX_STEP
    {
        let Facts { guarded, exact } = facts;
        Shape::Strided {
            step,
            guarded,
            exact,
        }
    } else {
        Shape::Varying
    }
}

/// The shape of what the lanes of a chunk make together.
pub fn together(team: Team, op: Collective, of_last: Option<Shape>) -> Option<Shape> {
    Some(match (team, op) {
        // By one index for all, one lane's operand.
        (_, Collective::Shuffle) => match of_last? {
            Shape::Uniform => Shape::Uniform,
            _ => Shape::Varying,
        },
        (Team::SubGroup, _) if op.gives_one() => Shape::Uniform,
        _ => Shape::Varying,
    })
}

/// The shape of an instruction's result from those of its operands; `None` while one is not known.
pub fn transfer(
    func: &Function,
    span: Span,
    result: Value,
    data: &InstData,
    shape: impl Fn(Value) -> Option<Shape>,
) -> Option<Shape> {
    use Shape::{Strided, Uniform, Varying};
    let ty = func.ty(result);
    if let InstData::WorkItem { query, dim } = data {
        let by_lane = match query {
            WorkItemQuery::GlobalId | WorkItemQuery::LocalId => *dim == 0,
            // Where these are asked, the chunks are the sub-groups.
            WorkItemQuery::SubGroupId | WorkItemQuery::SubGroupLocalId if !span.is_chunk => {
                return Some(Varying);
            }
            WorkItemQuery::GlobalLinearId
            | WorkItemQuery::LocalLinearId
            | WorkItemQuery::SubGroupLocalId => true,
            _ => false,
        };
        return Some(if by_lane {
            strided(ty, 1, SURE)
        } else {
            Uniform
        });
    }
    if differs_by_itself(data) {
        return Some(Varying);
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
            // Facts of a sum or product whose position promises that it does not wrap. (Not all items of a run need get there.)
            let promised = |facts: Facts| Facts {
                exact: facts.exact && span.is_chunk && is_exact(func, result),
                ..facts
            };
            match (op, step_of(x), step_of(y)) {
                (BinaryOp::Add, Some((s, f)), Some((t, g))) => {
                    strided(ty, s + t, promised(f.and(g)))
                }
                (BinaryOp::Sub, Some((s, f)), Some((t, g))) => {
                    strided(ty, s - t, promised(f.and(g)))
                }
                (BinaryOp::Mul, Some((s, f)), Some(_)) if y == Uniform => match constant(func, b) {
                    Some(c) => strided(ty, s.wrapping_mul(c), promised(f)),
                    None if s == 0 => strided(ty, 0, promised(f)),
                    None => Varying,
                },
                (BinaryOp::Mul, Some(_), Some((t, g))) if x == Uniform => match constant(func, a) {
                    Some(c) => strided(ty, t.wrapping_mul(c), promised(g)),
                    None if t == 0 => strided(ty, 0, promised(g)),
                    None => Varying,
                },
                (BinaryOp::Shl, Some((s, f)), Some(_)) if y == Uniform => {
                    let count = constant(func, b).map(|c| c & i64::from(ty.elem.bits() - 1));
                    match count {
                        Some(c) if c < 40 => strided(ty, s.wrapping_shl(c as u32), promised(f)),
                        None if s == 0 => strided(ty, 0, promised(f)),
                        _ => Varying,
                    }
                }
                _ if y == Uniform => match bitwise(func, span, result, op, (a, x), b) {
                    Varying => at_run_time(ty, span, op, x, true),
                    found => found,
                },
                (BinaryOp::Or | BinaryOp::Xor | BinaryOp::And, _, _) if x == Uniform => {
                    match bitwise(func, span, result, op, (b, y), a) {
                        Varying => at_run_time(ty, span, op, y, false),
                        found => found,
                    }
                }
                _ if x == Uniform => at_run_time(ty, span, op, y, false),
                _ => Varying,
            }
        }
        InstData::Unary {
            op: UnaryOp::Neg,
            arg,
        } => match shape(arg)? {
            Strided { step, guarded, .. } => {
                let exact = false;
                strided(ty, -step, Facts { guarded, exact })
            }
            _ => Varying,
        },
        InstData::Select { cond, then, els } if shape(cond)? == Uniform => {
            match (shape(then)?, shape(els)?) {
                (a @ Strided { .. }, b @ Strided { .. }) => join(a, b),
                _ => Varying,
            }
        }
        InstData::PtrAdd { ptr, offset } => match (step_of(shape(ptr)?), step_of(shape(offset)?)) {
            (Some((s, f)), Some((t, g))) => strided(ty, s + t, f.and(g)),
            _ => Varying,
        },
        InstData::Cast { op, arg, .. } => {
            let Some((step, facts)) = step_of(shape(arg)?) else {
                return Some(Varying);
            };
            match op {
                CastOp::Trunc => {
                    let exact = is_narrow_id(func, arg) && ty.elem.bits() == 32;
                    let guarded = facts.guarded && low_bits_are_guarded(func, arg, ty, &shape, 0);
                    strided(ty, step, Facts { guarded, exact })
                }
                CastOp::AddrSpaceCast | CastOp::PtrToInt | CastOp::IntToPtr
                    if ty.elem.bits() <= func.ty(arg).elem.bits() =>
                {
                    let exact = false;
                    strided(ty, step, Facts { exact, ..facts })
                }
                CastOp::SExt if facts.exact => strided(ty, step, facts),
                CastOp::ZExt if facts.exact && is_small_id(func, arg) => strided(ty, step, facts),
                CastOp::SExt | CastOp::ZExt => {
                    let far = step.abs() * i64::from(span.items);
                    if far < 1 << (func.ty(arg).elem.bits() - 1) {
                        let (guarded, exact) = (true, false);
                        strided(ty, step, Facts { guarded, exact })
                    } else {
                        Varying
                    }
                }
                _ => Varying,
            }
        }
        _ => Varying,
    })
}

/// Whether the low bits of a guarded value, those of the type `narrow`, need a guard as well: not if it is a sum or
/// product of what was extended from them. Bits of a sum do not depend on those above.
fn low_bits_are_guarded(
    func: &Function,
    value: Value,
    narrow: Type,
    shape: &impl Fn(Value) -> Option<Shape>,
    depth: u32,
) -> bool {
    let guarded = |v: Value| {
        !matches!(
            shape(v),
            Some(Shape::Uniform | Shape::Strided { guarded: false, .. })
        )
    };
    if !guarded(value) {
        return false;
    }
    match func.def_inst(value) {
        _ if depth == MAX_DEPTH => true,
        Some(&InstData::Cast {
            op: CastOp::ZExt | CastOp::SExt,
            arg,
            ..
        }) if func.ty(arg).elem.bits() >= narrow.elem.bits() => {
            low_bits_are_guarded(func, arg, narrow, shape, depth + 1)
        }
        Some(&InstData::Binary {
            op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul,
            args,
        }) => args
            .into_iter()
            .any(|arg| low_bits_are_guarded(func, arg, narrow, shape, depth + 1)),
        _ => true,
    }
}

/// The position of the instruction that computes the value promises that it does not wrap.
fn is_exact(func: &Function, value: Value) -> bool {
    match func.value(value).def {
        ValueDef::Result(inst) => func.loc(inst).exact,
        ValueDef::Param(..) => false,
    }
}

/// An id in the group, or low bits of a number, which fits an `i32` and is not negative as one; or one in x, where chunks run only
/// if their ids do not wrap as `i32` (`Group::narrow`).
fn is_narrow_id(func: &Function, value: Value) -> bool {
    if let Some(&InstData::Binary {
        op: BinaryOp::And,
        args,
    }) = func.def_inst(value)
    {
        let small = |bits: u64| bits <= i32::MAX as u64;
        return args
            .into_iter()
            .any(|arg| func.const_bits(arg).is_some_and(small));
    }
    matches!(
        func.def_inst(value),
        Some(
            InstData::WorkItem {
                query: WorkItemQuery::LocalId
                    | WorkItemQuery::LocalLinearId
                    | WorkItemQuery::SubGroupLocalId,
                ..
            } | InstData::WorkItem {
                query: WorkItemQuery::GlobalId,
                dim: 0,
            }
        )
    )
}

/// Such an id as an `i32`.
fn is_small_id(func: &Function, value: Value) -> bool {
    match func.def_inst(value) {
        Some(InstData::Binary { .. }) => is_narrow_id(func, value),
        Some(&InstData::Cast {
            op: CastOp::Trunc,
            arg,
            to,
        }) => to.elem.bits() == 32 && is_narrow_id(func, arg),
        _ => false,
    }
}

/// An operation on a strided value (the left operand, if `left`) and a uniform one whose lanes are a step apart most
/// often: the chunk compares those of the first and last lane.
fn at_run_time(ty: Type, span: Span, op: BinaryOp, strided_value: Shape, left: bool) -> Shape {
    let Shape::Strided { step, exact, .. } = strided_value else {
        return Shape::Varying;
    };
    let guarded = true;
    let facts = Facts {
        guarded,
        exact: false,
    };
    match op {
        _ if step <= 0 => Shape::Varying,
        // The last lane must tell of those between: in a narrow type the lanes may come round more than once.
        _ if step * i64::from(span.items - 1) >= 1 << (ty.elem.bits() - 1).min(40) => {
            Shape::Varying
        }
        // The first and last lane are as far from each other as before if the guard holds.
        BinaryOp::SMin | BinaryOp::SMax => strided(ty, step, Facts { guarded, exact }),
        // Low bits, which are not negative as a number.
        BinaryOp::And => strided(
            ty,
            step,
            Facts {
                guarded,
                exact: true,
            },
        ),
        BinaryOp::UMin | BinaryOp::UMax | BinaryOp::Or | BinaryOp::Xor => strided(ty, step, facts),
        BinaryOp::SRem | BinaryOp::URem if left => strided(ty, step, facts),
        BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::LShr | BinaryOp::AShr if left => {
            strided(ty, 0, facts)
        }
        _ => Shape::Varying,
    }
}

fn step_of(shape: Shape) -> Option<(i64, Facts)> {
    match shape {
        Shape::Uniform => Some((0, SURE)),
        Shape::Strided {
            step,
            guarded,
            exact,
        } => Some((step, Facts { guarded, exact })),
        Shape::Varying => None,
    }
}

/// A constant that may be a step.
fn constant(func: &Function, value: Value) -> Option<i64> {
    let steps = -MAX_STEP..=MAX_STEP;
    func.const_int(value).filter(|c| steps.contains(c))
}

/// Each item has a result of its own, whatever the operands; or each must run it.
fn differs_by_itself(data: &InstData) -> bool {
    matches!(
        data,
        InstData::Call { .. }
            | InstData::Device { .. }
            | InstData::Printf { .. }
            | InstData::AtomicRmw { .. }
            | InstData::AtomicCmpXchg { .. }
            | InstData::Load { volatile: true, .. }
    )
}

/// An operation on the bits of a strided value `a` and a uniform one. Where the lanes differ in low bits only, which are
/// 0 in the first lane, each bit is the first lane's or the lane number's own.
fn bitwise(
    func: &Function,
    span: Span,
    result: Value,
    op: BinaryOp,
    (a, shape): (Value, Shape),
    b: Value,
) -> Shape {
    use Shape::{Strided, Uniform, Varying};
    let ty = func.ty(result);
    let Strided { step, guarded, .. } = shape else {
        return Varying;
    };
    let exact = false;
    let facts = Facts { guarded, exact };
    let free = zeros_below(func, span, a, 0).min(ty.elem.bits() - 1);
    if step <= 0 || step * i64::from(span.items - 1) >= 1 << free.min(40) {
        return Varying;
    }
    let unless_guarded = if guarded { Varying } else { Uniform };
    let shift_right = |by: u32| match by {
        _ if by >= free => unless_guarded,
        _ if step % (1 << by) == 0 => strided(ty, step >> by, facts),
        _ => Varying,
    };
    let keep_low = |mask: u64| {
        let low = (1u64 << free) - 1;
        match mask & low {
            0 => unless_guarded,
            // Not negative in any lane: the lanes do not wrap.
            kept if kept == low => strided(
                ty,
                step,
                Facts {
                    guarded,
                    exact: mask >> (ty.elem.bits() - 1) == 0,
                },
            ),
            _ => Varying,
        }
    };
    let known = func.const_bits(b);
    match op {
        BinaryOp::Or | BinaryOp::Xor if zeros_below(func, span, b, 0) >= free => {
            strided(ty, step, facts)
        }
        BinaryOp::And => known.map_or(Varying, keep_low),
        BinaryOp::LShr | BinaryOp::AShr => known.map_or(Varying, |c| {
            shift_right((c & u64::from(ty.elem.bits() - 1)) as u32)
        }),
        BinaryOp::UDiv => match known {
            Some(c) if c.is_power_of_two() => shift_right(c.trailing_zeros()),
            _ => Varying,
        },
        BinaryOp::URem => match known {
            Some(c) if c.is_power_of_two() => keep_low(c - 1),
            _ => Varying,
        },
        _ => Varying,
    }
}

/// As deep as an expression is looked at.
const MAX_DEPTH: u32 = 8;

/// How many low bits of the first lane's value are 0. A chunk starts at a multiple of its lanes.
fn zeros_below(func: &Function, span: Span, value: Value, depth: u32) -> u32 {
    let bits = func.ty(value).elem.bits();
    let of = |v: Value| zeros_below(func, span, v, depth + 1);
    let zeros = match func.def_inst(value) {
        _ if depth == MAX_DEPTH => 0,
        Some(InstData::IConst { bits, .. }) => bits.trailing_zeros(),
        Some(InstData::WorkItem {
            query: WorkItemQuery::LocalId,
            dim: 0,
        }) if span.is_chunk => span.items.trailing_zeros(),
        // Of the first lane it is 0.
        Some(InstData::WorkItem {
            query: WorkItemQuery::SubGroupLocalId,
            ..
        }) => bits,
        Some(&InstData::Binary { op, args: [a, b] }) => match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Or | BinaryOp::Xor => of(a).min(of(b)),
            BinaryOp::Mul => of(a) + of(b),
            BinaryOp::And => of(a).max(of(b)),
            BinaryOp::Shl => match func.const_bits(b) {
                Some(c) => of(a) + (c & u64::from(bits - 1)) as u32,
                None => of(a),
            },
            _ => 0,
        },
        Some(&InstData::Cast {
            op: CastOp::Trunc | CastOp::ZExt | CastOp::SExt,
            arg,
            ..
        }) => of(arg),
        _ => 0,
    };
    zeros.min(bits)
}
