//! Operations that one machine has an instruction for, with it and without, against the interpreter's arithmetic.

use super::*;
use crate::ir::{eval, types::*};

const TYPES: [Type; 2] = [F32, F64];

fn bits(ty: Type, x: f64) -> u64 {
    eval::from_f64(ty.elem, x)
}

fn is_nan(ty: Type, v: u64) -> bool {
    eval::to_f64(ty.elem, v).is_nan()
}

/// Of all magnitudes, subnormal ones and special values included.
fn numbers(ty: Type) -> Vec<u64> {
    let edges = [
        0.0,
        -0.0,
        1.0,
        0.75,
        0.7499999,
        1.5,
        1.4999,
        1e-30,
        3e38,
        f64::INFINITY,
        f64::NAN,
    ];
    let mut list: Vec<u64> = edges.iter().map(|&x| bits(ty, x)).collect();
    list.extend([1, 2, 77, bits(ty, f64::INFINITY) - 1, bits(ty, 1.5) - 1]);
    let mut random = Random(u64::from(ty.elem.bits()));
    // No sign bit.
    let mask = u64::MAX >> (65 - ty.elem.bits());
    list.extend((0..64).map(|_| random.next() & mask));
    list
}

#[test]
fn numbers_are_taken_apart() {
    let mut cases = Vec::new();
    for ty in TYPES {
        for op in [
            UnaryOp::FMantissa,
            UnaryOp::FExponent,
            UnaryOp::FSignificand,
            UnaryOp::FLogb,
        ] {
            let expect = move |v: &[u64]| {
                let value = eval::unary(op, ty.elem, v[0]);
                (!is_nan(ty, value)).then_some(value)
            };
            cases.push(Case {
                name: format!("{op:?}_{ty}"),
                ins: vec![ty],
                out: ty,
                build: Box::new(move |b, v| b.unary(op, v[0])),
                expect: Box::new(expect),
                tries: numbers(ty).into_iter().map(|v| vec![v]).collect(),
            });
        }
    }
    check_cases(&cases);
}

#[test]
fn numbers_are_scaled_by_powers_of_two() {
    let mut cases = Vec::new();
    for ty in TYPES {
        let most: i32 = if ty.elem == Elem::F32 { 251 } else { 2043 };
        let mut tries = Vec::new();
        for x in [
            1.0,
            -1.0,
            0.5,
            1.75,
            1.0 + f64::from(f32::EPSILON),
            -1.3,
            0.0,
            -0.0,
            f64::INFINITY,
        ] {
            for k in (-most..=most)
                .step_by(7)
                .chain([-149, -150, -1074, 0, 127, 128, 1023])
            {
                for part in [0.0, 0.5, 0.96875] {
                    if k.abs() <= most {
                        tries.push(vec![bits(ty, x), bits(ty, f64::from(k) + part)]);
                    }
                }
            }
        }
        cases.push(Case {
            name: format!("scale_{ty}"),
            ins: vec![ty, ty],
            out: ty,
            build: Box::new(|b, v| b.binary(BinaryOp::FScale, v[0], v[1])),
            expect: Box::new(move |v| Some(eval::binary(BinaryOp::FScale, ty.elem, v[0], v[1]))),
            tries,
        });
    }
    check_cases(&cases);
}

/// Estimates are compared by their error: 0 says that it is small enough, or that the special value is the right one.
#[test]
fn estimates_are_near() {
    let mut cases = Vec::new();
    for op in [UnaryOp::RecipEstimate, UnaryOp::RsqrtEstimate] {
        let list = numbers(F32).into_iter().filter(|&v| {
            let exact = eval::to_f64(Elem::F32, eval::unary(op, Elem::F32, v));
            exact.is_infinite() || exact == 0.0 || exact.abs() > 1e-37
        });
        let tries: Vec<Vec<u64>> = list
            .map(|v| vec![v, eval::unary(op, Elem::F32, v)])
            .filter(|v| !is_nan(F32, v[1]))
            .collect();
        cases.push(Case {
            name: format!("{op:?}"),
            ins: vec![F32, F32],
            out: I32,
            build: Box::new(move |b, v| {
                let lanes = b.func.ty(v[0]);
                let found = b.unary(op, v[0]);
                let difference = b.binary(BinaryOp::FSub, found, v[1]);
                let difference = b.unary(UnaryOp::FAbs, difference);
                let allowed = b.fconst(lanes, 2f64.powi(-13));
                let size = b.unary(UnaryOp::FAbs, v[1]);
                let allowed = b.binary(BinaryOp::FMul, size, allowed);
                let near = b.fcmp(FloatCC::Ole, difference, allowed);
                let same = b.fcmp(FloatCC::Oeq, found, v[1]);
                let good = b.binary(BinaryOp::Or, near, same);
                b.cast(CastOp::ZExt, good, lanes.with_elem(Elem::I32))
            }),
            expect: Box::new(|_| Some(1)),
            tries,
        });
    }
    check_cases(&cases);
}
