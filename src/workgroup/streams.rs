//! What a kernel without loops reads and writes in passing, by the bytes of each work-item.
//!
//! Where items in a row store elements in a row to memory that the kernel does not read, a long launch may write
//! around the caches: whole lines need not be read first, which is a third of what `a = b + s * c` moves. That this is
//! so is a guess (arguments may lead to the same memory), on which nothing but speed depends.

use crate::ir::abi::Streams;
use crate::ir::bases::{self, Bases, OTHER, UNKNOWN};
use crate::ir::cfg::Cfg;
use crate::ir::{AddrSpace, Function, InstData};

use super::merge::Steps;
use super::prompt;

pub fn run(func: &Function) -> Streams {
    let cfg = Cfg::compute(func);
    let Some(roots) = bases::global_params(func).filter(|_| !prompt::has_loops(&cfg)) else {
        return Streams::default();
    };
    let order: Vec<_> = cfg.reverse_postorder().collect();
    let bases = bases::of_values(func, &order, &roots);
    let steps = Steps::new(func, &cfg);
    let mut read: Bases = 0;
    // By root: the bytes of an item.
    let mut loaded = vec![0; roots.len()];
    let mut stored = vec![0; roots.len()];
    for inst in order.iter().flat_map(|&b| &func.block(b).insts) {
        let (ptr, bytes, list) = match *func.inst(*inst) {
            InstData::Load { ty, ptr, .. } => (ptr, ty.bytes(), &mut loaded),
            InstData::Store { value, ptr, .. } => (ptr, func.ty(value).bytes(), &mut stored),
            ref other if other.has_side_effects() => return Streams::default(),
            _ => continue,
        };
        let from = bases[ptr.index()];
        match func.ty(ptr).addr_space() {
            Some(AddrSpace::Private | AddrSpace::Constant | AddrSpace::Local) => continue,
            _ if from & (UNKNOWN | OTHER) != 0 || !from.is_power_of_two() => {
                return Streams::default();
            }
            _ => {}
        }
        let root = from.trailing_zeros() as usize;
        if matches!(func.inst(*inst), InstData::Load { .. }) {
            read |= from;
        } else if steps.of(ptr) != bytes as i64 {
            return Streams::default();
        }
        list[root] = bytes.max(list[root]);
    }
    let unread = (0..roots.len()).filter(|n| read >> n & 1 == 0);
    Streams {
        stored: unread.map(|n| stored[n] as u32).sum(),
        all: loaded
            .iter()
            .chain(&stored)
            .map(|&bytes| bytes as u32)
            .sum(),
    }
}
