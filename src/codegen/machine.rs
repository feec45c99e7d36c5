//! Operations that one machine has an instruction for and others build from several: taking a number apart in mantissa
//! and exponent, scaling by a power of two, and estimates of reciprocals.
//!
//! Invariants: outside of x86 with 512-bit vectors everything is made of LLVM's general instructions. Estimates are
//! exact there: the older instructions of x86 take subnormal numbers for zero.

use super::function::FuncGen;
use super::llvm::{Opcode, RealPredicate, Val};
use crate::ir::{Elem, Type, eval};

/// An instruction of x86 on registers of 128, 256 and 512 bits, for `f32` or `f64`.
struct Machine {
    names: [&'static str; 3],
    /// An operand behind the values.
    control: Option<u64>,
    /// On 512 bits it also takes a rounding mode.
    rounds: bool,
}

macro_rules! machine {
    ($name:literal, $control:expr, $rounds:expr) => {
        Machine {
            names: [
                concat!("llvm.x86.avx512.", $name, ".128"),
                concat!("llvm.x86.avx512.", $name, ".256"),
                concat!("llvm.x86.avx512.", $name, ".512"),
            ],
            control: $control,
            rounds: $rounds,
        }
    };
}

const RECIP: Machine = machine!("rcp14.ps", None, false);
const RSQRT: Machine = machine!("rsqrt14.ps", None, false);
const SCALE: [Machine; 2] = [
    machine!("mask.scalef.ps", None, true),
    machine!("mask.scalef.pd", None, true),
];
const EXPONENT: [Machine; 2] = [
    machine!("mask.getexp.ps", None, true),
    machine!("mask.getexp.pd", None, true),
];
/// The least mantissa of `FMantissa`.
const THREE_QUARTERS: f64 = 0.75;
/// In [3/4, 3/2); the sign is dropped of zero, and what is below it gives a NaN.
const IN_THREE_QUARTERS: u64 = 0b1111;
const MANTISSA: [Machine; 2] = [
    machine!("mask.getmant.ps", Some(IN_THREE_QUARTERS), true),
    machine!("mask.getmant.pd", Some(IN_THREE_QUARTERS), true),
];

/// In [1, 2), without the sign.
const IN_AN_OCTAVE: u64 = 0b0100;
const SIGNIFICAND: [Machine; 2] = [
    machine!("mask.getmant.ps", Some(IN_AN_OCTAVE), true),
    machine!("mask.getmant.pd", Some(IN_AN_OCTAVE), true),
];

/// What the instructions take for the rounding mode that is set.
const CURRENT_ROUNDING: u64 = 4;

/// How a floating-point format is laid out.
struct Format {
    int: Elem,
    bias: u64,
    /// Bits of the mantissa.
    mantissa: u64,
    smallest_normal: f64,
    /// Brings every subnormal number among the normal ones.
    up: f64,
    up_log2: f64,
}

const F32: Format = Format {
    int: Elem::I32,
    bias: 127,
    mantissa: 23,
    smallest_normal: 1.0 / (1u128 << 126) as f64,
    up: (1u64 << 24) as f64,
    up_log2: 24.0,
};
const F64: Format = Format {
    int: Elem::I64,
    bias: 1023,
    mantissa: 52,
    smallest_normal: f64::MIN_POSITIVE,
    up: (1u64 << 54) as f64,
    up_log2: 54.0,
};

fn format(ty: Type) -> &'static Format {
    if ty.elem == Elem::F64 { &F64 } else { &F32 }
}

fn of(ty: Type, machines: &[Machine; 2]) -> &Machine {
    &machines[usize::from(ty.elem == Elem::F64)]
}

impl FuncGen<'_, '_> {
    /// `a * 2^b` for `b` rounded down.
    pub fn scale(&self, ty: Type, a: Val, b: Val) -> Val {
        if self.unit.has_avx512 {
            return self.in_registers(ty, &[a, b], of(ty, &SCALE));
        }
        // By two products, because one power of two has no room for all exponents.
        let llvm = self.llvm;
        let format = format(ty);
        let int = ty.with_elem(format.int);
        // A NaN is no integer; `a` is a NaN then too.
        let narrow = self.unit.ty(ty.with_elem(Elem::I32));
        let b = llvm.intrinsic("llvm.floor", self.unit.ty(ty), &[b]);
        let mut k = llvm.freeze(llvm.cast(Opcode::LLVMFPToSI, b, narrow));
        if format.int == Elem::I64 {
            k = llvm.cast(Opcode::LLVMSExt, k, self.unit.ty(int));
        }
        let half = llvm.binary(Opcode::LLVMAShr, k, self.ints(int, 1));
        let rest = llvm.binary(Opcode::LLVMSub, k, half);
        let power = |k| {
            let biased = llvm.binary(Opcode::LLVMAdd, k, self.ints(int, format.bias));
            let at = self.ints(int, format.mantissa);
            let shifted = llvm.binary(Opcode::LLVMShl, biased, at);
            llvm.cast(Opcode::LLVMBitCast, shifted, self.unit.ty(ty))
        };
        let part = llvm.binary(Opcode::LLVMFMul, a, power(half));
        llvm.binary(Opcode::LLVMFMul, part, power(rest))
    }

    pub fn mantissa(&self, ty: Type, x: Val) -> Val {
        if self.unit.has_avx512 {
            return self.in_registers(ty, &[x], of(ty, &MANTISSA));
        }
        let llvm = self.llvm;
        let (bits, k, _) = self.exponent_bits(ty, x, THREE_QUARTERS);
        let m = self.without_exponent(ty, bits, k);
        let (one, nan) = (self.floats(ty, 1.0), self.floats(ty, f64::NAN));
        let finite = llvm.fcmp(
            RealPredicate::LLVMRealOLT,
            x,
            self.floats(ty, f64::INFINITY),
        );
        let m = llvm.select(finite, m, one);
        let zero = self.floats(ty, 0.0);
        let positive = llvm.fcmp(RealPredicate::LLVMRealOGT, x, zero);
        let is_zero = llvm.fcmp(RealPredicate::LLVMRealOEQ, x, zero);
        let other = llvm.select(is_zero, one, nan);
        llvm.select(positive, m, other)
    }

    pub fn exponent(&self, ty: Type, x: Val) -> Val {
        let llvm = self.llvm;
        if self.unit.has_avx512 {
            // The instruction's mantissa is in [1, 2).
            let e = self.in_registers(ty, &[x], of(ty, &EXPONENT));
            let m = self.in_registers(ty, &[x], of(ty, &MANTISSA));
            let one = self.floats(ty, 1.0);
            let below = llvm.fcmp(RealPredicate::LLVMRealOLT, m, one);
            let more = llvm.binary(Opcode::LLVMFAdd, e, one);
            return llvm.select(below, more, e);
        }
        self.exponent_from(ty, x, THREE_QUARTERS)
    }

    pub fn significand(&self, ty: Type, x: Val) -> Val {
        if self.unit.has_avx512 {
            return self.in_registers(ty, &[x], of(ty, &SIGNIFICAND));
        }
        let llvm = self.llvm;
        let a = llvm.intrinsic("llvm.fabs", self.unit.ty(ty), &[x]);
        let (bits, k, _) = self.exponent_bits(ty, a, 1.0);
        let m = self.without_exponent(ty, bits, k);
        let m = llvm.select(self.is_zero_or_infinite(ty, a), self.floats(ty, 1.0), m);
        let ordered = llvm.fcmp(RealPredicate::LLVMRealORD, a, a);
        llvm.select(ordered, m, a)
    }

    pub fn logb(&self, ty: Type, x: Val) -> Val {
        if self.unit.has_avx512 {
            return self.in_registers(ty, &[x], of(ty, &EXPONENT));
        }
        let a = self.llvm.intrinsic("llvm.fabs", self.unit.ty(ty), &[x]);
        self.exponent_from(ty, a, 1.0)
    }

    /// e of a positive x = m * 2^e with m in [from, 2 from).
    fn exponent_from(&self, ty: Type, x: Val, from: f64) -> Val {
        let llvm = self.llvm;
        let zero = self.floats(ty, 0.0);
        let (_, k, moved) = self.exponent_bits(ty, x, from);
        let narrow = self.unit.ty(ty.with_elem(Elem::I32));
        let k = match format(ty).int {
            Elem::I32 => k,
            _ => llvm.cast(Opcode::LLVMTrunc, k, narrow),
        };
        let e = llvm.cast(Opcode::LLVMSIToFP, k, self.unit.ty(ty));
        let by = llvm.select(moved, self.floats(ty, format(ty).up_log2), zero);
        let e = llvm.binary(Opcode::LLVMFSub, e, by);
        let finite = llvm.fcmp(
            RealPredicate::LLVMRealOLT,
            x,
            self.floats(ty, f64::INFINITY),
        );
        let e = llvm.select(finite, e, x);
        let is_zero = llvm.fcmp(RealPredicate::LLVMRealOEQ, x, zero);
        llvm.select(is_zero, self.floats(ty, f64::NEG_INFINITY), e)
    }

    fn is_zero_or_infinite(&self, ty: Type, x: Val) -> Val {
        let llvm = self.llvm;
        let same = |to| llvm.fcmp(RealPredicate::LLVMRealOEQ, x, self.floats(ty, to));
        llvm.binary(Opcode::LLVMOr, same(0.0), same(f64::INFINITY))
    }

    /// The number of these bits by 2^-k.
    fn without_exponent(&self, ty: Type, bits: Val, k: Val) -> Val {
        let llvm = self.llvm;
        let int = ty.with_elem(format(ty).int);
        let shifted = llvm.binary(Opcode::LLVMShl, k, self.ints(int, format(ty).mantissa));
        let m = llvm.binary(Opcode::LLVMSub, bits, shifted);
        llvm.cast(Opcode::LLVMBitCast, m, self.unit.ty(ty))
    }

    /// The bits of a positive number, those of a subnormal one scaled; the exponent that leaves a mantissa in
    /// [from, 2 from); and whether it was scaled.
    fn exponent_bits(&self, ty: Type, x: Val, from: f64) -> (Val, Val, Val) {
        let llvm = self.llvm;
        let format = format(ty);
        let int = ty.with_elem(format.int);
        let least = self.floats(ty, format.smallest_normal);
        let subnormal = llvm.fcmp(RealPredicate::LLVMRealOLT, x, least);
        let scaled = llvm.binary(Opcode::LLVMFMul, x, self.floats(ty, format.up));
        let x = llvm.select(subnormal, scaled, x);
        let bits = llvm.cast(Opcode::LLVMBitCast, x, self.unit.ty(int));
        let k = llvm.binary(
            Opcode::LLVMSub,
            bits,
            self.ints(int, eval::from_f64(ty.elem, from)),
        );
        let k = llvm.binary(Opcode::LLVMAShr, k, self.ints(int, format.mantissa));
        (bits, k, subnormal)
    }

    /// About 1 / x.
    pub fn recip_estimate(&self, ty: Type, x: Val) -> Val {
        if self.unit.has_avx512 {
            return self.in_registers(ty, &[x], &RECIP);
        }
        let one = self.floats(ty, 1.0);
        self.llvm.binary(Opcode::LLVMFDiv, one, x)
    }

    /// The square root, within one ulp and a half where that is quicker than a correctly rounded one and allowed.
    pub fn sqrt(&self, ty: Type, x: Val) -> Val {
        let llvm = self.llvm;
        let lty = self.unit.ty(ty);
        let fills_register = ty.elem == Elem::F32 && ty.lanes >= 16;
        if !(self.near_sqrt && self.unit.has_avx512 && fills_register) {
            return llvm.with_fast_math(llvm.intrinsic("llvm.sqrt", lty, &[x]), self.flags);
        }
        // y = (1 + e) / sqrt(x), s = x y: the step takes off what 1 - s y = -2 e - e^2 says.
        let y = self.in_registers(ty, &[x], &RSQRT);
        let s = llvm.binary(Opcode::LLVMFMul, x, y);
        let half = llvm.binary(Opcode::LLVMFMul, s, self.floats(ty, 0.5));
        let off = llvm.intrinsic("llvm.fma", lty, &[llvm.fneg(s), y, self.floats(ty, 1.0)]);
        let root = llvm.intrinsic("llvm.fma", lty, &[half, off, s]);
        llvm.select(self.is_zero_or_infinite(ty, x), x, root)
    }

    /// About 1 / sqrt(x).
    pub fn rsqrt_estimate(&self, ty: Type, x: Val) -> Val {
        if self.unit.has_avx512 {
            return self.in_registers(ty, &[x], &RSQRT);
        }
        let root = self.llvm.intrinsic("llvm.sqrt", self.unit.ty(ty), &[x]);
        let one = self.floats(ty, 1.0);
        self.llvm.binary(Opcode::LLVMFDiv, one, root)
    }

    fn floats(&self, ty: Type, x: f64) -> Val {
        let bits = match ty.elem {
            Elem::F32 => u64::from((x as f32).to_bits()),
            _ => x.to_bits(),
        };
        let one = self.llvm.const_float_bits(self.unit.elem(ty.elem), bits);
        self.splat_const(one, ty.lanes)
    }

    fn ints(&self, ty: Type, n: u64) -> Val {
        let one = self.llvm.const_int(self.unit.elem(ty.elem), n);
        self.splat_const(one, ty.lanes)
    }

    /// Applies an instruction to the lanes, in as many registers as they fill.
    fn in_registers(&self, ty: Type, args: &[Val], machine: &Machine) -> Val {
        let llvm = self.llvm;
        let lanes = u32::from(ty.lanes);
        let args: Vec<Val> = args
            .iter()
            .map(|&arg| if lanes == 1 { self.splat(arg, 2) } else { arg })
            .collect();
        let have = lanes.max(2);
        let least = 128 / ty.elem.bits();
        let size = have.next_power_of_two().clamp(least, 4 * least);
        let name = machine.names[(size / least).ilog2() as usize];
        let register = llvm.vector(self.unit.elem(ty.elem), size);
        let all_lanes = llvm.const_int(llvm.int(size.max(8)), (1 << size) - 1);
        let apply = |from: u32| {
            let lanes: Vec<Option<u32>> =
                (from..from + size).map(|n| Some(n.min(have - 1))).collect();
            let mut operands: Vec<Val> = args
                .iter()
                .map(|&arg| llvm.shuffle(arg, llvm.poison(llvm.type_of(arg)), &lanes))
                .collect();
            let control = |n| llvm.const_int(llvm.int(32), n);
            operands.extend(machine.control.map(control));
            operands.extend([llvm.null(register), all_lanes]);
            if machine.rounds && size == 4 * least {
                operands.push(control(CURRENT_ROUNDING));
            }
            llvm.intrinsic_of(name, &[], &operands)
        };
        let mut parts: Vec<Val> = (0..have).step_by(size as usize).map(apply).collect();
        let mut width = size;
        while parts.len() > 1 {
            width *= 2;
            let both: Vec<Option<u32>> = (0..width).map(Some).collect();
            parts = parts
                .chunks(2)
                .map(|pair| llvm.shuffle(pair[0], pair[pair.len() - 1], &both))
                .collect();
        }
        let whole = parts[0];
        if lanes == 1 {
            return llvm.extract(whole, llvm.const_int(llvm.int(32), 0));
        }
        let out: Vec<Option<u32>> = (0..lanes).map(Some).collect();
        llvm.shuffle(whole, llvm.poison(llvm.type_of(whole)), &out)
    }
}
