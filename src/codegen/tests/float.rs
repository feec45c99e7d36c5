//! Floating-point arithmetic against Rust's, NaN, infinities, zeros and subnormals included.

use half::f16;

use super::*;
use crate::ir::{BinaryOp::*, FloatCC, UnaryOp};

const TYPES: [Type; 3] = [F16, F32, F64];

fn to_f64(ty: Type, bits: u64) -> f64 {
    match ty.elem {
        Elem::F16 => f16::from_bits(bits as u16).to_f64(),
        Elem::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

fn from_f64(ty: Type, value: f64) -> u64 {
    match ty.elem {
        Elem::F16 => u64::from(f16::from_f64(round_to_half(value)).to_bits()),
        Elem::F32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// The nearest value of half precision; `f16::from_f64` alone drops low bits before it rounds.
fn round_to_half(value: f64) -> f64 {
    if value.abs() >= 65520.0 || value == 0.0 || value.is_nan() {
        return if value.is_finite() && value != 0.0 {
            value.signum() * f64::INFINITY
        } else {
            value
        };
    }
    let exponent = ((value.to_bits() >> 52) & 0x7FF) as i32 - 1023;
    let quantum = 2f64.powi(exponent.max(-14) - 10);
    (value / quantum).round_ties_even() * quantum
}

/// Edge values, as bits of the type, and random ones of all magnitudes and of everyday ones.
fn values(ty: Type) -> Vec<u64> {
    let everyday = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        3.0,
        0.1,
        7.75,
        -1e3,
        65504.0,
        1e-7,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let mut list: Vec<u64> = everyday.iter().map(|&v| from_f64(ty, v)).collect();
    let one_less = from_f64(ty, f64::INFINITY) - 1;
    list.extend([1, 2, one_less, from_f64(ty, 1.0) - 1]);
    let mut random = Random(u64::from(ty.elem.bits()) + 100);
    let mask = u64::MAX >> (64 - ty.elem.bits());
    list.extend((0..8).map(|_| random.next() & mask));
    list.extend((0..8).map(|_| from_f64(ty, random.next() as i64 as f64 / 1e17)));
    list
}

fn tuples(ty: Type, count: usize) -> Vec<Vec<u64>> {
    let list = values(ty);
    let mut tuples: Vec<Vec<u64>> = vec![vec![]];
    for _ in 0..count {
        tuples = tuples
            .iter()
            .flat_map(|head| list.iter().map(|&v| [head.as_slice(), &[v]].concat()))
            .collect();
    }
    // Three operands make more tuples than a test needs.
    let step = if count == 3 { 11 } else { 1 };
    tuples.into_iter().step_by(step).collect()
}

/// The exact bits, or nothing for a NaN, whose payload is free: `check` compares NaNs by being one.
fn bits_or_nan(ty: Type, value: f64) -> Option<u64> {
    (!value.is_nan()).then(|| from_f64(ty, value))
}

fn case(
    name: &str,
    ty: Type,
    arity: usize,
    build: impl Fn(&mut Builder, &[Value]) -> Value + 'static,
    expect: impl Fn(&[u64]) -> Option<u64> + 'static,
) -> Case {
    Case {
        name: format!("{name}_{ty}"),
        ins: vec![ty; arity],
        out: ty,
        build: Box::new(build),
        expect: Box::new(expect),
        tries: tuples(ty, arity),
    }
}

/// One correctly rounded operation. Sums, products, quotients and roots of half and float that are first rounded to
/// double and then again give the same (see `arith.rs`).
fn reference(op: BinaryOp, ty: Type, a: u64, b: u64) -> Option<u64> {
    let (x, y) = (to_f64(ty, a), to_f64(ty, b));
    let value = match op {
        FAdd => x + y,
        FSub => x - y,
        FMul => x * y,
        FDiv => x / y,
        FRem => x % y,
        // Which zero comes out is free.
        FMin | FMax if x == 0.0 && y == 0.0 => return None,
        FMin => x.min(y),
        FMax => x.max(y),
        _ => unreachable!("{op:?} is for integers"),
    };
    bits_or_nan(ty, value)
}

#[test]
fn binary_operations_round_once() {
    let mut cases = Vec::new();
    for ty in TYPES {
        for op in [FAdd, FSub, FMul, FDiv, FRem, FMin, FMax] {
            cases.push(case(
                &format!("{op:?}"),
                ty,
                2,
                move |b, v| b.binary(op, v[0], v[1]),
                move |v| reference(op, ty, v[0], v[1]),
            ));
        }
        let sign = 1u64 << (ty.elem.bits() - 1);
        cases.push(case(
            "copysign",
            ty,
            2,
            |b, v| b.binary(CopySign, v[0], v[1]),
            move |v| Some(v[0] & !sign | v[1] & sign),
        ));
    }
    check_cases(&cases);
}

#[test]
fn an_operation_on_nan_gives_nan_and_minimum_ignores_it() {
    let mut cases = Vec::new();
    for ty in TYPES {
        for op in [FAdd, FSub, FMul, FDiv, FRem, FMin, FMax] {
            cases.push(Case {
                name: format!("nan_{op:?}_{ty}"),
                ins: vec![ty, ty],
                out: I1,
                build: Box::new(move |b, v| {
                    let value = b.binary(op, v[0], v[1]);
                    b.fcmp(FloatCC::Uno, value, value)
                }),
                expect: Box::new(move |v| {
                    let (x, y) = (to_f64(ty, v[0]), to_f64(ty, v[1]));
                    let nan = match op {
                        FMin | FMax => x.is_nan() && y.is_nan(),
                        FAdd => (x + y).is_nan(),
                        FSub => (x - y).is_nan(),
                        FMul => (x * y).is_nan(),
                        FDiv => (x / y).is_nan(),
                        _ => (x % y).is_nan(),
                    };
                    Some(u64::from(nan))
                }),
                tries: tuples(ty, 2),
            });
        }
    }
    check_cases(&cases);
}

#[test]
fn unary_operations_agree_with_rust() {
    let ops = [
        UnaryOp::Sqrt,
        UnaryOp::Ceil,
        UnaryOp::Floor,
        UnaryOp::Trunc,
        UnaryOp::Rint,
        UnaryOp::Round,
    ];
    let mut cases = Vec::new();
    for ty in TYPES {
        for op in ops {
            let expect = move |v: &[u64]| {
                let x = to_f64(ty, v[0]);
                let value = match op {
                    UnaryOp::Sqrt => x.sqrt(),
                    UnaryOp::Ceil => x.ceil(),
                    UnaryOp::Floor => x.floor(),
                    UnaryOp::Trunc => x.trunc(),
                    UnaryOp::Rint => x.round_ties_even(),
                    _ => x.round(),
                };
                bits_or_nan(ty, value)
            };
            cases.push(case(
                &format!("{op:?}"),
                ty,
                1,
                move |b, v| b.unary(op, v[0]),
                expect,
            ));
        }
        let sign = 1u64 << (ty.elem.bits() - 1);
        let neg = move |v: &[u64]| Some(v[0] ^ sign);
        let abs = move |v: &[u64]| Some(v[0] & !sign);
        cases.push(case("neg", ty, 1, |b, v| b.unary(UnaryOp::FNeg, v[0]), neg));
        cases.push(case("abs", ty, 1, |b, v| b.unary(UnaryOp::FAbs, v[0]), abs));
    }
    check_cases(&cases);
}

#[test]
fn fma_rounds_once_and_muladd_once_or_twice() {
    let mut cases = Vec::new();
    for ty in TYPES {
        let fused = move |v: &[u64]| {
            let [x, y, z] = [0, 1, 2].map(|n| to_f64(ty, v[n]));
            match ty.elem {
                Elem::F32 => {
                    let value = (x as f32).mul_add(y as f32, z as f32);
                    bits_or_nan(ty, f64::from(value))
                }
                // Half's product and sum are exact in double when the result is finite in half.
                Elem::F16 => bits_or_nan(ty, x.mul_add(y, z)),
                _ => bits_or_nan(ty, x.mul_add(y, z)),
            }
        };
        cases.push(case(
            "fma",
            ty,
            3,
            |b, v| b.ternary(TernaryOp::Fma, v[0], v[1], v[2]),
            fused,
        ));
    }
    check_cases(&cases);
}

#[test]
fn comparisons_know_nan() {
    use FloatCC::*;
    let ccs = [
        Oeq, One, Olt, Ole, Ogt, Oge, Ord, Ueq, Une, Ult, Ule, Ugt, Uge, Uno,
    ];
    let mut cases = Vec::new();
    for ty in TYPES {
        for cc in ccs {
            let expect = move |v: &[u64]| {
                let (x, y) = (to_f64(ty, v[0]), to_f64(ty, v[1]));
                let nan = x.is_nan() || y.is_nan();
                Some(u64::from(match cc {
                    Oeq => x == y,
                    One => x != y && !nan,
                    Olt => x < y,
                    Ole => x <= y,
                    Ogt => x > y,
                    Oge => x >= y,
                    Ord => !nan,
                    Ueq => x == y || nan,
                    Une => x != y,
                    Ult => x < y || nan,
                    Ule => x <= y || nan,
                    Ugt => x > y || nan,
                    Uge => x >= y || nan,
                    Uno => nan,
                }))
            };
            cases.push(Case {
                name: format!("{cc:?}_{ty}"),
                ins: vec![ty, ty],
                out: I1,
                build: Box::new(move |b, v| b.fcmp(cc, v[0], v[1])),
                expect: Box::new(expect),
                tries: tuples(ty, 2),
            });
        }
    }
    check_cases(&cases);
}

#[test]
fn precision_changes_round_once() {
    let mut cases = Vec::new();
    for from in TYPES {
        for to in TYPES {
            let op = match from.elem.bits().cmp(&to.elem.bits()) {
                std::cmp::Ordering::Greater => CastOp::FpTrunc,
                std::cmp::Ordering::Less => CastOp::FpExt,
                std::cmp::Ordering::Equal => continue,
            };
            let mut tries = tuples(from, 1);
            // Neighbours of every midpoint between halfs, where rounding twice goes wrong.
            if to == F16 {
                for bits in (0..0x7C00u16).step_by(7) {
                    let low = f16::from_bits(bits).to_f64();
                    let high = f16::from_bits(bits + 1).to_f64();
                    let middle = from_f64(from, (low + high.min(65536.0)) / 2.0);
                    let sign = 1 << (from.elem.bits() - 1);
                    tries.extend([middle - 1, middle, middle + 1, middle | sign].map(|v| vec![v]));
                }
            }
            cases.push(Case {
                name: format!("{op:?}_{from}_{to}"),
                ins: vec![from],
                out: to,
                build: Box::new(move |b, v| {
                    let to = b.func.ty(v[0]).with_elem(to.elem);
                    b.cast(op, v[0], to)
                }),
                expect: Box::new(move |v| bits_or_nan(to, to_f64(from, v[0]))),
                tries,
            });
        }
    }
    check_cases(&cases);
}

#[test]
fn integers_convert_both_ways() {
    let mut cases = Vec::new();
    for ty in TYPES {
        for int in [I8, I16, I32, I64] {
            let bits = int.elem.bits();
            let mask = u64::MAX >> (64 - bits);
            let mut random = Random(u64::from(bits));
            let mut ints = vec![
                0,
                1,
                2,
                3,
                mask,
                mask >> 1,
                (mask >> 1) + 1,
                1 << (bits / 2),
            ];
            ints.extend((0..20).map(|_| random.next() & mask));
            ints.extend((0..20).map(|n| (random.next() & mask) >> (n % bits)));
            let as_signed = move |v: u64| ((v << (64 - bits)) as i64) >> (64 - bits);
            // Rust's casts round once; through double i64 -> float would round twice.
            let from_signed = move |v: u64| match ty.elem {
                Elem::F32 => u64::from((as_signed(v) as f32).to_bits()),
                _ => from_f64(ty, as_signed(v) as f64),
            };
            let from_unsigned = move |v: u64| match ty.elem {
                Elem::F32 => u64::from((v as f32).to_bits()),
                _ => from_f64(ty, v as f64),
            };
            for (op, expect) in [
                (
                    CastOp::SiToFp,
                    Box::new(from_signed) as Box<dyn Fn(u64) -> u64>,
                ),
                (CastOp::UiToFp, Box::new(from_unsigned)),
            ] {
                cases.push(Case {
                    name: format!("{op:?}_{int}_{ty}"),
                    ins: vec![int],
                    out: ty,
                    build: Box::new(move |b, v| {
                        let to = b.func.ty(v[0]).with_elem(ty.elem);
                        b.cast(op, v[0], to)
                    }),
                    expect: Box::new(move |v| Some(expect(v[0]))),
                    tries: ints.iter().map(|&v| vec![v]).collect(),
                });
            }
            for op in [CastOp::FpToSi, CastOp::FpToUi] {
                let (low, high) = match op {
                    CastOp::FpToSi => (-(2f64.powi(bits as i32 - 1)), 2f64.powi(bits as i32 - 1)),
                    _ => (0.0, 2f64.powi(bits as i32)),
                };
                cases.push(Case {
                    name: format!("{op:?}_{ty}_{int}"),
                    ins: vec![ty],
                    out: int,
                    build: Box::new(move |b, v| {
                        let to = b.func.ty(v[0]).with_elem(int.elem);
                        b.cast(op, v[0], to)
                    }),
                    // Out of range anything goes, but nothing traps.
                    expect: Box::new(move |v| {
                        let x = to_f64(ty, v[0]).trunc();
                        let fits = x >= low && x < high;
                        fits.then_some(x as i128 as u64 & mask)
                    }),
                    tries: tuples(ty, 1),
                });
            }
        }
    }
    check_cases(&cases);
}

#[test]
fn relaxed_maths_contracts_a_product_and_a_sum() {
    let mut module = Module::new();
    module.add_function(group_function("k", &[GLOBAL; 1], |b, p| {
        let [x, y, z] = [0, 4, 8].map(|at| {
            let offset = b.iconst(I64, at);
            let ptr = b.ptr_add(p[0], offset);
            b.load(F32, ptr, 4, false)
        });
        let product = b.binary(FMul, x, y);
        let sum = b.binary(FAdd, product, z);
        b.store(sum, p[0], 4, false);
    }));
    let input = [1.0 + f32::EPSILON, 1.0 + f32::EPSILON, -1.0];
    let (x, y, z) = (input[0], input[1], input[2]);
    let features = Some("+fma,+avx2".to_string());
    for contract in [false, true] {
        if contract && !host_features().contains("+fma,") {
            continue;
        }
        let options = Options {
            fast_math: FastMath {
                contract,
                ..FastMath::default()
            },
            features: contract.then(|| features.clone()).flatten(),
            ..Options::default()
        };
        let loaded = loaded(&module, &options);
        let mut data = input;
        run(
            loaded.lookup("k").expect("links"),
            &[data.as_mut_ptr() as u64],
        );
        let want = if contract { x.mul_add(y, z) } else { x * y + z };
        assert_eq!(data[0].to_bits(), want.to_bits());
    }
}

#[test]
fn a_near_square_root_is_within_an_ulp_and_exact_at_the_edges() {
    let mut module = Module::new();
    module.add_function(group_function("k", &[GLOBAL], |b, p| {
        let ty = Type::vector(Elem::F32, 16);
        let x = b.load(ty, p[0], 4, false);
        let root = b.unary(UnaryOp::Sqrt, x);
        b.store(root, p[0], 4, false);
    }));
    let options = Options {
        near_sqrt: true,
        ..Options::default()
    };
    let loaded = loaded(&module, &options);
    let mut random = Random(1);
    for _ in 0..2000 {
        let mut input = [0f32; 16];
        for x in &mut input[6..] {
            *x = f32::from_bits(random.next() as u32 >> 1);
        }
        let edges = [0.0, -0.0, f32::INFINITY, -1.0, f32::NAN, f32::from_bits(1)];
        input[..6].copy_from_slice(&edges);
        let mut data = input;
        run(
            loaded.lookup("k").expect("links"),
            &[data.as_mut_ptr() as u64],
        );
        for (x, got) in input.iter().zip(data) {
            let want = x.sqrt();
            let near = got.to_bits().abs_diff(want.to_bits()) <= 1 && *x != 0.0;
            let same = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
            assert!(near || same, "sqrt({x:e}) = {got:e}, not {want:e}");
        }
    }
}
