//! Several rows, or several chunks of a row, in one pass through a region: what unroll-and-jam is to loops.
//!
//! Between barriers work-items may run in any order, so that the loops over items may be unrolled and their bodies run
//! in lockstep, instruction by instruction, as long as all copies take the same branches. What does not depend on the
//! copy is computed and loaded once for all of them (a row of a matrix that all rows of a group multiply with), and
//! copies give the processor independent work (so that their loops need not read ahead, but for what all of them share). This works on the code of a chunk as it stands in the group function.
//!
//! Items that race on memory may see each other's stores in another order than before; OpenCL promises them nothing.
//! Within one item the order of its accesses stays. Atomics, calls and volatile accesses are not jammed, nor is what
//! keeps one copy of a private variable for all items.

use std::collections::{HashMap, HashSet};

use crate::ir::{
    AddrSpace, Block, BlockCall, Builder, CastOp, Function, InstData, Terminator, Value,
};

/// The code of a chunk: from `start` up to, and without, `latch`.
pub struct Body {
    pub start: Block,
    pub latch: Block,
    /// In reverse postorder.
    blocks: Vec<Block>,
    /// The instructions of its loops are in here, by block.
    hot: Vec<bool>,
    /// By block: a loop begins here.
    heads: Vec<bool>,
}

/// What depends on the copy.
pub struct Jam {
    pub variant: HashSet<Value>,
    /// How many copies pay: a power of two.
    pub copies: u64,
    /// How many of them are chunks of one row, where copies are of several rows.
    pub abreast: u64,
}

/// Bodies with more instructions than this are left alone, as are loops with more of them that differ by copy.
const MAX_BODY: usize = 400;
const MAX_HOT: usize = 48;

/// The vectors that a loop of all copies together may carry from one iteration to the next, so that they stay in
/// registers: half of the 32 of AVX-512.
const MAX_CARRIED: usize = 16;

/// Fewer rows at once are not worth code of their own, if more may be.
pub const LEAST_ROWS: u64 = 4;
/// Chunks of one row in a block of several rows and chunks.
const ABREAST: u64 = 2;

impl Body {
    /// `None` if the code is too big.
    pub fn new(out: &Function, start: Block, latch: Block) -> Option<Self> {
        let mut blocks = Vec::new();
        let mut seen = HashSet::from([start, latch]);
        let mut stack = vec![(start, out.successors(start), 0)];
        let mut size = 0;
        while let Some((block, succs, next)) = stack.last_mut() {
            match succs.get(*next).copied() {
                Some(succ) => {
                    *next += 1;
                    if seen.insert(succ) {
                        stack.push((succ, out.successors(succ), 0));
                    }
                }
                None => {
                    size += out.block(*block).insts.len();
                    blocks.push(*block);
                    stack.pop();
                }
            }
            if size > MAX_BODY {
                return None;
            }
        }
        blocks.reverse();
        let (hot, heads) = loop_blocks(out, &blocks);
        Some(Self {
            start,
            latch,
            blocks,
            hot,
            heads,
        })
    }

    pub fn has_loops(&self) -> bool {
        self.hot.contains(&true)
    }

    /// Whether running several copies, which differ by `seeds`, is possible and pays, in a group function with its
    /// scratch. `known` are the other values of the blocks `around` that each copy can be given.
    pub fn plan(
        &self,
        (out, scratch): (&Function, Value),
        seeds: &[Value],
        known: &[Value],
        around: &[Block],
    ) -> Option<Jam> {
        let jam = self.possible((out, scratch), seeds, known, around)?;
        self.loads(out, |v| !jam.variant.contains(&v))
            .then_some(jam)
    }

    /// The same, whether or not copies share something.
    fn possible(
        &self,
        (out, scratch): (&Function, Value),
        seeds: &[Value],
        known: &[Value],
        around: &[Block],
    ) -> Option<Jam> {
        let mut given: HashSet<Value> = HashSet::new();
        for &block in around {
            let data = out.block(block);
            let results = data.insts.iter().filter_map(|&i| out.result(i));
            given.extend(data.params.iter().copied().chain(results));
        }
        given.retain(|v| !seeds.contains(v) && !known.contains(v));
        let variant = self.variant(out, seeds);
        for &block in &self.blocks {
            let mut strange = false;
            for &inst in &out.block(block).insts {
                may_run_in_lockstep((out, scratch), &variant, out.inst(inst))?;
                out.inst(inst)
                    .for_each_use(|v| strange |= given.contains(&v));
            }
            out.term(block)
                .for_each_use(|v| strange |= given.contains(&v));
            if strange {
                return None;
            }
            if let Terminator::Branch { cond: v, .. } | Terminator::Switch { value: v, .. } =
                out.term(block)
                && variant.contains(v)
            {
                return None;
            }
        }
        let differs = |block: Block| {
            let insts = out.block(block).insts.iter();
            insts
                .filter(|&&inst| out.result(inst).is_none_or(|r| variant.contains(&r)))
                .count()
        };
        let differ: usize = self.hot_blocks().map(differs).sum();
        let copies = match self.carried(out, &variant) {
            0..=2 => 8,
            3..=4 => 4,
            5..=8 => 2,
            _ => return None,
        };
        (1..=MAX_HOT).contains(&differ).then_some(Jam {
            variant,
            copies,
            abreast: 1,
        })
    }

    fn hot_blocks(&self) -> impl Iterator<Item = Block> {
        let blocks = self.blocks.iter().zip(&self.hot);
        blocks.filter(|(_, hot)| **hot).map(|(&block, _)| block)
    }

    /// Whether loops load something of which `wanted` says yes.
    fn loads(&self, out: &Function, wanted: impl Fn(Value) -> bool) -> bool {
        let insts = self.hot_blocks().flat_map(|block| &out.block(block).insts);
        let mut loads = insts.filter(|&&inst| matches!(out.inst(inst), InstData::Load { .. }));
        loads.any(|&inst| out.result(inst).is_some_and(&wanted))
    }

    /// The plan for several chunks of each of several rows, where rows share some loads and chunks others (a block of a
    /// product of matrices): two chunks abreast, if what loops carry still fits in registers. `row` and `chunk` are what
    /// tells copies apart that way, `item` depends on both; otherwise as [`Self::plan`].
    pub fn plan_block(
        &self,
        (out, scratch): (&Function, Value),
        [row, chunk, item]: [Value; 3],
        around: &[Block],
    ) -> Option<Jam> {
        let by_row = self.variant(out, &[row, item]);
        let by_chunk = self.variant(out, &[chunk, item]);
        let only = |a: &HashSet<Value>, b: &HashSet<Value>| {
            self.loads(out, |v| a.contains(&v) && !b.contains(&v))
        };
        if !only(&by_row, &by_chunk) || !only(&by_chunk, &by_row) {
            return None;
        }
        let jam = self.possible((out, scratch), &[row, chunk, item], &[], around)?;
        let carried = self.carried(out, &jam.variant) as u64;
        let most = MAX_CARRIED as u64 / (carried.max(1) * ABREAST);
        let rows = jam.copies.min(1 << most.max(1).ilog2());
        (rows >= LEAST_ROWS).then_some(Jam {
            copies: rows * ABREAST,
            abreast: ABREAST,
            ..jam
        })
    }

    /// The most vectors that differ by copy which a loop carries. What a loop carries, the loop around it carries as well.
    fn carried(&self, out: &Function, variant: &HashSet<Value>) -> usize {
        let heads = self
            .blocks
            .iter()
            .zip(&self.heads)
            .filter(|(_, head)| **head);
        let vectors = heads.map(|(&block, _)| {
            let params = out.block(block).params.iter();
            params
                .filter(|&&p| variant.contains(&p) && out.ty(p).is_vector())
                .count()
        });
        vectors.max().unwrap_or(0)
    }

    pub fn uses(&self, out: &Function, value: Value) -> bool {
        let mut found = false;
        for &block in &self.blocks {
            for &inst in &out.block(block).insts {
                out.inst(inst).for_each_use(|v| found |= v == value);
            }
        }
        found
    }

    /// The least set that holds `seeds` and what is computed from its members.
    fn variant(&self, out: &Function, seeds: &[Value]) -> HashSet<Value> {
        let mut variant: HashSet<Value> = seeds.iter().copied().collect();
        loop {
            let before = variant.len();
            for &block in &self.blocks {
                for &inst in &out.block(block).insts {
                    let Some(result) = out.result(inst) else {
                        continue;
                    };
                    let mut differs = false;
                    out.inst(inst)
                        .for_each_use(|v| differs |= variant.contains(&v));
                    if differs {
                        variant.insert(result);
                    }
                }
                out.term(block).for_each_call(|call| {
                    let params = &out.block(call.block).params;
                    for (&param, arg) in params.iter().zip(&call.args) {
                        if variant.contains(arg) {
                            variant.insert(param);
                        }
                    }
                });
            }
            if variant.len() == before {
                return variant;
            }
        }
    }

    /// Emits the copies between `from` and `to`: `seeds` tells for each seed what it is in each copy.
    pub fn emit(
        &self,
        out: &mut Function,
        jam: &Jam,
        seeds: &[(Value, Vec<Value>)],
        from: Block,
        to: Block,
    ) {
        let copies = seeds[0].1.len();
        let mut blocks: HashMap<Block, Block> = HashMap::from([(self.latch, to)]);
        let mut maps: Vec<HashMap<Value, Value>> = vec![HashMap::new(); copies];
        for (seed, values) in seeds {
            for (map, &value) in maps.iter_mut().zip(values) {
                map.insert(*seed, value);
            }
        }
        for &block in &self.blocks {
            let clone = out.add_block();
            out.block_mut(clone).unroll = out.block(block).unroll;
            blocks.insert(block, clone);
            for param in out.block(block).params.clone() {
                let ty = out.ty(param);
                self.each(jam, &mut maps, param, |_| out.add_param(clone, ty));
            }
        }
        for (&block, &hot) in self.blocks.iter().zip(&self.hot) {
            let here = blocks[&block];
            for inst in out.block(block).insts.clone() {
                let data = out.inst(inst).clone();
                if hot && matches!(data, InstData::Prefetch { ptr } if jam.variant.contains(&ptr)) {
                    continue;
                }
                let (loc, result) = (out.loc(inst), out.result(inst));
                let ty = result.map(|r| out.ty(r));
                let mut differs = false;
                data.for_each_use(|v| differs |= jam.variant.contains(&v));
                let count = if differs { copies } else { 1 };
                for n in 0..count {
                    let mut data = data.clone();
                    data.for_each_use_mut(|v| *v = maps[n].get(v).copied().unwrap_or(*v));
                    let mut b = Builder::new(out);
                    b.switch_to(here);
                    b.set_loc(loc);
                    let inst = b.push(data, ty);
                    if let (Some(old), Some(new)) = (result, out.result(inst)) {
                        if differs {
                            maps[n].insert(old, new);
                        } else {
                            maps.iter_mut().for_each(|map| _ = map.insert(old, new));
                        }
                    }
                }
            }
            let mut term = out.term(block).clone();
            let loc = out.block(block).term_loc;
            if let Terminator::Branch { cond: v, .. } | Terminator::Switch { value: v, .. } =
                &mut term
            {
                *v = maps[0].get(v).copied().unwrap_or(*v);
            }
            term.for_each_call_mut(|call| {
                let params = &out.block(call.block).params;
                let mut args = Vec::new();
                for (param, arg) in params.iter().zip(&call.args) {
                    let count = if jam.variant.contains(param) {
                        copies
                    } else {
                        1
                    };
                    let of = |map: &HashMap<Value, Value>| map.get(arg).copied().unwrap_or(*arg);
                    args.extend(maps[..count].iter().map(of));
                }
                *call = BlockCall {
                    block: blocks[&call.block],
                    args,
                };
            });
            let mut b = Builder::new(out);
            b.switch_to(here);
            b.set_loc(loc);
            b.terminate(term);
        }
        let mut b = Builder::new(out);
        b.switch_to(from);
        b.jump(blocks[&self.start], Vec::new());
    }

    /// Makes what stands for `value` in each copy, or once for all.
    fn each(
        &self,
        jam: &Jam,
        maps: &mut [HashMap<Value, Value>],
        value: Value,
        mut make: impl FnMut(usize) -> Value,
    ) {
        if jam.variant.contains(&value) {
            for (n, map) in maps.iter_mut().enumerate() {
                map.insert(value, make(n));
            }
        } else {
            let one = make(0);
            maps.iter_mut().for_each(|map| _ = map.insert(value, one));
        }
    }
}

/// Whether copies of such an instruction may run one behind the other.
pub fn may_run_in_lockstep(
    out: (&Function, Value),
    variant: &HashSet<Value>,
    data: &InstData,
) -> Option<()> {
    let fine = match data {
        InstData::Alloca { .. } => false,
        &InstData::Load { ptr, volatile, .. } | &InstData::Store { ptr, volatile, .. } => {
            !volatile && is_of_item(out, variant, ptr)
        }
        &InstData::MaskedLoad { ptr, .. } | &InstData::MaskedStore { ptr, .. } => {
            is_of_item(out, variant, ptr)
        }
        &InstData::Gather { base, .. } | &InstData::Scatter { base, .. } => {
            is_of_item(out, variant, base)
        }
        _ => !data.has_side_effects(),
    };
    fine.then_some(())
}

/// Which of the blocks (in reverse postorder) are in a loop, and which are the head of one.
fn loop_blocks(out: &Function, blocks: &[Block]) -> (Vec<bool>, Vec<bool>) {
    let place: HashMap<Block, usize> = blocks.iter().enumerate().map(|(n, &b)| (b, n)).collect();
    let mut hot = vec![false; blocks.len()];
    let mut heads = vec![false; blocks.len()];
    for (n, &block) in blocks.iter().enumerate() {
        for succ in out.successors(block) {
            if let Some(&head) = place.get(&succ).filter(|&&head| head <= n) {
                hot[head..=n].iter_mut().for_each(|hot| *hot = true);
                heads[head] = true;
            }
        }
    }
    (hot, heads)
}

/// The access is to memory that is shared, or to what each item has of its own.
fn is_of_item((out, scratch): (&Function, Value), variant: &HashSet<Value>, ptr: Value) -> bool {
    let mut root = ptr;
    loop {
        match out.def_inst(root) {
            Some(InstData::PtrAdd { ptr, .. }) => root = *ptr,
            Some(InstData::Cast {
                op: CastOp::AddrSpaceCast,
                arg,
                ..
            }) => root = *arg,
            _ => break,
        }
    }
    if root == scratch {
        return variant.contains(&ptr);
    }
    match out.def_inst(root) {
        Some(InstData::Alloca { .. }) => false,
        _ => out.ty(root).addr_space() != Some(AddrSpace::Private),
    }
}
