//! What a kernel without loops reads and writes in passing, by the bytes of each work-item.
//!
//! Where items in a row store elements in a row to memory that the kernel does not read, a long launch may write
//! around the caches: whole lines need not be read first, which is a third of what `a = b + s * c` moves. Memory that it
//! reads and writes again comes sooner if it is asked for ahead. That this is so is a guess (arguments may lead to the same
//! memory), on which nothing but speed depends.

use crate::ir::abi::{Merging, Streams};
use crate::ir::bases::{self, OTHER, UNKNOWN};
use crate::ir::cfg::Cfg;
use crate::ir::{AddrSpace, Function, InstData, Type, Value};

use super::merge::Steps;
use super::{GroupKernel, prompt};

/// Bytes of a line of the cache.
const LINE: i64 = 64;

/// What the items of a kernel move that runs in chunks of so many `lanes`, and whose group function is `made` like that.
pub fn run(func: &Function, lanes: u16, made: &GroupKernel) -> Streams {
    find(func, lanes, made).unwrap_or_default()
}

fn find(func: &Function, lanes: u16, made: &GroupKernel) -> Option<Streams> {
    let cfg = Cfg::compute(func);
    let roots = bases::global_params(func).filter(|_| !prompt::has_loops(&cfg))?;
    let order: Vec<_> = cfg.reverse_postorder().collect();
    let bases = bases::of_values(func, &order, &roots);
    let [steps, down] = [0, 1].map(|dim| Steps::new(func, &cfg, dim));
    let mut moved = vec![Moved::default(); roots.len()];
    for &inst in order.iter().flat_map(|&b| &func.block(b).insts) {
        let Some((ptr, ty, stores)) = access(func, func.inst(inst))? else {
            continue;
        };
        let from = bases[ptr.index()];
        if from & (UNKNOWN | OTHER) != 0 || !from.is_power_of_two() {
            return None;
        }
        let (step, bytes) = (steps.of(ptr), ty.bytes() as i64);
        let root = &mut moved[from.trailing_zeros() as usize];
        // Rows of groups that stand alone may be short: then each chunk must be whole lines.
        let whole = made.merging == Merging::Rows || bytes * i64::from(lanes) >= LINE;
        let list = if stores {
            // Or the rows of a tile are: a lane stores a line.
            let column = step.abs() > LINE && down.of(ptr) == bytes;
            let tiled = column && bytes * i64::from(made.tiles.rows) >= LINE;
            root.in_a_row &= (step == bytes && whole) || tiled;
            &mut root.stored
        } else {
            &mut root.loaded
        };
        root.near &= step != 0 && step.abs() <= LINE;
        // What lies between the elements comes along with them.
        let taken = if step.abs() <= LINE { step.abs() } else { 0 };
        *list = bytes.max(taken).max(*list);
    }
    let sum = |of: &dyn Fn(&Moved) -> i64| moved.iter().map(of).sum::<i64>() as u32;
    let all_in_a_row = moved.iter().all(|m| m.loaded > 0 || m.in_a_row);
    let stored = |m: &Moved| if m.loaded == 0 { m.stored } else { 0 };
    let updated = |m: &Moved| if m.near { m.loaded.min(m.stored) } else { 0 };
    Some(Streams {
        stored: if all_in_a_row { sum(&stored) } else { 0 },
        updated: sum(&updated),
        all: sum(&|m| m.loaded + m.stored),
    })
}

/// What an item moves of the memory that an argument leads to, in bytes.
#[derive(Clone)]
struct Moved {
    loaded: i64,
    stored: i64,
    /// All that is stored is elements in a row.
    in_a_row: bool,
    /// The next item's is near.
    near: bool,
}

impl Default for Moved {
    fn default() -> Moved {
        Moved {
            loaded: 0,
            stored: 0,
            in_a_row: true,
            near: true,
        }
    }
}

/// What an instruction reads or stores where others may see it: the address, the type, and whether it stores. No answer if it does
/// something else there.
fn access(func: &Function, data: &InstData) -> Option<Option<(Value, Type, bool)>> {
    let (ptr, ty, stores) = match *data {
        InstData::Load { ty, ptr, .. } => (ptr, ty, false),
        InstData::Store { value, ptr, .. } => (ptr, func.ty(value), true),
        ref other => return (!other.has_side_effects()).then_some(None),
    };
    let own = matches!(
        func.ty(ptr).addr_space(),
        Some(AddrSpace::Private | AddrSpace::Constant | AddrSpace::Local)
    );
    Some((!own).then_some((ptr, ty, stores)))
}
