//! What the functions are measured on: special values, and numbers of several distributions from a fixed seed.

use super::functions::{Function, Shape};
use super::kernels::{Batch, Column, Precision};
use half::f16;

/// One-argument float functions take every n-th float.
pub const STRIDE: u32 = 4093;

pub struct Samples {
    stride: u32,
    /// Random pairs; a third as many for double.
    count: usize,
}

impl Samples {
    pub fn new(stride: u32) -> Self {
        let more = (STRIDE / stride).clamp(1, 100) as usize;
        Self {
            stride,
            count: 120_000 * more,
        }
    }

    /// Hands out the arguments for a function in batches of at most `size`.
    pub fn batches(
        &self,
        function: &Function,
        precision: Precision,
        size: usize,
        take: &mut dyn FnMut(&Batch),
    ) {
        let mut out = Out {
            precision,
            domain: function.domain,
            both: function.shape == Shape::Two,
            size,
            batch: empty(precision, size),
            take,
        };
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ function.name.len() as u64);
        let specials = specials(precision);
        match function.shape {
            Shape::Two | Shape::TwoInt => {
                for &x in &specials {
                    for &y in &specials {
                        out.push(x, y, 0);
                    }
                    for n in 0..100 {
                        out.push(x, random.number(precision, n), 0);
                        out.push(random.number(precision, n), x, 0);
                    }
                }
                for n in 0..self.count_of(precision) {
                    let x = random.number(precision, n);
                    out.push(x, random.number(precision, n / KINDS), 0);
                }
            }
            Shape::Power => {
                let exponents = [
                    0,
                    1,
                    -1,
                    2,
                    -2,
                    3,
                    -3,
                    4,
                    5,
                    7,
                    10,
                    -10,
                    126,
                    -126,
                    127,
                    128,
                    149,
                    -149,
                    -150,
                    1023,
                    -1074,
                    i32::MAX,
                    i32::MIN,
                    i32::MAX - 1,
                    i32::MIN + 1,
                    1 << 24,
                    (1 << 24) + 1,
                ];
                for &x in &specials {
                    exponents.iter().for_each(|&k| out.push(x, 0.0, k));
                }
                for n in 0..self.count_of(precision) {
                    let x = random.number(precision, n);
                    out.push(x, 0.0, random.exponent(n / KINDS));
                }
            }
            _ => {
                specials.iter().for_each(|&x| out.push(x, 0.0, 0));
                match precision {
                    Precision::Single => {
                        let mut bits = 0u32;
                        loop {
                            out.push(f64::from(f32::from_bits(bits)), 0.0, 0);
                            match bits.checked_add(self.stride) {
                                Some(next) => bits = next,
                                None => break,
                            }
                        }
                    }
                    Precision::Half => (0..=u16::MAX)
                        .for_each(|bits| out.push(f16::from_bits(bits).to_f64(), 0.0, 0)),
                    Precision::Double => (0..self.count_of(precision))
                        .for_each(|n| out.push(random.number(precision, n), 0.0, 0)),
                }
            }
        }
        out.finish();
    }

    fn count_of(&self, precision: Precision) -> usize {
        match precision {
            Precision::Single | Precision::Half => self.count,
            Precision::Double => self.count / 3,
        }
    }
}

struct Out<'a> {
    precision: Precision,
    domain: (f64, f64),
    /// Whether the domain is that of both arguments.
    both: bool,
    size: usize,
    batch: Batch,
    take: &'a mut dyn FnMut(&Batch),
}

impl Out<'_> {
    fn push(&mut self, x: f64, y: f64, k: i32) {
        let whole = self.domain == (0.0, f64::INFINITY);
        let inside = |v: f64| whole || (self.domain.0..=self.domain.1).contains(&v.abs());
        if !inside(x) || (self.both && !inside(y)) {
            return;
        }
        self.batch.x.push(x);
        self.batch.y.push(y);
        self.batch.k.push(k);
        if self.batch.k.len() == self.size {
            self.finish();
        }
    }

    fn finish(&mut self) {
        if !self.batch.k.is_empty() {
            (self.take)(&self.batch);
            self.batch = empty(self.precision, self.size);
        }
    }
}

fn empty(precision: Precision, size: usize) -> Batch {
    Batch {
        x: Column::with_capacity(precision, size),
        y: Column::with_capacity(precision, size),
        k: Vec::with_capacity(size),
    }
}

/// Zeros, infinities, a NaN, the limits of the format, what stands next to them, powers of two, small integers, halves
/// and quarters; all with both signs.
fn specials(precision: Precision) -> Vec<f64> {
    let mut out = vec![0.0, f64::INFINITY, f64::NAN];
    let neighbours = |v: f64| match precision {
        Precision::Single => {
            let v = v as f32;
            [v.next_down(), v, v.next_up()].map(f64::from)
        }
        Precision::Double => [v.next_down(), v, v.next_up()],
        Precision::Half => {
            let bits = f16::from_f64(v).to_bits();
            [bits.saturating_sub(1), bits, bits + 1].map(|b| f16::from_bits(b).to_f64())
        }
    };
    let (least, normal, largest, bits) = match precision {
        Precision::Single => (
            f64::from(f32::from_bits(1)),
            f64::from(f32::MIN_POSITIVE),
            f64::from(f32::MAX),
            24,
        ),
        Precision::Double => (f64::from_bits(1), f64::MIN_POSITIVE, f64::MAX, 53),
        Precision::Half => (2f64.powi(-24), 2f64.powi(-14), 65504.0, 11),
    };
    out.extend([least, 2.0 * least, 3.0 * least, largest, largest / 2.0]);
    out.extend(neighbours(normal));
    for power in [
        -100,
        -40,
        -20,
        -2,
        -1,
        0,
        1,
        2,
        5,
        6,
        10,
        bits - 2,
        bits - 1,
        bits,
        bits + 1,
        31,
        32,
        63,
        64,
        100,
    ] {
        out.extend(neighbours(2f64.powi(power)));
    }
    out.extend((0..48).map(|n| f64::from(n) / 4.0));
    out.extend(
        [
            std::f64::consts::PI,
            0.1,
            1e5,
            1e-5,
            88.7,
            709.8,
            745.2,
            103.9,
        ]
        .map(|v| neighbours(v)[1]),
    );
    out.iter().flat_map(|&v| [v, -v]).collect()
}

/// How many distributions [`Random::number`] has.
const KINDS: usize = 5;

/// Xorshift (Marsaglia, 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Any bits; moderate exponents; around 1; evenly in [-750, 750]; small integers and halves.
    fn number(&mut self, precision: Precision, n: usize) -> f64 {
        let bits = self.next();
        let fraction = (self.next() >> 11) as f64 / 2f64.powi(53);
        let sign = if bits & 1 == 0 { 1.0 } else { -1.0 };
        let scale = (bits >> 8) as i32 & 31;
        let value = match n % KINDS {
            0 => match precision {
                Precision::Single => f64::from(f32::from_bits((bits >> 32) as u32)),
                Precision::Double => f64::from_bits(bits),
                Precision::Half => f16::from_bits((bits >> 48) as u16).to_f64(),
            },
            1 => sign * (1.0 + fraction) * 2f64.powi(scale - 16),
            2 => 1.0 + sign * fraction * 2f64.powi(-1 - scale),
            3 => (fraction - 0.5) * 1500.0,
            _ => f64::from((bits >> 32) as i8) / 2.0,
        };
        precision.round(value)
    }

    /// Any int; some hundreds; a few.
    fn exponent(&mut self, n: usize) -> i32 {
        let bits = (self.next() >> 32) as i32;
        match n % 3 {
            0 => bits,
            1 => bits % 1200,
            _ => bits % 40,
        }
    }
}
