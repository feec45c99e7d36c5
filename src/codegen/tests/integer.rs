//! Integer arithmetic against Rust's, with every pair of edge values.

use super::*;
use crate::ir::{BinaryOp::*, IntCC, UnaryOp};

const TYPES: [Type; 4] = [I8, I16, I32, I64];

fn mask(ty: Type) -> u64 {
    u64::MAX >> (64 - ty.elem.bits())
}

fn signed(ty: Type, bits: u64) -> i128 {
    let up = 64 - ty.elem.bits();
    i128::from(((bits << up) as i64) >> up)
}

/// Edge values of a type, and some random ones.
fn values(ty: Type) -> Vec<u64> {
    let mut random = Random(u64::from(ty.elem.bits()));
    let half = 1u64 << (ty.elem.bits() - 1);
    let mut list = vec![
        0,
        1,
        2,
        3,
        7,
        u64::MAX,
        u64::MAX - 1,
        half,
        half - 1,
        half + 1,
        half >> 1,
    ];
    list.extend((0..6).map(|_| random.next()));
    list.extend((0..4).map(|_| random.next() & 0xFF));
    list.iter().map(|v| v & mask(ty)).collect()
}

fn pairs(ty: Type) -> Vec<Vec<u64>> {
    let list = values(ty);
    list.iter()
        .flat_map(|&a| list.iter().map(move |&b| vec![a, b]))
        .collect()
}

fn reference(op: BinaryOp, ty: Type, a: u64, b: u64) -> u64 {
    let bits = ty.elem.bits();
    let (ua, ub) = (u128::from(a), u128::from(b));
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let count = (b % u64::from(bits)) as u32;
    let (smin, smax) = (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1);
    let umax = u128::from(mask(ty));
    let wide = match op {
        Add => ua.wrapping_add(ub),
        Sub => ua.wrapping_sub(ub),
        Mul => ua.wrapping_mul(ub),
        UDiv => ua.checked_div(ub).unwrap_or(0),
        URem => ua.checked_rem(ub).unwrap_or(0),
        SDiv => sa.checked_div(sb).unwrap_or(0) as u128,
        SRem => sa.checked_rem(sb).unwrap_or(0) as u128,
        Shl => ua << count,
        LShr => ua >> count,
        AShr => (sa >> count) as u128,
        Rotl => ua << count | ua >> (bits - count),
        And => ua & ub,
        Or => ua | ub,
        Xor => ua ^ ub,
        SMin => sa.min(sb) as u128,
        SMax => sa.max(sb) as u128,
        UMin => ua.min(ub),
        UMax => ua.max(ub),
        SMulHi => ((sa * sb) >> bits) as u128,
        UMulHi => (ua * ub) >> bits,
        SAddSat => (sa + sb).clamp(smin, smax) as u128,
        SSubSat => (sa - sb).clamp(smin, smax) as u128,
        UAddSat => (ua + ub).min(umax),
        USubSat => ua.saturating_sub(ub),
        _ => unreachable!("{op:?} is for floating point"),
    };
    wide as u64 & mask(ty)
}

#[test]
fn binary_operations_agree_with_wide_arithmetic() {
    let ops = [
        Add, Sub, Mul, UDiv, URem, SDiv, SRem, Shl, LShr, AShr, Rotl, And, Or, Xor, SMin, SMax,
        UMin, UMax, SMulHi, UMulHi, SAddSat, SSubSat, UAddSat, USubSat,
    ];
    let mut cases = Vec::new();
    for ty in TYPES {
        for op in ops {
            cases.push(Case {
                name: format!("{op:?}_{ty}"),
                ins: vec![ty, ty],
                out: ty,
                build: Box::new(move |b, v| b.binary(op, v[0], v[1])),
                expect: Box::new(move |v| Some(reference(op, ty, v[0], v[1]))),
                tries: pairs(ty),
            });
        }
    }
    check_cases(&cases);
}

#[test]
fn division_by_a_constant_does_not_trap() {
    let mut cases = Vec::new();
    for ty in [I8, I32, I64] {
        for op in [SDiv, UDiv, SRem, URem] {
            for divisor in [0, 1, 3, 8, mask(ty)] {
                cases.push(Case {
                    name: format!("{op:?}_{ty}_{divisor}"),
                    ins: vec![ty],
                    out: ty,
                    build: Box::new(move |b, v| {
                        let ty = b.func.ty(v[0]);
                        let divisor = b.iconst(ty, divisor);
                        b.binary(op, v[0], divisor)
                    }),
                    expect: Box::new(move |v| Some(reference(op, ty, v[0], divisor))),
                    tries: values(ty).into_iter().map(|v| vec![v]).collect(),
                });
            }
        }
    }
    check_cases(&cases);
}

#[test]
fn unary_operations_agree_with_rust() {
    let ops = [
        UnaryOp::Neg,
        UnaryOp::Not,
        UnaryOp::Clz,
        UnaryOp::Ctz,
        UnaryOp::Popcount,
        UnaryOp::BitReverse,
    ];
    let mut cases = Vec::new();
    for ty in TYPES {
        for op in ops {
            let bits = ty.elem.bits();
            let expect = move |v: &[u64]| {
                let a = v[0];
                let value = match op {
                    UnaryOp::Neg => a.wrapping_neg(),
                    UnaryOp::Not => !a,
                    UnaryOp::Clz => u64::from(a.leading_zeros() - (64 - bits)),
                    UnaryOp::Ctz => u64::from(a.trailing_zeros().min(bits)),
                    UnaryOp::Popcount => u64::from(a.count_ones()),
                    _ => a.reverse_bits() >> (64 - bits),
                };
                Some(value & mask(ty))
            };
            cases.push(Case {
                name: format!("{op:?}_{ty}"),
                ins: vec![ty],
                out: ty,
                build: Box::new(move |b, v| b.unary(op, v[0])),
                expect: Box::new(expect),
                tries: values(ty).into_iter().map(|v| vec![v]).collect(),
            });
        }
    }
    check_cases(&cases);
}

#[test]
fn comparisons_and_selects_agree_with_rust() {
    let ccs = [
        IntCC::Eq,
        IntCC::Ne,
        IntCC::Slt,
        IntCC::Sle,
        IntCC::Sgt,
        IntCC::Sge,
        IntCC::Ult,
        IntCC::Ule,
        IntCC::Ugt,
        IntCC::Uge,
    ];
    let mut cases = Vec::new();
    for ty in TYPES {
        for cc in ccs {
            let holds = move |v: &[u64]| {
                let (a, b) = (v[0], v[1]);
                let (sa, sb) = (signed(ty, a), signed(ty, b));
                match cc {
                    IntCC::Eq => a == b,
                    IntCC::Ne => a != b,
                    IntCC::Slt => sa < sb,
                    IntCC::Sle => sa <= sb,
                    IntCC::Sgt => sa > sb,
                    IntCC::Sge => sa >= sb,
                    IntCC::Ult => a < b,
                    IntCC::Ule => a <= b,
                    IntCC::Ugt => a > b,
                    IntCC::Uge => a >= b,
                }
            };
            cases.push(Case {
                name: format!("select_{cc:?}_{ty}"),
                ins: vec![ty, ty],
                out: ty,
                build: Box::new(move |b, v| {
                    let cond = b.icmp(cc, v[0], v[1]);
                    b.select(cond, v[0], v[1])
                }),
                expect: Box::new(move |v| Some(if holds(v) { v[0] } else { v[1] })),
                tries: pairs(ty),
            });
            cases.push(Case {
                name: format!("truth_{cc:?}_{ty}"),
                ins: vec![ty, ty],
                out: I1,
                build: Box::new(move |b, v| b.icmp(cc, v[0], v[1])),
                expect: Box::new(move |v| Some(u64::from(holds(v)))),
                tries: pairs(ty),
            });
        }
    }
    check_cases(&cases);
}

#[test]
fn widths_change_as_in_rust() {
    let mut cases = Vec::new();
    for from in TYPES {
        for to in TYPES {
            let ops: &[CastOp] = match from.elem.bits().cmp(&to.elem.bits()) {
                std::cmp::Ordering::Greater => &[CastOp::Trunc],
                std::cmp::Ordering::Less => &[CastOp::ZExt, CastOp::SExt],
                std::cmp::Ordering::Equal => &[CastOp::Bitcast],
            };
            for &op in ops {
                cases.push(Case {
                    name: format!("{op:?}_{from}_{to}"),
                    ins: vec![from],
                    out: to,
                    build: Box::new(move |b, v| {
                        let to = b.func.ty(v[0]).with_elem(to.elem);
                        b.cast(op, v[0], to)
                    }),
                    expect: Box::new(move |v| {
                        Some(match op {
                            CastOp::SExt => signed(from, v[0]) as u64 & mask(to),
                            _ => v[0] & mask(to),
                        })
                    }),
                    tries: values(from).into_iter().map(|v| vec![v]).collect(),
                });
            }
        }
    }
    check_cases(&cases);
}
