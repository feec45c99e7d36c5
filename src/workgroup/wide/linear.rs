//! Addresses as sums of values times constants, and a constant: so that those of neighbouring fields can be told, however
//! they were computed.
//!
//! Values that are computed in the same way from the same values have the same number (value numbering). A sum of
//! `i32` that was extended is taken apart if its position says that it is exact.

use std::collections::HashMap;

use crate::ir::{BinaryOp, CastOp, Function, InstData, Type, Value, ValueDef};
use crate::workgroup::graph::Subgraph;

/// Numbers of values: those that hold the same have the same.
pub struct Numbers {
    of: Vec<Value>,
}

/// A sum: each value (sign-extended, if `true`) with its factor, in ascending order.
pub type Terms = Vec<((Value, bool), i64)>;

/// Longer sums are not taken apart.
const MAX_TERMS: usize = 8;
const MAX_DEPTH: u32 = 10;

impl Numbers {
    pub fn of(func: &Function) -> Self {
        let mut of: Vec<Value> = (0..func.num_values()).map(Value::new).collect();
        let mut known: HashMap<(InstData, Type), Value> = HashMap::new();
        for block in Subgraph::of_function(func).blocks {
            for &inst in &func.block(block).insts {
                let Some(result) = func.result(inst) else {
                    continue;
                };
                let pure = matches!(
                    func.inst(inst),
                    InstData::IConst { .. }
                        | InstData::Binary { .. }
                        | InstData::Cast { .. }
                        | InstData::PtrAdd { .. }
                        | InstData::WorkItem { .. }
                        | InstData::GlobalAddr { .. }
                        | InstData::LocalAddr { .. }
                );
                if !pure {
                    continue;
                }
                let mut data = func.inst(inst).clone();
                data.for_each_use_mut(|v| *v = of[v.index()]);
                if let InstData::Binary {
                    op: BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor,
                    args,
                } = &mut data
                {
                    args.sort_unstable();
                }
                of[result.index()] = *known.entry((data, func.ty(result))).or_insert(result);
            }
        }
        Self { of }
    }

    /// The address as a sum and a constant.
    pub fn linear(&self, func: &Function, address: Value) -> Option<(Terms, i64)> {
        let mut sum = Sum {
            numbers: self,
            func,
            terms: Vec::new(),
            constant: 0,
        };
        sum.add(address, 1, false, 0)?;
        let Sum {
            mut terms,
            constant,
            ..
        } = sum;
        terms.retain(|t| t.1 != 0);
        terms.sort_unstable();
        // Far offsets are in no struct, and differences must not overflow.
        (constant.abs() < 1 << 40).then_some((terms, constant))
    }
}

struct Sum<'a> {
    numbers: &'a Numbers,
    func: &'a Function,
    terms: Terms,
    constant: i64,
}

impl Sum<'_> {
    /// Adds `value * factor`; the value is an `i32` to be sign-extended if `narrow`.
    fn add(&mut self, value: Value, factor: i64, narrow: bool, depth: u32) -> Option<()> {
        let func = self.func;
        let ValueDef::Result(inst) = func.value(value).def else {
            return self.term(value, factor, narrow);
        };
        let exact = !narrow || func.loc(inst).exact;
        match *func.inst(inst) {
            InstData::IConst { .. } => {
                let c = func.const_int(value)?;
                self.constant = self.constant.checked_add(c.checked_mul(factor)?)?;
                Some(())
            }
            _ if depth == MAX_DEPTH => self.term(value, factor, narrow),
            InstData::PtrAdd { ptr, offset } => {
                self.add(ptr, factor, false, depth + 1)?;
                self.add(offset, factor, false, depth + 1)
            }
            InstData::Cast {
                op: CastOp::SExt,
                arg,
                ..
            } if !narrow && func.ty(arg).elem.bits() == 32 => {
                self.add(arg, factor, true, depth + 1)
            }
            InstData::Binary {
                op: BinaryOp::Add,
                args: [a, b],
            } if exact => {
                self.add(a, factor, narrow, depth + 1)?;
                self.add(b, factor, narrow, depth + 1)
            }
            InstData::Binary {
                op: BinaryOp::Sub,
                args: [a, b],
            } if exact => {
                self.add(a, factor, narrow, depth + 1)?;
                self.add(b, factor.checked_neg()?, narrow, depth + 1)
            }
            InstData::Binary {
                op: BinaryOp::Mul,
                args: [a, b],
            } if exact => match (func.const_int(a), func.const_int(b)) {
                (_, Some(c)) => self.add(a, factor.checked_mul(c)?, narrow, depth + 1),
                (Some(c), _) => self.add(b, factor.checked_mul(c)?, narrow, depth + 1),
                _ => self.term(value, factor, narrow),
            },
            InstData::Binary {
                op: BinaryOp::Shl,
                args: [a, b],
            } if !narrow => match func.const_int(b) {
                Some(c @ 0..=40) => self.add(a, factor.checked_mul(1 << c)?, narrow, depth + 1),
                _ => self.term(value, factor, narrow),
            },
            _ => self.term(value, factor, narrow),
        }
    }

    fn term(&mut self, value: Value, factor: i64, narrow: bool) -> Option<()> {
        let key = (self.numbers.of[value.index()], narrow);
        let count = self.terms.len();
        match self.terms.iter_mut().find(|t| t.0 == key) {
            Some(term) => term.1 = term.1.checked_add(factor)?,
            None if count == MAX_TERMS => return None,
            None => self.terms.push((key, factor)),
        }
        Some(())
    }
}
