//! Which values share a slot: a parameter of a block and what is passed for it, where no item needs both at once.
//!
//! What a loop across barriers carries would else be copied from one slot to another in each round, for all items. A
//! slot is read before the first instruction of an item in a region, and written where the item leaves: values of
//! which never two are alive at the same head, of those that share it, do not disturb each other. Each edge is looked at once,
//! in the order of the blocks (conservative coalescing, as of copies in register allocation: Chaitin, 1982).

use std::collections::HashMap;

use crate::ir::{Function, Value};

use super::regions::Regions;

/// For each of the values `kept`, one that has the slot which it is to have; itself for one of those that share a slot.
/// `live`: by region, what is alive at its head.
pub fn run(
    func: &Function,
    regions: &Regions,
    live: &[Vec<Value>],
    kept: &[Value],
) -> HashMap<Value, Value> {
    let words = regions.list.len().div_ceil(64);
    let mut classes = Classes {
        of: kept.iter().map(|&v| (v, v)).collect(),
        needed: kept.iter().map(|&v| (v, vec![0; words])).collect(),
    };
    for (r, values) in live.iter().enumerate() {
        values.iter().for_each(|&v| classes.need(v, r));
    }
    for &block in func.layout() {
        if let Some(r) = regions.headed_by(block) {
            func.block(block)
                .params
                .iter()
                .for_each(|&v| classes.need(v, r));
        }
    }
    for &block in func.layout() {
        func.term(block).for_each_call(|call| {
            let params = &func.block(call.block).params;
            for (&param, &arg) in params.iter().zip(&call.args) {
                classes.join(param, arg);
            }
        });
    }
    kept.iter().map(|&v| (v, classes.first(v))).collect()
}

struct Classes {
    /// Another value of the class, or the value itself, which then stands for the class.
    of: HashMap<Value, Value>,
    /// By what stands for a class: a bit for each region that needs one of its values.
    needed: HashMap<Value, Vec<u64>>,
}

impl Classes {
    fn need(&mut self, value: Value, region: usize) {
        if let Some(bits) = self.needed.get_mut(&value) {
            bits[region / 64] |= 1 << (region % 64);
        }
    }

    fn first(&self, value: Value) -> Value {
        let mut at = value;
        while self.of[&at] != at {
            at = self.of[&at];
        }
        at
    }

    fn join(&mut self, a: Value, b: Value) {
        if !self.of.contains_key(&a) || !self.of.contains_key(&b) {
            return;
        }
        let [a, b] = [a, b].map(|v| self.first(v));
        let (x, y) = (&self.needed[&a], &self.needed[&b]);
        if a == b || x.iter().zip(y).any(|(x, y)| x & y != 0) {
            return;
        }
        let both = x.iter().zip(y).map(|(x, y)| x | y).collect();
        self.needed.insert(a, both);
        self.of.insert(b, a);
    }
}
