//! Where a kernel's private variables (allocas) are kept while a whole group runs.
//!
//! Items run one after the other through a region, so that one copy is enough for a variable that no item needs again
//! in a later region. Else each item has a copy in scratch. A copy on the stack must be small: private arrays may be
//! large, and the threads' stacks are not.

use crate::ir::{CastOp, Function, Inst, InstData, Value};

use super::elements;
use super::regions::Regions;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// One copy, an alloca of the group function.
    Stack,
    /// One copy, in the fixed part of the scratch.
    Fixed,
    /// A copy for each item.
    Item,
}

/// One of the kernel's variables, with its place.
pub struct Private {
    pub address: Value,
    pub size: u64,
    pub align: u32,
    pub place: Place,
    /// The bytes of an element, if every use is an access to elements of one size.
    pub elements: Option<u64>,
}

/// How the copies for the lanes of a chunk are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copies {
    /// Whole copies, so many bytes from one to the next.
    Apart(i64),
    /// Of each element, which has so many bytes, first all lanes.
    Elements(u64),
    /// They would be too large.
    Never,
}

/// The most bytes of a variable that has copies for lanes.
const MAX_COPIED: u64 = 1 << 16;

impl Private {
    /// Bytes from one copy to the next.
    pub fn stride(&self) -> u64 {
        let align = u64::from(self.align.max(8));
        self.size.max(1).next_multiple_of(align)
    }

    /// The copies if they are the chunk's own.
    pub fn copies(&self) -> Copies {
        match self.elements {
            Some(bytes) if self.stride() <= MAX_COPIED => Copies::Elements(bytes),
            _ => self.copies_apart(self.stride()),
        }
    }

    pub fn copies_apart(&self, stride: u64) -> Copies {
        match stride {
            _ if stride > MAX_COPIED => Copies::Never,
            _ => Copies::Apart(stride as i64),
        }
    }
}

/// The variables in order; `regions_of` tells which regions a block (by index) is in.
pub fn run(
    func: &Function,
    regions: &Regions,
    regions_of: &[Vec<usize>],
    stack_limit: u64,
) -> Vec<Private> {
    let allocas: Vec<(Value, u64, u32)> = func
        .block(func.entry())
        .insts
        .iter()
        .filter_map(|&inst| match *func.inst(inst) {
            InstData::Alloca { size, align } => Some((func.result(inst)?, size, align)),
            _ => None,
        })
        .collect();
    if allocas.is_empty() {
        return Vec::new();
    }
    let uses = uses_by_variable(func, &allocas);
    let elements = elements::run(func, &allocas);
    let mut on_stack = 0;
    let mut out = Vec::new();
    for ((&(address, size, align), uses), elements) in allocas.iter().zip(uses).zip(elements) {
        let crosses = uses.escapes || !stays_in_one_run(regions, regions_of, &uses.blocks);
        let place = if crosses {
            Place::Item
        } else if on_stack + size <= stack_limit {
            on_stack += size;
            Place::Stack
        } else {
            Place::Fixed
        };
        out.push(Private {
            address,
            size,
            align,
            place,
            elements,
        });
    }
    out
}

#[derive(Default)]
struct Uses {
    /// Indices of the blocks where its address, or one made from it, is used.
    blocks: Vec<usize>,
    /// Its address goes where it can't be followed.
    escapes: bool,
}

/// One walk over the function: addresses are made only from addresses before them in dominance order, so that going
/// through the blocks until nothing changes is not needed; a parameter ends the trail as an escape.
fn uses_by_variable(func: &Function, allocas: &[(Value, u64, u32)]) -> Vec<Uses> {
    let mut uses: Vec<Uses> = allocas.iter().map(|_| Uses::default()).collect();
    // The variables that a value may point to.
    let mut roots: Vec<Vec<u32>> = vec![Vec::new(); func.num_values()];
    for (n, &(address, ..)) in (0u32..).zip(allocas) {
        roots[address.index()].push(n);
    }
    for block in super::graph::Subgraph::of_function(func).blocks {
        for &inst in &func.block(block).insts {
            let mut here: Vec<u32> = Vec::new();
            func.inst(inst)
                .for_each_use(|v| here.extend(&roots[v.index()]));
            if here.is_empty() {
                continue;
            }
            here.sort_unstable();
            here.dedup();
            for &n in &here {
                uses[n as usize].blocks.push(block.index());
            }
            match (derives(func, inst), func.result(inst)) {
                (true, Some(result)) => roots[result.index()] = here,
                _ => escaping_operands(func.inst(inst), |v| {
                    for &n in &roots[v.index()] {
                        uses[n as usize].escapes = true;
                    }
                }),
            }
        }
        func.term(block).for_each_use(|v| {
            for &n in &roots[v.index()] {
                uses[n as usize].escapes = true;
            }
        });
    }
    for list in &mut uses {
        list.blocks.sort_unstable();
        list.blocks.dedup();
    }
    uses
}

/// The result is an address in the same variable.
fn derives(func: &Function, inst: Inst) -> bool {
    match func.inst(inst) {
        InstData::PtrAdd { .. } | InstData::Select { .. } => true,
        InstData::Cast { op, .. } => matches!(op, CastOp::AddrSpaceCast | CastOp::Bitcast),
        _ => false,
    }
}

/// Calls `f` with the operands that the instruction keeps or hands on, rather than reads or writes through.
fn escaping_operands(data: &InstData, mut f: impl FnMut(Value)) {
    match data {
        InstData::Load { .. }
        | InstData::AtomicLoad { .. }
        | InstData::MemCpy { .. }
        | InstData::MemSet { .. }
        | InstData::ICmp { .. }
        | InstData::Printf { .. } => {}
        InstData::Store { value, .. }
        | InstData::AtomicStore { value, .. }
        | InstData::AtomicRmw { value, .. } => f(*value),
        InstData::AtomicCmpXchg { expected, new, .. } => {
            f(*expected);
            f(*new);
        }
        other => other.for_each_use(f),
    }
}

/// All blocks are in one region alone, and no item comes to that region twice.
fn stays_in_one_run(regions: &Regions, regions_of: &[Vec<usize>], blocks: &[usize]) -> bool {
    let mut home = None;
    for &block in blocks {
        match regions_of[block][..] {
            [r] if home.is_none_or(|h| h == r) => home = Some(r),
            _ => return false,
        }
    }
    home.is_none_or(|r| !regions.reachable_from(|from| from == r)[r])
}
