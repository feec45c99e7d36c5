//! OpenCL vectors that differ between lanes: held component by component, so that an element-wise operation is one of
//! more lanes, and taking a component is taking a part of the vector.

use crate::ir::types::I32;
use crate::ir::{BinaryOp, CastOp, InstData, IntCC, Type, Value};

use super::{Rep, Widen};

impl Widen<'_, '_> {
    /// How many values of a work-item the vector holds for each lane.
    fn components(&self, value: Value) -> u16 {
        self.ty(value).lanes / self.lanes
    }

    pub fn shuffled(&mut self, a: Value, b: Value, mask: Vec<u16>) -> Value {
        let cur = self.cur;
        self.group.at(cur).shuffle(a, b, mask)
    }

    /// A value of one component for each lane, `count` times.
    fn repeated(&mut self, value: Value, count: u16) -> Value {
        let lanes = self.lanes;
        match count {
            1 => value,
            _ => self.shuffled(
                value,
                value,
                (0..count * lanes).map(|n| n % lanes).collect(),
            ),
        }
    }

    /// A mask or condition of the lanes for each component of `like`.
    pub fn for_components(&mut self, mask: Value, like: Value) -> Value {
        match self.ty(mask).lanes {
            1 => mask,
            n if n == self.ty(like).lanes => mask,
            _ => self.repeated(mask, self.components(like)),
        }
    }

    /// The lanes of one component.
    pub fn component(&mut self, value: Value, n: u16) -> Value {
        let lanes = self.lanes;
        if self.components(value) == 1 {
            return value;
        }
        self.shuffled(value, value, (n * lanes..(n + 1) * lanes).collect())
    }

    /// The components one behind the other.
    pub fn joined(&mut self, parts: &[Value]) -> Value {
        let [first, rest @ ..] = parts else {
            panic!("a vector has components");
        };
        if rest.is_empty() {
            return *first;
        }
        let half = parts.len().next_power_of_two() / 2;
        let (low, high) = (self.joined(&parts[..half]), self.joined(&parts[half..]));
        let (n, m) = (self.ty(low).lanes, self.ty(high).lanes);
        let high = match n == m {
            true => high,
            false => self.shuffled(high, high, (0..n).map(|k| k % m).collect()),
        };
        self.shuffled(low, high, (0..n + m).collect())
    }

    /// An instruction on OpenCL vectors that is not the same on each component.
    pub fn parts(&mut self, data: &InstData, ty: Type, args: &[Rep]) -> Option<Rep> {
        let lanes = self.lanes;
        let value = match data {
            InstData::Splat { lanes: count, .. } => {
                let value = self.lanes(&args[0]);
                self.repeated(value, *count)
            }
            InstData::BuildVector { .. } => {
                let parts: Vec<Value> = args.iter().map(|a| self.lanes(a)).collect();
                self.joined(&parts)
            }
            InstData::Extract { lane, .. } => {
                let value = self.lanes(&args[0]);
                self.component(value, *lane)
            }
            InstData::Insert { lane, .. } => {
                let (value, scalar) = (self.lanes(&args[0]), self.lanes(&args[1]));
                let count = self.components(value);
                let all = count * lanes;
                let scalar = self.repeated(scalar, count);
                let from = |n: u16| if n / lanes == *lane { all + n } else { n };
                self.shuffled(value, scalar, (0..all).map(from).collect())
            }
            InstData::ExtractDyn { .. } => {
                let (value, chosen) = (self.lanes(&args[0]), self.lanes(&args[1]));
                let mut result = self.component(value, 0);
                for n in 1..self.components(value) {
                    let this = self.component(value, n);
                    let hit = self.is_component(chosen, n, self.components(value));
                    result = self.select(hit, this, result);
                }
                result
            }
            InstData::InsertDyn { .. } => {
                let value = self.lanes(&args[0]);
                let (scalar, chosen) = (self.lanes(&args[1]), self.lanes(&args[2]));
                let mut parts = Vec::new();
                for n in 0..self.components(value) {
                    let old = self.component(value, n);
                    let hit = self.is_component(chosen, n, self.components(value));
                    parts.push(self.select(hit, scalar, old));
                }
                self.joined(&parts)
            }
            InstData::Shuffle { mask, .. } => {
                let (a, b) = (self.lanes(&args[0]), self.lanes(&args[1]));
                let mask = mask
                    .iter()
                    .flat_map(|&c| c * lanes..(c + 1) * lanes)
                    .collect();
                self.shuffled(a, b, mask)
            }
            InstData::Cast {
                op: CastOp::Bitcast,
                ..
            } => {
                let value = self.lanes(&args[0]);
                let (from, to) = (self.components(value), ty.lanes);
                if from == to {
                    return None;
                }
                let by_item = self.transposed(value, from, lanes);
                let cast = self.cast(CastOp::Bitcast, by_item, self.wide(ty));
                self.transposed(cast, lanes, to)
            }
            _ => return None,
        };
        Some(Rep::Lanes(value))
    }

    /// `rows` times `columns` elements, row by row, as `columns` times `rows`.
    fn transposed(&mut self, value: Value, rows: u16, columns: u16) -> Value {
        if rows == 1 || columns == 1 {
            return value;
        }
        let mask = (0..rows * columns).map(|n| n % rows * columns + n / rows);
        self.shuffled(value, value, mask.collect())
    }

    /// The lanes that have chosen component `n`, modulo `count` rounded up to a power of two.
    fn is_component(&mut self, chosen: Value, n: u16, count: u16) -> Value {
        let wide = self.wide(I32);
        let low = self.iconst(wide, u64::from(count.next_power_of_two() - 1));
        let chosen = self.binary(BinaryOp::And, chosen, low);
        let n = self.iconst(wide, n.into());
        let cur = self.cur;
        self.group.at(cur).icmp(IntCC::Eq, chosen, n)
    }
}
