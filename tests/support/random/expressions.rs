//! The expressions of a random kernel: operators, comparisons, casts, addresses, and the word that is stored.

use super::generate::{Gen, INPUT_WORDS, TYPES};
use clotho::ir::types::{F32, F64, I1, I8, I16, I32, I64};
use clotho::ir::*;

const I32X4: Type = Type::vector(Elem::I32, 4);

impl Gen<'_> {
    pub(super) fn arithmetic(&mut self) {
        let ty = self.rng.pick(&TYPES);
        let (a, ua) = self.pick(ty, false);
        let (b, ub) = self.pick(ty, false);
        let mut uniform = ua && ub;
        let value = match self.rng.below(10) {
            0..5 if ty.elem.is_float() => {
                let op = self.rng.pick(&[
                    BinaryOp::FAdd,
                    BinaryOp::FSub,
                    BinaryOp::FMul,
                    BinaryOp::FDiv,
                    BinaryOp::CopySign,
                ]);
                self.b.binary(op, a, b)
            }
            0..5 => self.int_binary(ty, a, b),
            5 if ty.elem.is_float() => {
                let op = self.rng.pick(&[
                    UnaryOp::FNeg,
                    UnaryOp::FAbs,
                    UnaryOp::Sqrt,
                    UnaryOp::Floor,
                    UnaryOp::Rint,
                ]);
                self.b.unary(op, a)
            }
            5 => {
                let op = self.rng.pick(&[
                    UnaryOp::Neg,
                    UnaryOp::Not,
                    UnaryOp::Clz,
                    UnaryOp::Ctz,
                    UnaryOp::Popcount,
                    UnaryOp::BitReverse,
                ]);
                self.b.unary(op, a)
            }
            6 => {
                let cond = self.compare(a, b);
                let (c, uc) = self.pick(ty, false);
                uniform &= uc;
                self.b.select(cond, a, c)
            }
            7 if ty.is_vector() => {
                let (lane, ul) = self.pick(I32, false);
                uniform &= ul;
                let three = self.int(I32, 3);
                let lane = self.b.binary(BinaryOp::And, lane, three);
                let two = self.int(I32, 2);
                let lane = self.b.binary(BinaryOp::UMin, lane, two);
                let scalar = self.b.extract(b, 1);
                let vec = self.b.insert_dyn(a, scalar, lane);
                let element = self.b.extract_dyn(vec, lane);
                self.add(element, uniform);
                let mut mask: Vec<u16> = Vec::new();
                for _ in 0..ty.lanes {
                    mask.push(self.rng.below(2 * usize::from(ty.lanes)) as u16);
                }
                self.b.shuffle(vec, b, mask)
            }
            8 if !ty.is_vector() => match self.cast(ty, a) {
                Some(value) => value,
                None => return,
            },
            _ if !ty.is_vector() => {
                let cond = self.compare(a, b);
                self.b.cast(CastOp::ZExt, cond, I32)
            }
            _ => self.b.extract(a, 0),
        };
        self.add(value, uniform);
    }

    pub(super) fn int_binary(&mut self, ty: Type, a: Value, b: Value) -> Value {
        let op = self.rng.pick(&[
            BinaryOp::Add,
            BinaryOp::Sub,
            BinaryOp::Mul,
            BinaryOp::And,
            BinaryOp::Or,
            BinaryOp::Xor,
            BinaryOp::Shl,
            BinaryOp::LShr,
            BinaryOp::AShr,
            BinaryOp::Rotl,
            BinaryOp::SMin,
            BinaryOp::UMax,
            BinaryOp::SMulHi,
            BinaryOp::UMulHi,
            BinaryOp::SAddSat,
            BinaryOp::USubSat,
            BinaryOp::SDiv,
            BinaryOp::UDiv,
            BinaryOp::SRem,
            BinaryOp::URem,
        ]);
        let b = match op {
            BinaryOp::SDiv | BinaryOp::UDiv | BinaryOp::SRem | BinaryOp::URem => {
                let mask = self.int(ty, 0x3e);
                let small = self.b.binary(BinaryOp::And, b, mask);
                let one = self.int(ty, 1);
                self.b.binary(BinaryOp::Or, small, one)
            }
            _ => b,
        };
        self.b.binary(op, a, b)
    }

    pub(super) fn compare(&mut self, a: Value, b: Value) -> Value {
        if self.b.func.ty(a).elem.is_float() {
            let cc = self.rng.pick(FloatCC::ALL);
            self.b.fcmp(cc, a, b)
        } else {
            let cc = self.rng.pick(IntCC::ALL);
            self.b.icmp(cc, a, b)
        }
    }

    pub(super) fn cast(&mut self, from: Type, a: Value) -> Option<Value> {
        let to = self.rng.pick(&[I8, I16, I32, I64, F32, F64]);
        if from == to {
            return None;
        }
        let wider = to.elem.bits() > from.elem.bits();
        let op = match (from.elem.is_float(), to.elem.is_float()) {
            (false, false) if wider => self.rng.pick(&[CastOp::ZExt, CastOp::SExt]),
            (false, false) => CastOp::Trunc,
            (false, true) => self.rng.pick(&[CastOp::SiToFp, CastOp::UiToFp]),
            (true, true) if wider => CastOp::FpExt,
            (true, true) => CastOp::FpTrunc,
            (true, false) => {
                // Into the range that every integer has; NaN takes the limit's side.
                let low = self.b.fconst(from, 0.0);
                let high = self.b.fconst(from, 100.0);
                let x = self.b.binary(BinaryOp::FMax, a, low);
                let x = self.b.binary(BinaryOp::FMin, x, high);
                return Some(self.b.cast(CastOp::FpToSi, x, to));
            }
        };
        Some(self.b.cast(op, a, to))
    }

    /// `base + (index & (count - 1)) * size`
    pub(super) fn element(&mut self, base: Value, index: Value, count: usize, shift: i64) -> Value {
        let wide = match self.b.func.ty(index) {
            I64 => index,
            _ => self.b.cast(CastOp::ZExt, index, I64),
        };
        let mask = self.int(I64, count as i64 - 1);
        let wide = self.b.binary(BinaryOp::And, wide, mask);
        let shift = self.int(I64, shift);
        let offset = self.b.binary(BinaryOp::Shl, wide, shift);
        self.b.ptr_add(base, offset)
    }

    pub(super) fn load_input(&mut self) {
        let (index, uniform) = self.pick(I32, false);
        let at = self.element(self.input, index, INPUT_WORDS / 4, 4);
        let ty = self.rng.pick(&[I32, I16, F32, I32X4, I64]);
        let value = self.b.load(ty, at, ty.align() as u32, false);
        self.add(value, uniform);
    }

    /// The bits of one lane as `i64`; one NaN for all.
    pub(super) fn word(&mut self, mut value: Value) -> Value {
        let mut ty = self.b.func.ty(value);
        if ty.is_vector() {
            value = self
                .b
                .extract(value, self.rng.below(usize::from(ty.lanes)) as u16);
            ty = ty.lane();
        }
        if ty.elem.is_float() {
            let nan = self.b.fcmp(FloatCC::Uno, value, value);
            let one = self.b.fconst(ty, 77.0);
            let clean = self.b.select(nan, one, value);
            let bits = if ty == F64 { I64 } else { I32 };
            value = self.b.cast(CastOp::Bitcast, clean, bits);
            ty = bits;
        }
        debug_assert_ne!(ty, I1);
        if ty == I64 {
            value
        } else {
            self.b.cast(CastOp::ZExt, value, I64)
        }
    }
}
