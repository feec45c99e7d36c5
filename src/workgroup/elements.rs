//! Which private variables are accessed by elements of one size alone, so that they can be laid out element by element:
//! every use of an address is a load, a store, an addition, or a fill or copy of whole elements.

use crate::ir::{Elem, Function, InstData, Value};

use super::graph::Subgraph;

/// What is known of a variable.
#[derive(Clone)]
struct Known {
    /// Bytes of an element, as the accesses so far tell.
    bytes: Option<u64>,
    refused: bool,
    /// What the sizes and alignments of fills and copies have in common.
    divides: u64,
}

/// The bytes of an element of each variable, if it has such.
pub fn run(func: &Function, allocas: &[(Value, u64, u32)]) -> Vec<Option<u64>> {
    let mut pass = Pass {
        root: vec![None; func.num_values()],
        known: vec![
            Known {
                bytes: None,
                refused: false,
                divides: 0,
            };
            allocas.len()
        ],
    };
    for (n, alloca) in allocas.iter().enumerate() {
        pass.root[alloca.0.index()] = Some(n);
    }
    for block in Subgraph::of_function(func).blocks {
        for &inst in &func.block(block).insts {
            pass.inst(func, func.inst(inst), func.result(inst));
        }
        func.term(block).for_each_use(|v| pass.refuse(v));
    }
    let found = pass.known.into_iter().map(|k| {
        let whole = |bytes: &u64| k.divides % bytes == 0;
        k.bytes.filter(|_| !k.refused).filter(whole)
    });
    found.collect()
}

struct Pass {
    /// The variable that a value points into.
    root: Vec<Option<usize>>,
    known: Vec<Known>,
}

impl Pass {
    fn refuse(&mut self, value: Value) {
        if let Some(n) = self.root[value.index()] {
            self.known[n].refused = true;
        }
    }

    fn access(&mut self, ptr: Value, elem: Elem, align: u32, volatile: bool) {
        let Some(n) = self.root[ptr.index()] else {
            return;
        };
        let known = &mut self.known[n];
        let bytes = elem.bytes();
        let fits = known.bytes.is_none_or(|b| b == bytes);
        known.bytes = Some(bytes);
        known.refused |= !fits || volatile || elem == Elem::I1 || u64::from(align) < bytes;
    }

    fn many(&mut self, ptr: Value, size: u64, align: u32) {
        if let Some(n) = self.root[ptr.index()] {
            let known = &mut self.known[n];
            known.divides = gcd(gcd(known.divides, size), align.max(1).into());
        }
    }

    fn inst(&mut self, func: &Function, data: &InstData, result: Option<Value>) {
        match *data {
            InstData::PtrAdd { ptr, offset } => {
                self.refuse(offset);
                if let Some(result) = result {
                    self.root[result.index()] = self.root[ptr.index()];
                }
            }
            InstData::Load {
                ty,
                ptr,
                align,
                volatile,
            } => self.access(ptr, ty.elem, align, volatile),
            InstData::Store {
                value,
                ptr,
                align,
                volatile,
            } => {
                self.refuse(value);
                self.access(ptr, func.ty(value).elem, align, volatile);
            }
            InstData::MemSet {
                dst,
                byte,
                size,
                align,
            } => {
                self.many(dst, size, align);
                if func.const_bits(byte).is_none() {
                    self.refuse(dst);
                }
            }
            InstData::MemCpy {
                dst,
                src,
                size,
                align,
            } => {
                if self.root[dst.index()] == self.root[src.index()] {
                    self.refuse(dst);
                }
                self.many(dst, size, align);
                self.many(src, size, align);
            }
            _ => data.for_each_use(|v| self.refuse(v)),
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        _ => gcd(b, a % b),
    }
}
