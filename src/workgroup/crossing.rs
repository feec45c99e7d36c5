//! The values that live across region boundaries, and the home that each gets.
//!
//! A value crosses if it is alive at the head of a region. It is computed again there if that is cheap (from ids and
//! arguments, or, for chunks, from uniform values that are passed on: see `again`). Else, if it is uniform, the group function passes it on (`slice`), or keeps it in one place where items may wait in different
//! regions; if it is not, there is a slot for each item. It is stored where an item leaves
//! for a region at whose head it is alive: an item that returns stores nothing, and what a region reads of a shared
//! place, it reads before its first item runs. Where a region can come to a use, or to an exit, both with a new value
//! and with the one it started with, the value is stored right where it is defined, for each item.
//!
//! The parameter of a head is never computed in a region: those that go there store it (a collective: the driver).

use std::collections::HashMap;

use crate::ir::abi::BASE_ALIGN;
use crate::ir::cfg::Cfg;
use crate::ir::{BinaryOp, Block, Function, Inst, InstData, UnaryOp, Value, ValueDef};

use super::again;
use super::coalesce;
use super::flow::Flow;
use super::layout::{Layout, SlotId};
use super::private::{Copies, Place, Private};
use super::regions::Regions;
use super::uniformity::Uniformity;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// Used nowhere but where its definition dominates.
    None,
    /// Computed again from ids, arguments and constants, and from values with the home [`Home::Group`].
    Recompute,
    /// One of the kernel's private variables, by its address.
    Private(Address),
    /// A value of the group function, passed from region to region.
    Group,
    /// One place for the group, at this offset.
    Shared(u64),
    /// A slot for each item, written at the exits.
    Item(SlotId),
    /// The same, written at the definition and read at each use that it does not dominate.
    ItemAtDef(SlotId),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Address {
    /// The n-th alloca of the group function.
    Stack(usize),
    /// Offset in the fixed part of the scratch.
    Fixed(u64),
    Item(SlotId),
}

pub struct Crossing {
    home: Vec<Home>,
    /// By region: what must be stored by those that go there, ascending.
    pub live: Vec<Vec<Value>>,
    /// Uniform values are passed on by the group function.
    pub sliced: bool,
    def_block: Vec<Option<Block>>,
    /// What the lanes of a chunk have of each private variable.
    of_lanes: HashMap<Value, OfLanes>,
}

/// The copies of a private variable for the lanes of a chunk.
#[derive(Clone, Copy, Debug)]
pub struct OfLanes {
    pub copies: Copies,
    /// Bytes for each lane.
    pub bytes: u64,
    pub align: u32,
    /// Their place in the fixed part of the scratch; else they are on the stack.
    pub fixed: Option<u64>,
}

impl Crossing {
    pub fn home(&self, value: Value) -> Home {
        self.home[value.index()]
    }

    pub fn copies(&self, private: Value) -> Copies {
        self.of_lanes[&private].copies
    }

    pub fn of_lanes(&self, private: Value) -> OfLanes {
        self.of_lanes[&private]
    }

    /// Where the value is defined.
    pub fn def_block(&self, value: Value) -> Block {
        self.def_block[value.index()].expect("a value of a reachable block")
    }
}

pub struct Input<'a> {
    pub func: &'a Function,
    pub regions: &'a Regions,
    pub uniformity: &'a Uniformity,
    pub flow: &'a Flow,
    pub privates: &'a [Private],
    /// Work-items of a chunk.
    pub lanes: u16,
}

/// Finds the crossing values and takes places for them (and for the private variables) from `layout`.
pub fn run(input: &Input, layout: &mut Layout) -> Crossing {
    let func = input.func;
    let mut pass = Pass {
        input,
        cost: recompute_costs(func),
        again: HashMap::new(),
        out: Crossing {
            home: vec![Home::None; func.num_values()],
            live: vec![Vec::new(); input.regions.list.len()],
            sliced: false,
            def_block: def_blocks(func),
            of_lanes: HashMap::new(),
        },
    };
    pass.place_privates(layout);
    pass.find_live();
    let mut at_def = pass.written_at_definition();
    pass.out.sliced = pass.can_slice(&at_def);
    if input.lanes > 1 && pass.out.sliced {
        pass.again = again::choose(&again::Crossings {
            func,
            uniformity: input.uniformity,
            cost: &pass.cost,
            live: &pass.out.live,
            at_def: &at_def,
        });
        if !pass.again.is_empty() {
            let before = std::mem::take(&mut pass.out.live);
            pass.out.live = vec![Vec::new(); before.len()];
            pass.find_live();
            let then_at_def = pass.written_at_definition();
            if pass.can_slice(&then_at_def) {
                at_def = then_at_def;
            } else {
                pass.again.clear();
                pass.out.live = before;
            }
        }
    }
    pass.give_homes(&at_def, layout);
    pass.out
}

/// A value that takes more operations than this is kept rather than computed again.
pub const CHEAP: u32 = 6;

/// Bytes of private variables for the lanes of a chunk that may be on the thread's stack.
const STACK_OF_LANES: u64 = 32 << 10;

struct Pass<'a> {
    input: &'a Input<'a>,
    /// By value: the operations it takes to compute it from what is always there; `u32::MAX` if that can't be.
    cost: Vec<u32>,
    /// Varying values that are computed again from uniform ones, with those.
    again: HashMap<Value, Vec<Value>>,
    out: Crossing,
}

impl Pass<'_> {
    fn place_privates(&mut self, layout: &mut Layout) {
        let mut stack = 0;
        let mut on_stack = 0;
        for private in self.input.privates {
            let (size, align) = (private.size.max(1), u64::from(private.align.max(1)));
            let address = match private.place {
                Place::Stack => {
                    stack += 1;
                    Address::Stack(stack - 1)
                }
                Place::Fixed => Address::Fixed(layout.add_fixed(size, align)),
                Place::Item => Address::Item(layout.add_slot(size, align)),
            };
            self.out.home[private.address.index()] = Home::Private(address);
            let all = private.stride().saturating_mul(self.input.lanes.into());
            let shared = private.place == Place::Item;
            let copies = match address {
                Address::Item(slot) => private.copies_apart(layout.size(slot)),
                _ => private.copies(),
            };
            let fixed = if self.input.lanes == 1 || shared || copies == Copies::Never {
                None
            } else if on_stack + all <= STACK_OF_LANES {
                on_stack += all;
                None
            } else {
                Some(layout.add_fixed(all, BASE_ALIGN as u64))
            };
            let of_lanes = OfLanes {
                copies,
                bytes: private.stride(),
                align: private.align,
                fixed,
            };
            self.out.of_lanes.insert(private.address, of_lanes);
        }
    }

    /// It must be carried where it is alive, rather than be there or be made anew.
    fn is_carried(&self, value: Value) -> bool {
        self.cost[value.index()] > CHEAP && !self.again.contains_key(&value)
    }

    /// The group function can pass on all uniform values: none is stored at its definition.
    fn can_slice(&self, at_def: &[bool]) -> bool {
        let Input {
            func,
            flow,
            uniformity,
            ..
        } = *self.input;
        let varies = |n: usize| uniformity.is_varying(Value::new(n));
        flow.together && (0..func.num_values()).all(|n| !at_def[n] || varies(n))
    }

    /// For each use, walks backwards until the definition, and notes the heads on the way.
    fn find_live(&mut self) {
        let func = self.input.func;
        let cfg = Cfg::compute(func);
        let mut uses: Vec<(Value, Block)> = Vec::new();
        for &block in func.layout() {
            let mut note = |v: Value| {
                uses.push((v, block));
                let from = self.again.get(&v).into_iter().flatten();
                uses.extend(from.map(|&from| (from, block)));
            };
            for &inst in &func.block(block).insts {
                func.inst(inst).for_each_use(&mut note);
            }
            func.term(block).for_each_use(&mut note);
        }
        uses.sort_unstable();
        uses.dedup();
        // The value for which a block was visited last.
        let mut seen: Vec<Option<Value>> = vec![None; func.num_blocks()];
        let mut work = Vec::new();
        for (value, block) in uses {
            if !self.is_carried(value) {
                continue;
            }
            let def = self.out.def_block(value);
            work.push(block);
            while let Some(block) = work.pop() {
                if block == def || seen[block.index()] == Some(value) {
                    continue;
                }
                seen[block.index()] = Some(value);
                if let Some(region) = self.input.regions.headed_by(block) {
                    self.out.live[region].push(value);
                }
                work.extend(cfg.preds(block));
            }
        }
    }

    /// Values of which some region may see both the one it started with and one that it computes.
    fn written_at_definition(&self) -> Vec<bool> {
        let Input { func, regions, .. } = *self.input;
        let mut at_def = vec![false; func.num_values()];
        let mut crosses = vec![false; func.num_values()];
        for &v in self.out.live.iter().flatten() {
            crosses[v.index()] = true;
        }
        for region in &regions.list {
            let graph = &region.graph;
            let mut check_one = |v: Value, node: u32| {
                if !crosses[v.index()] || at_def[v.index()] {
                    return;
                }
                // A head's parameter is not defined in its region but read at its start.
                if let Some(def) = graph
                    .node(self.out.def_block(v))
                    .filter(|&d| d != 0 || !self.is_head_param(v))
                    && !graph.dominates(def, node)
                    && graph.may_reach(def, node)
                {
                    at_def[v.index()] = true;
                }
            };
            let mut check = |v: Value, node: u32| {
                check_one(v, node);
                let from = self.again.get(&v).into_iter().flatten();
                from.for_each(|&from| check_one(from, node));
            };
            for (node, &block) in (0u32..).zip(&graph.blocks) {
                for &inst in &func.block(block).insts {
                    func.inst(inst).for_each_use(|v| check(v, node));
                }
                func.term(block).for_each_use(|v| check(v, node));
                for succ in func.successors(block) {
                    if let Some(target) = regions.headed_by(succ) {
                        self.out.live[target].iter().for_each(|&v| check(v, node));
                    }
                }
            }
        }
        at_def
    }

    fn is_head_param(&self, value: Value) -> bool {
        is_head_param(self.input.func, self.input.regions, value)
    }

    fn give_homes(&mut self, at_def: &[bool], layout: &mut Layout) {
        let Input {
            func,
            regions,
            uniformity,
            flow,
            ..
        } = *self.input;
        let mut wanted: Vec<(Value, bool)> = Vec::new();
        for (r, live) in self.out.live.iter().enumerate() {
            wanted.extend(live.iter().map(|&v| (v, flow.apart[r])));
        }
        for &block in func.layout() {
            if let Some(r) = regions.headed_by(block)
                && block != func.entry()
            {
                let params = &func.block(block).params;
                wanted.extend(params.iter().map(|&p| (p, flow.apart[r])));
            }
        }
        // Where items are apart in one of the regions, `true` comes last and decides.
        wanted.sort_unstable();
        let mut kept: Vec<Value> = Vec::new();
        let mut at = 0;
        while at < wanted.len() {
            let value = wanted[at].0;
            let end = at + wanted[at..].iter().take_while(|w| w.0 == value).count();
            let apart = wanted[end - 1].1;
            at = end;
            let ty = func.ty(value);
            let (size, align) = (ty.bytes(), ty.align());
            self.out.home[value.index()] = if at_def[value.index()] {
                Home::ItemAtDef(layout.add_slot(size, align))
            } else if apart || uniformity.is_varying(value) {
                kept.push(value);
                continue;
            } else if self.out.sliced {
                Home::Group
            } else {
                Home::Shared(layout.add_fixed(size, align))
            };
        }
        self.give_slots(&kept, layout);
        for value in (0..func.num_values()).map(Value::new) {
            if self.out.home[value.index()] == Home::None && !self.is_carried(value) {
                self.out.home[value.index()] = Home::Recompute;
            }
        }
    }

    /// Gives values slots that are written at the exits, in this order.
    fn give_slots(&mut self, kept: &[Value], layout: &mut Layout) {
        let Input { func, regions, .. } = *self.input;
        let shared = coalesce::run(func, regions, &self.out.live, kept);
        let mut slots: HashMap<Value, SlotId> = HashMap::new();
        for &value in kept {
            let ty = func.ty(value);
            let slot = slots.entry(shared[&value]);
            let slot = slot.or_insert_with(|| layout.add_slot(ty.bytes(), ty.align()));
            self.out.home[value.index()] = Home::Item(*slot);
        }
    }
}

/// A parameter of a head other than the entry.
pub fn is_head_param(func: &Function, regions: &Regions, value: Value) -> bool {
    match func.value(value).def {
        ValueDef::Param(block, _) => block != func.entry() && regions.headed_by(block).is_some(),
        ValueDef::Result(_) => false,
    }
}

fn def_blocks(func: &Function) -> Vec<Option<Block>> {
    let mut out = vec![None; func.num_values()];
    for &block in func.layout() {
        let data = func.block(block);
        let results = data.insts.iter().filter_map(|&i| func.result(i));
        for value in data.params.iter().copied().chain(results) {
            out[value.index()] = Some(block);
        }
    }
    out
}

fn recompute_costs(func: &Function) -> Vec<u32> {
    let mut cost = vec![u32::MAX; func.num_values()];
    for &param in func.param_values() {
        cost[param.index()] = 0;
    }
    // Definitions come before uses in this order, parameters of blocks aside, which can't be recomputed.
    for block in super::graph::Subgraph::of_function(func).blocks {
        for &inst in &func.block(block).insts {
            if let Some(result) = func.result(inst)
                && let Some(own) = own_cost(func, inst)
            {
                let mut sum = own;
                func.inst(inst)
                    .for_each_use(|v| sum = u32::saturating_add(sum, cost[v.index()]));
                cost[result.index()] = sum;
            }
        }
    }
    cost
}

/// What computing the instruction once more costs; `None` if that would not give the same, or is dear.
pub fn own_cost(func: &Function, inst: Inst) -> Option<u32> {
    match func.inst(inst) {
        InstData::IConst { .. }
        | InstData::FConst { .. }
        | InstData::GlobalAddr { .. }
        | InstData::LocalAddr { .. }
        | InstData::Alloca { .. }
        | InstData::WorkItem { .. } => Some(0),
        InstData::Unary { op, .. } if *op != UnaryOp::Sqrt => Some(1),
        InstData::Binary { op, .. } => {
            let dear = matches!(
                op,
                BinaryOp::SDiv
                    | BinaryOp::UDiv
                    | BinaryOp::SRem
                    | BinaryOp::URem
                    | BinaryOp::FDiv
                    | BinaryOp::FRem
            );
            (!dear).then_some(1)
        }
        InstData::ICmp { .. }
        | InstData::FCmp { .. }
        | InstData::Select { .. }
        | InstData::Cast { .. }
        | InstData::Splat { .. }
        | InstData::Extract { .. }
        | InstData::InSpace { .. }
        | InstData::PtrAdd { .. } => Some(1),
        _ => None,
    }
}
