//! Values that stand for others: a pass notes them while it goes, and rewrites operands.

use crate::ir::{Function, Value};

/// For each value, the one to use instead.
pub struct Replacements(Vec<Option<Value>>);

impl Replacements {
    pub fn new(func: &Function) -> Self {
        Self(vec![None; func.num_values()])
    }

    /// From now on `new` stands for `old`. `new` must not lead back to `old`.
    pub fn set(&mut self, old: Value, new: Value) {
        if self.0.len() <= old.index() {
            self.0.resize(old.index() + 1, None);
        }
        self.0[old.index()] = Some(new);
    }

    /// The value at the end of the chain; shortens the chain on the way.
    pub fn get(&mut self, value: Value) -> Value {
        let mut end = value;
        while let Some(next) = self.next(end) {
            end = next;
        }
        let mut at = value;
        while let Some(next) = self.next(at) {
            self.0[at.index()] = Some(end);
            at = next;
        }
        end
    }

    fn next(&self, value: Value) -> Option<Value> {
        self.0.get(value.index()).copied().flatten()
    }

    /// Rewrites every operand of the function.
    pub fn apply(&mut self, func: &mut Function) {
        for block in func.layout().to_vec() {
            for n in 0..func.block(block).insts.len() {
                let inst = func.block(block).insts[n];
                func.inst_mut(inst).for_each_use_mut(|v| *v = self.get(*v));
            }
            if let Some(term) = func.block_mut(block).term.as_mut() {
                term.for_each_use_mut(|v| *v = self.get(*v));
            }
        }
    }
}
