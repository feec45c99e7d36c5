//! `convert_` functions against their definition, for every pair of types, on the values where things change.

use super::super::hir::*;
use super::super::source::{Loc, SourceMap};
use super::super::types::{QualType, Scalar, Types};
use super::lower;
use crate::ir::{self, AddrSpace, Elem, InstData, Terminator, Value, eval, verify};

/// A function that converts its parameter, as IR.
fn converter(from: Scalar, to: Scalar, saturate: bool, rounding: Option<Rounding>) -> ir::Module {
    let mut types = Types::new();
    let (from_ty, to_ty) = (types.scalar(from), types.scalar(to));
    let param = QualType::in_space(from_ty, AddrSpace::Private);
    let loc = Loc::NONE;
    let place = Box::new(Place {
        ty: param,
        loc,
        kind: PlaceKind::Var(VarId(0)),
    });
    let load = Expr {
        ty: from_ty,
        loc,
        kind: ExprKind::Load(place),
    };
    let result = Expr {
        ty: to_ty,
        loc,
        kind: ExprKind::ConvertBuiltin {
            arg: Box::new(load),
            saturate,
            rounding,
        },
    };
    let function = Function {
        name: "f".into(),
        loc,
        ret: to_ty,
        params: vec![VarId(0)],
        vars: vec![Var {
            name: "x".into(),
            loc,
            ty: param,
            align: from.size(),
        }],
        num_labels: 0,
        kernel: None,
        always_inline: false,
        noinline: false,
        internal: false,
        body: Some(vec![Stmt {
            loc,
            kind: StmtKind::Return(Some(result)),
        }]),
    };
    let program = Program {
        functions: vec![function],
        globals: Vec::new(),
    };
    let module = lower(&program, &types, &SourceMap::new());
    verify(&module).expect("valid IR");
    module
}

/// Runs straight-line code on the bits of one argument.
fn run(module: &ir::Module, arg: u64) -> u64 {
    let func = module.functions[0].body.as_ref().expect("a body");
    let mut values = vec![0; func.num_values()];
    values[func.param_values()[0].index()] = arg;
    // The parameter's home is the only memory.
    let mut memory = 0;
    let elem = |v: Value| func.ty(v).elem;
    for &inst in &func.block(func.entry()).insts {
        let get = |v: &Value| values[v.index()];
        let result = match func.inst(inst) {
            InstData::Alloca { .. } => 0,
            InstData::Store { value, .. } => {
                memory = get(value);
                continue;
            }
            InstData::Load { .. } => memory,
            InstData::IConst { bits, .. } | InstData::FConst { bits, .. } => *bits,
            InstData::Unary { op, arg } => eval::unary(*op, elem(*arg), get(arg)),
            InstData::Binary { op, args: [a, b] } => eval::binary(*op, elem(*a), get(a), get(b)),
            InstData::ICmp { cc, args: [a, b] } => {
                u64::from(eval::icmp(*cc, elem(*a), get(a), get(b)))
            }
            InstData::FCmp { cc, args: [a, b] } => {
                u64::from(eval::fcmp(*cc, elem(*a), get(a), get(b)))
            }
            InstData::Select { cond, then, els } => get(if get(cond) != 0 { then } else { els }),
            InstData::Cast { op, arg, to } => eval::cast(*op, elem(*arg), to.elem, get(arg)),
            other => panic!("unexpected {other:?}"),
        };
        values[func.result(inst).expect("a result").index()] = result;
    }
    match func.term(func.entry()) {
        Terminator::Return(Some(value)) => values[value.index()],
        other => panic!("unexpected {other:?}"),
    }
}

/// A number that is exact for every type: an integer, or a double.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Number {
    Int(i128),
    Float(f64),
}

fn read(scalar: Scalar, bits: u64) -> Number {
    if scalar.is_float() {
        Number::Float(eval::to_f64(scalar.elem(), bits))
    } else if scalar.is_signed() {
        Number::Int(i128::from(eval::signed(scalar.elem(), bits)))
    } else {
        Number::Int(i128::from(bits))
    }
}

fn integral(x: f64, rounding: Option<Rounding>) -> f64 {
    match rounding {
        Some(Rounding::Rte) => x.round_ties_even(),
        Some(Rounding::Rtp) => x.ceil(),
        Some(Rounding::Rtn) => x.floor(),
        Some(Rounding::Rtz) | None => x.trunc(),
    }
}

/// The bits of an integer type; `None` where the result is unspecified.
fn expected_int(
    from: Number,
    to: Scalar,
    saturate: bool,
    rounding: Option<Rounding>,
) -> Option<u64> {
    let bits = to.elem().bits();
    let (min, max) = if to.is_signed() {
        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    } else {
        (0, (1i128 << bits) - 1)
    };
    let exact = match from {
        Number::Int(n) => n,
        Number::Float(x) if x.is_nan() => return saturate.then_some(0),
        // Saturates in Rust, which is far beyond `max` here.
        Number::Float(x) => integral(x, rounding) as i128,
    };
    let fits = (min..=max).contains(&exact);
    if !fits && !saturate && matches!(from, Number::Float(_)) {
        return None;
    }
    let value = if saturate {
        exact.clamp(min, max)
    } else {
        exact
    };
    Some(value as u64 & eval::mask(to.elem()))
}

/// Every value of the type in order would be consecutive keys: `key(next_up(x)) == key(x) + 1`.
fn key(elem: Elem, bits: u64) -> i64 {
    let sign = 1u64 << (elem.bits() - 1);
    if bits & sign != 0 {
        -((bits & !sign) as i64)
    } else {
        bits as i64
    }
}

fn compare(a: Number, b: f64) -> std::cmp::Ordering {
    match a {
        Number::Float(x) => x.total_cmp(&b),
        Number::Int(_) if b == f64::INFINITY => std::cmp::Ordering::Less,
        Number::Int(_) if b == f64::NEG_INFINITY => std::cmp::Ordering::Greater,
        Number::Int(n) => n.cmp(&(b as i128)),
    }
}

/// Checks the result by what the rounding means: nothing representable lies between it and the number.
fn check_float(from: Number, to: Scalar, rounding: Option<Rounding>, found: u64) -> bool {
    let elem = to.elem();
    let value = eval::to_f64(elem, found);
    if let Number::Float(x) = from
        && (x.is_nan() || x.is_infinite())
    {
        return x.is_nan() && value.is_nan() || x == value;
    }
    let order = match (from, value) {
        (Number::Float(x), v) if x == v => std::cmp::Ordering::Equal,
        _ => compare(from, value),
    };
    if order.is_eq() {
        return true;
    }
    let positive = match from {
        Number::Int(n) => n > 0,
        Number::Float(x) => x > 0.0,
    };
    let up = match rounding {
        Some(Rounding::Rtp) => true,
        Some(Rounding::Rtn) => false,
        Some(Rounding::Rtz) => !positive,
        Some(Rounding::Rte) | None => return true,
    };
    // The result is on the right side, and its neighbour on the way to the number is beyond it.
    let neighbour = {
        let k = key(elem, found) + if up { -1 } else { 1 };
        let sign = if k < 0 || (k == 0 && up && !positive) {
            1u64 << (elem.bits() - 1)
        } else {
            0
        };
        eval::to_f64(elem, k.unsigned_abs() | sign)
    };
    if up {
        order.is_lt() && compare(from, neighbour).is_gt()
    } else {
        order.is_gt() && compare(from, neighbour).is_lt()
    }
}

/// Bits worth trying: around powers of two, halves, limits, specials.
fn samples(scalar: Scalar) -> Vec<u64> {
    let elem = scalar.elem();
    let mut out = Vec::new();
    if scalar.is_float() {
        let mut xs = vec![
            0.0,
            0.5,
            1.5,
            2.5,
            65504.0,
            65519.9,
            65520.0,
            70000.0,
            1e-40,
            1e-8,
            6e-8,
            3e38,
            3.5e38,
            1e300,
            1e-300,
            2049.0,
            16777217.0,
            0.1,
            f64::INFINITY,
            f64::NAN,
        ];
        for e in 0..66 {
            let p = (e as f64).exp2();
            xs.extend([
                p,
                p - 0.5,
                p + 0.5,
                p - 1.0,
                p + 1.0,
                p * (1.0 + 1e-9),
                p * (1.0 - 1e-9),
            ]);
            xs.push(1.0 / p + 1e-12);
        }
        for x in xs {
            out.extend([eval::from_f64(elem, x), eval::from_f64(elem, -x)]);
        }
    } else {
        for e in 0..elem.bits() {
            for d in -3i64..=3 {
                let n = (1u64 << e).wrapping_add(d as u64);
                out.extend([n & eval::mask(elem), n.wrapping_neg() & eval::mask(elem)]);
            }
        }
        for n in [65504u64, 65505, 65519, 65520, 65535, 0x1234_5678_9abc_def1] {
            out.extend([n & eval::mask(elem), n.wrapping_neg() & eval::mask(elem)]);
        }
    }
    out
}

#[test]
fn conversions_round_and_saturate_as_defined() {
    let roundings = [
        None,
        Some(Rounding::Rte),
        Some(Rounding::Rtz),
        Some(Rounding::Rtp),
        Some(Rounding::Rtn),
    ];
    let types = Scalar::ALL.into_iter().filter(|&s| s != Scalar::Bool);
    for from in types.clone() {
        for to in types.clone() {
            for (rounding, saturate) in roundings.iter().flat_map(|&r| [(r, false), (r, true)]) {
                if saturate && to.is_float() {
                    continue;
                }
                let module = converter(from, to, saturate, rounding);
                for bits in samples(from) {
                    let found = run(&module, bits);
                    let number = read(from, bits);
                    let ok = if to.is_float() {
                        check_float(number, to, rounding, found)
                    } else {
                        expected_int(number, to, saturate, rounding).is_none_or(|e| e == found)
                    };
                    assert!(
                        ok,
                        "{from:?} {number:?} to {to:?} sat {saturate} {rounding:?}: {found:#x}"
                    );
                }
            }
        }
    }
}
